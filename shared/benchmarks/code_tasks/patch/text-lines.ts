/** A text as lines without their ends. `ending` ends them all; `open`: nothing ends the last. Where ends are mixed, `\r` belongs to its line. */
export type Lines = { list: string[]; ending: '\n' | '\r\n'; open: boolean }

/** The lines of a text; an empty text has none. */
export function linesOfText(text: string): Lines {
  const list = text.split('\n')
  const open = list.at(-1) !== ''
  if (!open) list.pop()
  const ended = open ? list.slice(0, -1) : list
  const windows = ended.length > 0 && ended.every((line) => line.endsWith('\r'))
  if (!windows) return { list, ending: '\n', open }
  return { list: list.map((line, index) => (index < ended.length ? line.slice(0, -1) : line)), ending: '\r\n', open }
}

/** The text of lines; the reverse of `linesOfText`. */
export function textOfLines({ list, ending, open }: Lines): string {
  return list.length === 0 ? '' : list.join(ending) + (open ? '' : ending)
}
