import { lower } from '../../python/text.ts'

/** `v1` is the official reading, `v2` the mended one. */
export type Version = 'v1' | 'v2'

const wordSign = /[\p{L}\p{N}]/u
const thousands = /(?<=\d)[,\u00a0\u202f '’](?=\d{3}(?!\d))/gu

/**
 * Whether a text holds a phrase, in any case. `v1`: anywhere, so that 100 is found in 1000. `v2`: as whole words and whole numbers; thousands may
 * be parted, and a decimal point or comma with digits behind makes it another number.
 */
export function holds(text: string, phrase: string, version: Version): boolean {
  if (version === 'v1') return lower(text).includes(lower(phrase))
  const [within, part] = [plain(text), plain(phrase).trim()]
  if (part === '') return false
  for (let at = within.indexOf(part); at >= 0; at = within.indexOf(part, at + 1)) if (standsAlone(within, at, at + part.length)) return true
  return false
}

const plain = (text: string): string => text.toLowerCase().normalize('NFKC').replace(thousands, '')

function standsAlone(text: string, start: number, end: number): boolean {
  const [first, last] = [text[start]!, text[end - 1]!]
  if (wordSign.test(first) && wordSign.test(text[start - 1] ?? '')) return false
  if (wordSign.test(last) && wordSign.test(text[end] ?? '')) return false
  if (/\d/.test(first) && (/\d[.,]$/.test(text.slice(Math.max(0, start - 2), start)) || isMinus(text, start))) return false
  return !(/\d/.test(last) && /^[.,]\d/.test(text.slice(end, end + 2)) && !/^[.,]0+(?!\d)/.test(text.slice(end)))
}

/** A sign of minus before a number, not a dash between two things. */
const isMinus = (text: string, start: number): boolean => /[-−]/.test(text[start - 1] ?? '') && !/[\p{L}\p{N}]/u.test(text[start - 2] ?? '')

/** The share of phrases that a text holds; 0 where there are none. */
export function shareHeld(text: string, phrases: readonly string[], version: Version): number {
  if (text === '' || phrases.length === 0) return 0
  return phrases.filter((phrase) => holds(text, phrase, version)).length / phrases.length
}
