import { expect, test } from 'vitest'
import { NoPythonJson, readPythonJson } from './python-json-value.ts'

const read = (text: string) => readPythonJson(text, 5000)

test('[SCORE161] values come as Python reads them, integers whole and floats apart', () => {
  expect(read(' [1, 1.0, -0, 1e2, 12345678901234567890, true, null, "a\\u00e9\\n\\"", {}, []] \n')).toEqual([
    ...[1n, 1, 0n, 100, 12345678901234567890n, true, null, 'aé\n"', new Map(), []],
  ])
  expect(read('[NaN, Infinity, -Infinity, -0.0, 1e400, 1E-2]')).toEqual([Number.NaN, Infinity, -Infinity, -0, Infinity, 0.01])
  expect(read('{"a": 1, "b": {"c": [2]}, "a": "last"}')).toEqual(
    new Map<string, unknown>([
      ['a', 'last'],
      ['b', new Map([['c', [2n]]])],
    ]),
  )
  expect(read('"\\ud800"')).toBe('\ud800')
  expect(read(`-${'9'.repeat(5000)}`)).toBe(-BigInt('9'.repeat(5000)))
  expect(read(`"${'a\\\\'.repeat(500_000)}"`)).toBe('a\\'.repeat(500_000))
})

test.each([
  ...[
    '',
    ' ',
    '01',
    '1 2',
    '[1,]',
    '[,1]',
    '[1 2]',
    '[1',
    '{',
    '{"a"}',
    '{"a":}',
    '{"a":1,}',
    '{a:1}',
    '{1:2}',
    "'a'",
    '"a',
    '"a\\',
    '"\\x"',
    '"a\nb"',
    '.5',
    '1.',
    '-',
    '+1',
  ],
  ...[
    'nan',
    'None',
    'True',
    '\ufeff1',
    '1\u00a0',
    '0x1',
    '1e',
    '--1',
    '-NaN',
    'nul',
    ']',
    `1${'0'.repeat(5000)}`,
    `${'['.repeat(200_000)}`,
  ],
])('[SCORE161] Python refuses %.20j', (text) => expect(() => read(text)).toThrow(NoPythonJson))
