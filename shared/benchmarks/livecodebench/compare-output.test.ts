import { expect, test } from 'vitest'
import { compareOutput } from './compare-output.ts'

const same = (got: string, expected: string) => {
  const compared = compareOutput(got, expected)
  return compared.same || (compared.raises ? 'raises' : false)
}

test.each([
  ['6.0', '6'],
  ['6e0\n', '6'],
  ['1  2', '1 2'],
  ['1\t2\r\n3\n\n', '1 2\n3'],
  ['\n \n a b \n c\n', 'a b\nc'],
  ['a\u3000', '\u00a0a'],
  ['1\u30002\x1c3\u20284', '1 2 3 4'],
  ['', ' \n\t'],
  ['1_000 ٦', '1000 6'],
  ['Infinity -0', 'inf 0'],
  ['nan', 'nan'],
  [' x\n\n y', 'x\n\ny'],
])('[SCORE165] %j counts as %j', (got, expected) => expect(same(got, expected)).toBe(true))

test.each([
  ['6.0000001', '6'],
  ['NaN', 'nan'],
  ['Yes', 'YES'],
  ['a  b', 'a b'],
  ['a\n\nb', 'a\nb'],
  ['1 2', '1\n2'],
  ['1 2', '1 2 3'],
  ['1 x', '1.0 x'],
  ['12', '1 2'],
  ['', '0'],
  ['0', ''],
  ['\ufeff1', '1'],
  ['\u200b1', '1'],
  ['2 sNaN', '1 sNaN'],
  ['sNaN', '1 2'],
  ['1\r2', '1\n2'],
  ['9007199254740993', '9007199254740992'],
])('[SCORE165] %j does not count as %j', (got, expected) => expect(same(got, expected)).toBe(false))

test('[SCORE165] a signalling NaN that is reached breaks the comparison itself', () => {
  expect(same('1 sNaN', '1 1')).toBe('raises')
  expect(same('1', 'snan')).toBe('raises')
  expect(same('sNaN', 'sNaN')).toBe(true)
  expect(same('1 sNaN', '1.0 sNaN')).toBe('raises')
})
