import fc from 'fast-check'
import { expect, test } from 'vitest'
import { draws } from '../testing/draws.ts'
import { createGrowingRedactor } from './growing-redactor.ts'
import { createRedactor, redactedMark } from './redactor.ts'

const key = 'cpk_7f3a.9b1c+Zq/0=x~Y'
const other = 'cpk_7f3a-agent-token-0123456789'
const growing = createGrowingRedactor([key, other, 'short'])
const redact = createRedactor([key, other, 'short'])
const escapeOf: ((char: string) => string)[] = [
  (char) => char,
  (char) => `%${char.charCodeAt(0).toString(16).padStart(2, '0')}`,
  (char) => `%25${char.charCodeAt(0).toString(16).padStart(2, '0')}`,
  (char) => `\\u00${char.charCodeAt(0).toString(16).padStart(2, '0')}`,
  (char) => `&amp;#${char.charCodeAt(0)};`,
]
const spelled = fc
  .tuple(fc.constantFrom(key, other), fc.array(fc.nat(escapeOf.length - 1), { minLength: 40, maxLength: 40 }))
  .map(([secret, how]) => [...secret].map((char, at) => escapeOf[how[at]!]!(char)).join(''))
const whole = fc.constantFrom(key, other, [...key].reverse().join(''), btoa(key), btoa(`x${other}`), other.slice(0, 20))
const pieces = fc.array(fc.oneof(whole, spelled, fc.string({ maxLength: 12 }), fc.constantFrom('cpk_7f3a', '%63', '\\u00', '&amp;')), {
  maxLength: 6,
})

/**
 * Tells whether `shown` is a beginning of `whole`. The growing redactor replaces a secret before the
 * semicolon of its last entity or the brace of its last escape arrives, so `shown` may have one of these
 * characters behind a mark.
 */
function isBeginning(shown: string, whole: string): boolean {
  const wanted = whole.split(redactedMark)
  const parts = shown.split(redactedMark)
  return parts.every((part, at) => {
    const text = wanted[at]
    if (text === undefined) return false
    const allowed = at === 0 ? [text] : [text, `;${text}`, `}${text}`]
    return at === parts.length - 1 ? allowed.some((one) => one.startsWith(part)) : allowed.includes(part)
  })
}

const entities = [...key].map(escapeOf[4]!).join('')
const escapes = [...key].map(escapeOf[3]!).join('')

test('[LIVE6] a secret that comes in parts, cut anywhere and written in any way, does not get out, and nothing else is lost', () => {
  fc.assert(
    fc.property(pieces, fc.array(fc.nat(300), { maxLength: 12 }), (parts, cuts) => {
      const text = parts.join('')
      const at = [0, ...cuts.map((cut) => Math.min(cut, text.length)), text.length].sort((a, b) => a - b)
      const clean = growing()
      let shown = ''
      for (let part = 1; part < at.length; part++) shown += clean(text.slice(at[part - 1], at[part]))
      expect(isBeginning(shown, redact(text)), shown).toBe(true)
    }),
    // The text is cut before a semicolon that ends an entity, or before a brace behind an escape.
    draws(2000, {
      examples: [
        [[entities, ';'], [entities.length - 1]],
        [[escapes, '}'], [escapes.length]],
      ] satisfies [string[], number[]][],
    }),
  )
})

test('[LIVE6] what cannot be the beginning of a secret is shown at once, and its beginning when it turns out to be none', () => {
  const clean = growing()
  expect(clean('The key is ')).toBe('The key is ')
  expect(clean('cpk_7f')).toBe('')
  expect(clean('3a')).toBe('')
  expect(clean(' or so. 100%')).toBe('cpk_7f3a or so. 100')
  expect(clean(' sure')).toBe('% sure')
  expect(clean(key.slice(0, 9)) + clean(key.slice(9)) + clean('.')).toBe(`${redactedMark}.`)
  expect(createGrowingRedactor([])()('anything %63 at all')).toBe('anything %63 at all')
})
