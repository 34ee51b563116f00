/**
 * The headings of a text.
 *
 * @param {string} text
 * @returns {{ level: number, text: string, slug: string, line: number }[]}
 */
export function readHeadings(text) {
  return text.split('\n').flatMap((line, index) => (line.startsWith('# ') ? [{ level: 1, text: line.slice(2), slug: line.slice(2), line: index + 1 }] : []))
}

/** A list of links to headings. */
export function renderContents(headings) {
  return headings.map(({ text, slug }) => `- [${text}](#${slug})`).join('\n')
}

/** A text with its contents up to date. */
export function updateContents(text) {
  return text
}
