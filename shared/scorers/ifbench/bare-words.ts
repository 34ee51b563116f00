import { punctuation, removeChars, splitSpace, stripChars } from '../python-text.ts'

const edge = `${punctuation} `

/** The text without punctuation and spaces at both ends; line ends and tabs stay. */
export function bare(text: string): string {
  return stripChars(text, edge)
}

/** The text without punctuation anywhere. */
export function unpunctuated(text: string): string {
  return removeChars(text, punctuation)
}

/** The words of a text whose punctuation was deleted; a token of punctuation alone vanishes. */
export function bareWords(text: string): string[] {
  return splitSpace(unpunctuated(text))
}

/** The first character of a text that is not empty. */
export function firstChar(text: string): string {
  const code = text.codePointAt(0)
  return code === undefined ? '' : String.fromCodePoint(code)
}
