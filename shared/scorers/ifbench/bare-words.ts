import { splitSpace } from '../../python/text.ts'

const punctuationRuns = /[!-/:-@[-`{-~]+/g

/** One of the 32 signs of Python's `string.punctuation`, or the space; all are ASCII. */
function isEdge(code: number): boolean {
  return (code >= 32 && code <= 47) || (code >= 58 && code <= 64) || (code >= 91 && code <= 96) || (code >= 123 && code <= 126)
}

/** The text without punctuation and spaces at its start; line ends and tabs stay. */
export function bareLeft(text: string): string {
  let start = 0
  while (start < text.length && isEdge(text.charCodeAt(start))) start++
  return text.slice(start)
}

/** The text without punctuation and spaces at its end. */
export function bareRight(text: string): string {
  let end = text.length
  while (end > 0 && isEdge(text.charCodeAt(end - 1))) end--
  return text.slice(0, end)
}

/** The text without punctuation and spaces at both ends. */
export function bare(text: string): string {
  return bareLeft(bareRight(text))
}

/** The text without punctuation anywhere. */
export function unpunctuated(text: string): string {
  return text.replace(punctuationRuns, '')
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
