/**
 * A text in the characters that a page's fonts have. Any other is written by its code point, `\u{4e2d}`, so that no name is lost or taken for
 * another; line ends, tabs and other spaces become one space. A backslash that would read as such a code point is written by its own.
 */
export function printable(text: string, characters: ReadonlySet<number>): string {
  const shown = [
    ...text
      .normalize('NFC')
      .replace(/[\p{Zs}\s]+/gu, ' ')
      .trim(),
  ].map((character, index, all) => {
    const code = character.codePointAt(0)!
    const looksWritten = character === '\\' && all[index + 1] === 'u' && all[index + 2] === '{'
    const drawn = characters.has(code) && code !== softHyphen && !looksWritten
    return drawn ? character : `\\u{${code.toString(16)}}`
  })
  return shown.join('')
}

const softHyphen = 0xad

/** Cuts a long text of others at so many characters and says so. */
export function atMost(text: string, characters: number): string {
  const all = [...text]
  return all.length <= characters ? text : `${all.slice(0, characters).join('')}… (${all.length - characters} characters more)`
}

/** Lines of at most `width`, broken at spaces, and within words that are longer than a line. `widthOf` measures a text in the same unit. */
export function wrap(text: string, width: number, widthOf: (text: string) => number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (widthOf(longer) <= width) {
      line = longer
      continue
    }
    if (line !== '') lines.push(line)
    line = word
    while (widthOf(line) > width && line.length > 1) {
      const end = fitting(line, width, widthOf)
      lines.push(line.slice(0, end))
      line = line.slice(end)
    }
  }
  return line === '' && lines.length > 0 ? lines : [...lines, line]
}

/** How many characters of a word fit a line, one at least; behind a joint of the word where it has one in the line's second half. */
function fitting(word: string, width: number, widthOf: (text: string) => number): number {
  let end = 1
  while (end < word.length && widthOf(word.slice(0, end + 1)) <= width) end++
  const joint = /^.*[/_.:,&?=}-]/.exec(word.slice(0, end))?.[0].length ?? 0
  return joint > end / 2 ? joint : end
}
