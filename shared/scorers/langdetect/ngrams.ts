import { isUpper } from '../../python/text.ts'
import type { Messages } from './messages.ts'
import type { LangdetectProfiles } from './profiles.ts'

const longestGram = 3

/** Numbers of the known n-grams of these characters, in order; those that stand in a word of capitals are left out. */
export function knownGrams(chars: readonly string[], { grams, messages }: LangdetectProfiles): number[] {
  const found: number[] = []
  let buffer = [' ']
  let wasUpper = false
  let isCapitals = false
  for (const raw of chars) {
    const char = normalChar(raw, messages)
    if (buffer.at(-1) === ' ') {
      // A second space adds nothing, and the one that stands there has no n-gram of its own.
      buffer = [' ']
      isCapitals = false
      if (char === ' ') continue
    } else if (buffer.length === longestGram) buffer.shift()
    buffer.push(char)
    const upper = isUpper(char)
    isCapitals = upper && (isCapitals || wasUpper)
    wasUpper = upper
    if (isCapitals) continue
    let gram = ''
    for (let i = buffer.length - 1; i >= 0; i--) {
      gram = buffer[i] + gram
      const known = gram === ' ' ? undefined : grams.get(gram)
      if (known !== undefined) found.push(known)
    }
  }
  return found
}

/** One character for a whole class where the class is the trait of the language (kana, Hangul, tone marks), a space for what is no letter. */
function normalChar(char: string, messages: Messages): string {
  const code = char.codePointAt(0)!
  if (code < 0x80) return (code >= 65 && code <= 90) || (code >= 97 && code <= 122) ? char : ' '
  if (code < 0x100) return messages.latin1Excluded.has(char) ? ' ' : char
  if (code === 0x219) return '\u015f'
  if (code === 0x21b) return '\u0163'
  if (code === 0x6cc) return '\u064a'
  if (code < 0x1ea0) return char
  if (code < 0x1f00) return '\u1ec3'
  if (code >= 0x2000 && code < 0x2070) return ' '
  if (code < 0x3040) return char
  if (code < 0x30a0) return '\u3042'
  if (code < 0x3100) return '\u30a2'
  if (code < 0x3130 || (code >= 0x31a0 && code < 0x31c0)) return '\u3105'
  if (code >= 0x4e00 && code < 0xa000) return messages.kanjiClass.get(char) ?? char
  return code >= 0xac00 && code < 0xd7b0 ? '\uac00' : char
}
