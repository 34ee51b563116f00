import fc from 'fast-check'
import { expect, test } from 'vitest'
import { draws } from '../testing/draws.ts'
import { createRedactor, redactedMark } from './redactor.ts'

const key = 'cpk_7f3a.9b1c+Zq/0=x~Y'
const other = 'agent-token-0123456789'
const redact = createRedactor([key, other, '', 'short'])
const bytes = (text: string) => [...new TextEncoder().encode(text)]
const toBase64 = (text: string) => btoa(String.fromCharCode(...bytes(text)))
const toUrl = (text: string) => toBase64(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
const each = (text: string, form: (code: number) => string) => bytes(text).map(form).join('')
const hex = (code: number) => code.toString(16).padStart(2, '0')

/** Every way in which a provider may write what it was sent. */
const encodings: Record<string, (secret: string) => string> = {
  plain: (secret) => secret,
  reversed: (secret) => [...secret].reverse().join(''),
  'hex, lower case': (secret) => each(secret, hex),
  'hex, upper case': (secret) => each(secret, hex).toUpperCase(),
  base64: toBase64,
  'base64 after one byte': (secret) => toBase64(`x${secret}yy`),
  'base64 after two bytes': (secret) => toBase64(`xy${secret}z`),
  base64url: toUrl,
  'base64url after a word': (secret) => toUrl(`Bearer ${secret}`),
  'percent, where it must': (secret) => encodeURIComponent(secret),
  'percent, all': (secret) => each(secret, (code) => `%${hex(code)}`),
  'percent, twice': (secret) => each(secret, (code) => `%25${hex(code).toUpperCase()}`),
  'escapes of JSON': (secret) => each(secret, (code) => `\\u00${hex(code)}`),
  'escapes of JSON, quoted again': (secret) => each(secret, (code) => `\\\\u00${hex(code).toUpperCase()}`),
  'one escape in the middle': (secret) => `${secret.slice(0, 3)}\\u00${hex(secret.charCodeAt(3))}${secret.slice(4)}`,
  'hex escapes': (secret) => each(secret, (code) => `\\x${hex(code)}`),
  'HTML entities, decimal': (secret) => each(secret, (code) => `&#${code};`),
  'HTML entities, hex': (secret) => each(secret, (code) => `&#x${hex(code)};`),
  'HTML entities, quoted again': (secret) => each(secret, (code) => `&amp;#0${code};`),
}

test.for(Object.keys(encodings))('[SEC10] a key in a text is found: %s', (name) => {
  for (const secret of [key, other]) {
    const hidden = encodings[name]!(secret)
    for (const text of [hidden, `The key is "${hidden}", I was told.`, `${hidden}${hidden}`]) {
      const clean = redact(text)
      expect(clean).toContain(redactedMark)
      // What may be left of base64 are the characters that the neighbours share.
      for (let from = 0; from + 12 <= hidden.length; from++) expect(clean).not.toContain(hidden.slice(from, from + 12))
    }
  }
})

test('[SEC10] a key is found wherever it stands in a text, and everything around it stays', () => {
  fc.assert(
    fc.property(
      fc.string({ maxLength: 80, unit: 'binary' }),
      fc.string({ maxLength: 80, unit: 'binary' }),
      fc.constantFrom(key, other),
      (before, after, secret) => {
        expect(redact(before + secret + after)).toBe(before + redactedMark + after)
      },
    ),
    draws(500),
  )
})

test('[SEC11] a text without a key comes back as the same string, also one that looks like an encoding', () => {
  const looks = [
    '',
    'short',
    key.slice(0, -1),
    key.toUpperCase(),
    '%63%70%6b_7f3a',
    '\\underbrace{x} \\u2211 &#8721; 100%25',
    toBase64('nothing here'),
  ]
  for (const text of looks) expect(redact(text)).toBe(text)
  fc.assert(
    fc.property(fc.string({ maxLength: 400, unit: fc.constantFrom(...key, ...other, '%', '\\', 'u', '0', '&', '#', 'x') }), (text) => {
      fc.pre(!text.includes(key) && !text.includes(other))
      expect(redact(text)).toBe(text)
    }),
    draws(500),
  )
  expect(createRedactor(['lm-studio', 'EMPTY', ''])('EMPTY is what lm-studio wants')).toBe('EMPTY is what lm-studio wants')
})

test('[SEC10] time is linear in the length of the text, whatever it repeats', () => {
  const long = [`${key.slice(0, -1)} `, '%63', '\\u0063', '&#99;', 'a'].map((part) => part.repeat(Math.ceil(400_000 / part.length)))
  for (const text of long) expect(redact(text)).toBe(text)
  expect(redact(long[0] + key).endsWith(redactedMark)).toBe(true)
})
