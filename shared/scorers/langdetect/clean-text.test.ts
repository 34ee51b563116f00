import { expect, test } from 'vitest'
import { cleanText } from './clean-text.ts'
import { profilesOf } from './testing/tiny-profiles.ts'

const { messages } = profilesOf('a')
const clean = (text: string) => cleanText(text, messages).join('')

test('[SCORE24] addresses are spaces, and runs of spaces are one', () => {
  expect(clean('see  https://a.b/c?d=1, or x.y@mail.example!')).toBe('see , or !')
  expect(clean('tab\t\tstays')).toBe('tab\t\tstays')
  expect(clean('ftp://a.b')).toBe('ftp://a.b')
})

test('[SCORE24] an address takes 2,076 characters of a URL, 64 before an @ and 510 after it, and two after it at the least', () => {
  expect(clean(`http://${'q'.repeat(2080)}`)).toBe(' qqqq')
  expect(clean(`${'x'.repeat(66)}@${'y'.repeat(513)}`)).toBe('xx yyy')
  expect(clean('a@b a@@bc @bc é@bc')).toBe('a@b a@@bc @bc é@bc')
  expect(clean('a@.b a@b.')).toBe('a@.b ')
  expect(clean('a@bc@de')).toBe(' @de')
})

test('[SCORE24] letters and the marks after them are composed, and 10,000 characters are read', () => {
  expect(clean('abc A\u0301e\u0323\u0301o\u0301')).toBe('abc \u00c1\u1eb9\u0301o\u0301')
  expect(clean(`${'😀'.repeat(9_999)}éa`).endsWith('😀é')).toBe(true)
})

test('[SCORE24] Latin letters are dropped where other scripts have more than twice as many', () => {
  expect(clean('ab жжжж')).toBe('ab жжжж')
  expect(clean('a_[Bж жжжжжжжж1')).toBe('ж жжжжжжжж1')
})
