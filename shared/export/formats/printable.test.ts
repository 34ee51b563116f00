import fc from 'fast-check'
import { expect, test } from 'vitest'
import { atMost, printable, wrap } from './printable.ts'

const ascii = new Set(Array.from({ length: 95 }, (_, index) => index + 32))

test('[API142] characters that a font lacks are written by code point, and no two texts look alike by that', () => {
  const latin = new Set([...ascii, 0xad, 0xe9])
  expect(printable('модель-中🚀', ascii)).toBe('\\u{43c}\\u{43e}\\u{434}\\u{435}\\u{43b}\\u{44c}-\\u{4e2d}\\u{1f680}')
  expect(printable('cafe\u0301', latin)).toBe('café')
  expect(printable('soft\u00adhyphen, \u202eleft', latin)).toBe('soft\\u{ad}hyphen, \\u{202e}left')
  expect(printable(' two\r\n\tlines \u00a0', ascii)).toBe('two lines')
  expect(printable('C:\\up \\u{41f}', ascii)).toBe('C:\\up \\u{5c}u{41f}')
  expect(printable('\ud800 alone', ascii)).toBe('\\u{d800} alone')
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect([...printable(text, ascii)].every((character) => ascii.has(character.codePointAt(0)!))).toBe(true)
    }),
  )
})

test('[API142] lines are no wider than asked, break at spaces and joints first, and lose nothing', () => {
  const widthOf = (text: string) => text.length
  expect(wrap('one two three', 7, widthOf)).toEqual(['one two', 'three'])
  expect(wrap('organisation/model-name', 15, widthOf)).toEqual(['organisation/', 'model-name'])
  expect(wrap('a-bcdefghijklmnop', 8, widthOf)).toEqual(['a-bcdefg', 'hijklmno', 'p'])
  expect(wrap('', 8, widthOf)).toEqual([''])
  fc.assert(
    fc.property(fc.string(), fc.integer({ min: 1, max: 20 }), (text, width) => {
      const printed = printable(text, ascii)
      const lines = wrap(printed, width, widthOf)
      expect(lines.every((line) => line.length <= width)).toBe(true)
      expect(lines.join('').replaceAll(' ', '')).toBe(printed.replaceAll(' ', ''))
    }),
  )
})

test('[API142] a text of others that is too long is cut and says so', () => {
  expect([atMost('abc', 3), atMost('🚀🚀🚀', 2)]).toEqual(['abc', '🚀🚀… (1 characters more)'])
})
