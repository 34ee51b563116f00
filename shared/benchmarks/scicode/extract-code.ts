import { skipSpace } from '../../python/text.ts'

const fence = '```'

/**
 * The code of a reply as SciCode's `extract_python_script` reads it (reference 2.3): the first block marked `python`, else the first block with whatever
 * its fence says, else all of it; then every import is taken away, indented ones too. Runs through the text once.
 */
export function extractCode(reply: string): string {
  return withoutImports(fenced(reply))
}

function fenced(reply: string): string {
  if (!reply.includes(fence)) return reply
  const opening = reply.includes(`${fence}python`) ? `${fence}python` : fence
  return reply.split(opening)[1]!.split(fence)[0]! // split by the opening first: five backticks before the word hold one that three do not
}

/** What Python leaves of a text after `re.sub(r'^\s*(import .*|from .*\s+import\s+.*)', '', text, flags=re.MULTILINE)`. */
export function withoutImports(text: string): string {
  let left = ''
  let from = 0
  for (let line = 0; line < text.length; ) {
    const start = skipSpace(text, line)
    const end = endOfImport(text, start)
    if (end !== null) {
      left += text.slice(from, line)
      from = end
    }
    // Lines that begin inside the white space lead to the same place; after a match the next one begins at the next line.
    const next = text.indexOf('\n', end ?? start)
    line = next < 0 ? text.length : next + 1
  }
  return left + text.slice(from)
}

/** Where the import that begins here ends; null where none begins. */
function endOfImport(text: string, start: number): number | null {
  if (text.startsWith('import ', start)) return endOfLine(text, start)
  if (!text.startsWith('from ', start)) return null
  const end = endOfLine(text, start)
  // The names are matched as late as can be: the word after the end of the line goes before the last one within it.
  const below = skipSpace(text, end)
  const word = isImport(text, below, end) ? below : lastImport(text, start + 'from '.length, end)
  return word === null ? null : endOfLine(text, skipSpace(text, word + 'import'.length))
}

/** The last `import` between white space that begins on this line behind `start`. */
function lastImport(text: string, start: number, end: number): number | null {
  for (let at = text.lastIndexOf('import', end - 1); at > start; at = text.lastIndexOf('import', at - 1)) {
    if (isImport(text, at, at - 1)) return at
  }
  return null
}

/** Whether the word stands here with white space from `before` on and behind it. */
function isImport(text: string, at: number, before: number): boolean {
  const behind = at + 'import'.length
  return text.startsWith('import', at) && before < at && skipSpace(text, before) >= at && skipSpace(text, behind) > behind
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end < 0 ? text.length : end
}
