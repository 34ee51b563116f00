import { expect, test } from 'vitest'
import { detectLanguage, langdetectProfiles } from './detect.ts'
import { tinyFiles } from './testing/tiny-profiles.ts'

const profiles = langdetectProfiles.parse(
  tinyFiles({ vowelish: { a: 40, e: 40, s: 5, ' a': 20, ae: 20 }, consonantal: { s: 40, t: 40, a: 5, ' s': 20, st: 20 } }),
)

test('[SCORE24] the language is the one whose n-grams a text has', () => {
  expect(detectLanguage('aea eae aa', profiles)).toBe('vowelish')
  expect(detectLanguage('sts tst ss', profiles)).toBe('consonantal')
})

test('[SCORE24] a text without known n-grams has no verdict', () => {
  for (const text of ['', ' \n', '12345', 'xyz', 'https://aea.example a.e@aea.example']) expect(detectLanguage(text, profiles)).toBeNull()
})

test('[SCORE24] the language is unknown when none is likely enough', () => {
  const alike = Object.fromEntries([...'abcdefghijk'].map((name) => [name, { x: 10 }]))
  expect(detectLanguage('xx', langdetectProfiles.parse(tinyFiles(alike)))).toBe('unknown')
})

test('[SCORE24] profiles that do not fit are refused with their name', () => {
  expect(() => langdetectProfiles.parse({ ...tinyFiles({ a: {}, b: {} }), b: '{"name": "b"}' })).toThrow('profile b')
  expect(() => langdetectProfiles.parse(tinyFiles({ a: {} }))).toThrow('two languages')
  expect(() => langdetectProfiles.parse({ ...tinyFiles({ a: {}, b: {} }), 'messages.properties': '' })).toThrow('TO_NORMALIZE_VI_CHARS')
})
