import { expect, test } from 'vitest'
import { isPythonJson } from './python-json.ts'

test('[SCORE21] Python reads JSON and its own constants', () => {
  const read = ['{"a": NaN}', '-Infinity', '[Infinity, -0, 1e999]', '{"a":1,"a":2}', ' "NaN, [{" ', '"\\ud800\\""', '"\u2028"']
  for (const text of read) expect(isPythonJson(text), text).toBe(true)
})

test('[SCORE21] what neither or only JSON reads is refused', () => {
  const refused = ['', '\ufeff1', '1 2', '[1,]', "'a'", '-NaN', '1Infinity', 'NaNNaN', '"a\nb"', '"open', '"a\\', '01', '1.', '\u00a01']
  for (const text of refused) expect(isPythonJson(text), text).toBe(false)
})

test('[SCORE21] limits of the interpreter hold: digits of an integer, nesting', () => {
  expect(isPythonJson('1'.repeat(4300))).toBe(true)
  expect(isPythonJson(`-${'1'.repeat(4301)}`)).toBe(false)
  expect(isPythonJson(`"${'1'.repeat(4301)}"`)).toBe(true)
  expect(isPythonJson(`${'1'.repeat(4301)}.5`)).toBe(true)
  expect(isPythonJson('['.repeat(900) + ']'.repeat(900))).toBe(true)
  expect(isPythonJson('['.repeat(1100) + ']'.repeat(1100))).toBe(false)
})
