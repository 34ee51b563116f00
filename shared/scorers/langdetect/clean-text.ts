import type { Messages } from './messages.ts'

const longestText = 10_000
const url = /https?:\/\/[-_.?&~;+=/#0-9A-Za-z]{1,2076}/g
const local = /[-_.0-9A-Za-z]/
const longestLocal = 64
const domain = /[-_0-9A-Za-z]{1,255}[-_.0-9A-Za-z]{1,255}/y

/** The characters that langdetect looks at: no addresses, Vietnamese composed, 10,000 at most, no Latin within mostly other scripts. */
export function cleanText(text: string, messages: Messages): string[] {
  const plain = withoutMails(text.replace(url, ' ')).replace(messages.composable, (pair) => messages.composed.get(pair)!)
  const chars: string[] = []
  let seen = 0
  let before = ''
  for (const char of plain) {
    if (seen++ === longestText) break
    if (char !== ' ' || before !== ' ') chars.push(char)
    before = char
  }
  const latin = chars.filter(isLatin).length
  const others = chars.filter((char) => char >= '\u0300').length
  return latin * 2 < others ? chars.filter((char) => !isLatin(char)) : chars
}

/** From A to z, with the six signs in between, as upstream has it. */
function isLatin(char: string): boolean {
  return char >= 'A' && char <= 'z'
}

/** Every e-mail address becomes a space; upstream's pattern, sought from its @ so that long words take no longer. */
function withoutMails(text: string): string {
  let kept = ''
  let from = 0
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', Math.max(at + 1, from))) {
    let start = at
    while (start > from && at - start < longestLocal && local.test(text[start - 1]!)) start--
    domain.lastIndex = at + 1
    if (start === at || !domain.test(text)) continue
    kept += `${text.slice(from, start)} `
    from = domain.lastIndex
  }
  return kept + text.slice(from)
}
