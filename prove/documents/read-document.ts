/** A fenced block of a Markdown text. `line`: the one-based line of its first line of text. */
export type Fence = { language: string; text: string; line: number }
/** Code within a sentence or table, on one line. */
export type Span = { text: string; line: number }
export type Document = { path: string; text: string; fences: readonly Fence[]; spans: readonly Span[] }

/** Reads what a Markdown text shows as code: fenced blocks and spans between backticks, which may go over line ends within a paragraph. */
export function readDocument(path: string, text: string): Document {
  const fences: Fence[] = []
  const spans: Span[] = []
  const lines = text.split('\n')
  let paragraph: string[] = []
  const close = (at: number) => {
    spans.push(...spansIn(paragraph.join('\n'), at - paragraph.length + 1))
    paragraph = []
  }
  for (let at = 0; at < lines.length; at++) {
    const [, indent = '', fence, language = ''] = /^(\s*)(`{3,})\s*([\w-]*)\s*$/.exec(lines[at]!) ?? []
    if (fence === undefined) {
      // A row of a table and an item of a list are paragraphs of their own.
      if (lines[at]!.trim() === '' || /^\s*(?:\||[*-] |\d+\. )/.test(lines[at]!)) close(at)
      if (lines[at]!.trim() !== '') paragraph.push(lines[at]!)
      continue
    }
    close(at)
    const end = lines.findIndex((line, index) => index > at && line.trim() === fence)
    if (end < 0) throw new Error(`${path}:${at + 1} opens a block that is never closed`)
    const inside = lines.slice(at + 1, end).map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line))
    fences.push({ language, text: inside.join('\n'), line: at + 2 })
    at = end
  }
  close(lines.length)
  return { path, text, fences, spans }
}

function spansIn(paragraph: string, line: number): Span[] {
  const row = paragraph.trimStart().startsWith('|')
  return [...paragraph.matchAll(/(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)/gs)].map(({ 2: code = '', index }) => {
    const text = code.replaceAll(/\s*\n\s*/g, ' ').trim()
    return { text: row ? text.replaceAll(String.raw`\|`, '|') : text, line: line + paragraph.slice(0, index).split('\n').length - 1 }
  })
}
