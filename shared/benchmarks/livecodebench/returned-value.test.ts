import { expect, test } from 'vitest'
import { readPythonJson } from '../../scorers/python-json-value.ts'
import { returnedText, sameValue } from './returned-value.ts'

const same = (returned: unknown, expected: string) => sameValue(returned, readPythonJson(expected, 50_000))
const big = 2n ** 64n
const hex = (value: bigint) => ({ i: `0x${value.toString(16)}` })

test.each<[unknown, string]>([
  [null, 'null'],
  [true, '1'],
  [1, 'true'],
  [false, '0.0'],
  [2, '2.0'],
  [{ f: '2.0' }, '2'],
  [{ f: '-0.0' }, '0'],
  [{ f: '0.30000000000000004' }, '0.30000000000000004'],
  [{ f: '5e-324' }, '5e-324'],
  [{ f: '1e+16' }, '10000000000000000'],
  [{ f: 'inf' }, 'Infinity'],
  [{ f: '-inf' }, '-1e400'],
  [hex(big), String(big)],
  [{ i: '-0x10' }, '-16'],
  [hex(2n ** 53n), '9007199254740992.0'],
  [{ q: ['0x1', '0x2'] }, '0.5'],
  [{ q: ['-0x3', '0x1'] }, '-3'],
  ['é', '"\\u00e9"'],
  [[1, [2]], '[1.0, [2]]'],
  [[], '[]'],
  [
    {
      d: [
        ['b', 2],
        ['a', [1]],
      ],
    },
    '{"a": [1], "b": 2}',
  ],
  [{ d: [] }, '{}'],
  [{ a: 1 }, '1'],
  [{ a: 1 }, '[[1]]'],
  [[{ a: 1 }], '[[1]]'],
])('[SCORE166] %j equals %s', (returned, expected) => expect(same(returned, expected)).toBe(true))

test.each<[unknown, string]>([
  [null, '0'],
  [null, 'false'],
  [0, 'null'],
  [1, '"1"'],
  ['1', '1'],
  [{ f: 'nan' }, 'NaN'],
  [{ f: 'inf' }, '-Infinity'],
  [{ f: '0.3' }, '0.30000000000000004'],
  [{ f: '9007199254740992.0' }, '9007199254740993'],
  [hex(2n ** 53n + 1n), '9007199254740992.0'],
  [{ q: ['0x3', '0xa'] }, '0.3'],
  [{ x: 'tuple' }, '[1]'],
  [[{ x: 'tuple' }], '[[1]]'],
  [{ x: 'set' }, '[1]'],
  [[1, 2], '[1]'],
  [[1], '[1, 2]'],
  [[1], '{}'],
  [[], '{}'],
  [{ d: [] }, '[]'],
  [{ d: [[1, 'a']] }, '{"1": "a"}'],
  [{ d: [['a', 1]] }, '{"a": 2}'],
  [{ d: [['a', 1]] }, '{"b": 1}'],
  [{ d: [['a', 1]] }, '{"a": 1, "b": 2}'],
  [{ s: 0 }, '[]'],
  [{ a: 2 }, '1'],
  [[1, { s: 2 }], '[2, [1, 1]]'],
  [{ i: 'junk' }, '1'],
  [{ f: 'junk' }, '1'],
  [{ i: '0x1', f: '1.0' }, '1'],
  [{}, '{}'],
  [1.5, '1.5'],
])('[SCORE166] %j does not equal %s', (returned, expected) => expect(same(returned, expected)).toBe(false))

test('[SCORE166] the truth of an array of several elements breaks the comparison, once it is reached', () => {
  expect(same({ s: 2 }, '[1, 2]')).toBeNull()
  expect(same([1, { s: 2 }], '[1, [1, 2]]')).toBeNull()
  expect(same({ d: [['a', { s: 3 }]] }, '{"a": 1}')).toBeNull()
})

test('[SCORE166] a returned value is told in a few characters, floats as they were written', () => {
  expect(returnedText([1, { f: '0.1' }, { x: 'set' }], 99)).toBe('[1,"0.1",{"x":"set"}]')
  expect(returnedText('x'.repeat(500), 10)).toHaveLength(10)
})
