import { expect, test } from 'vitest'
import { readDecimal, sameDecimal } from './python-decimal.ts'

/** `Decimal(a) == Decimal(b)` of CPython 3.11; null where either raises. */
function same(a: string, b: string): boolean | null {
  const [ours, theirs] = [readDecimal(a), readDecimal(b)]
  return ours && theirs && sameDecimal(ours, theirs)
}

test.each([
  ...[
    ['6.0', '6'],
    ['6e0', '6'],
    ['+6', '6'],
    ['06', '6'],
    ['6.', '6'],
    ['.6', '0.60'],
    ['60', '6E1'],
    ['600', '6e+2'],
    ['0.06', '6e-2'],
    ['-6', '-6.0'],
  ],
  ...[
    ['0', '-0'],
    ['0.000', '0e5'],
    ['-0.0', '+0'],
    ['1_000', '1000'],
    ['_1__0_', '10'],
    ['1_.0_0', '1'],
    ['1_e_2', '100'],
    ['0', '00_'],
  ],
  ...[
    ['٦', '6'],
    ['６.０', '6'],
    ['१२', '12'],
    ['𝟞', '6'],
    ['𝟎𝟗𝟘𝟡', '909'],
    ['᮹', '9'],
    ['1e٢', '100'],
  ],
  ...[
    ['inf', 'Infinity'],
    ['-INF', '-infinity'],
    ['1e400', '10e399'],
    ['1e999999999999999999', '10e999999999999999998'],
  ],
  ...[
    ['9007199254740993', '9007199254740993.0'],
    [`1${'0'.repeat(6000)}`, '1e6000'],
    ['1e-1999999999999999997', '0.1e-1999999999999999996'],
  ],
  ...[
    ['0e999999999999999999', '0'],
    ['0e-1999999999999999997', '0'],
    ['1e0000000000000000000000000000000000000002', '100'],
  ],
])('[SCORE160] %s and %s are the same number', (a, b) => {
  expect(same(a, b)).toBe(true)
  expect(same(b, a)).toBe(true)
})

test.each([
  ...[
    ['6.0000001', '6'],
    ['6', '-6'],
    ['9007199254740993', '9007199254740992'],
    ['1e400', '1e401'],
    ['inf', '-inf'],
    ['inf', '1'],
    ['1', 'inf'],
  ],
  ...[
    ['NaN', 'nan'],
    ['nan', '1'],
    ['NaN12', 'NaN12'],
    ['-nan', '-nan'],
    ['10', '1'],
    ['0.1', '0.01'],
    ['0', '1e-400'],
  ],
])('[SCORE160] %s and %s differ', (a, b) => expect([same(a, b), same(b, a)]).toEqual([false, false]))

test('[SCORE160] a signalling NaN raises wherever it is compared', () => {
  for (const [a, b] of [
    ['sNaN', '1'],
    ['1', 'snan'],
    ['sNaN12', 'sNaN12'],
    ['sNaN', 'nan'],
    ['nan', 'SNAN'],
    ['-snan', 'inf'],
  ] as const)
    expect([a, b, same(a, b)]).toEqual([a, b, null])
})

test.each([
  ...[
    '',
    '_',
    '+',
    '-',
    '.',
    '+.',
    'e',
    'e5',
    '.e5',
    '1e',
    '1e+',
    '1e1.5',
    '+-6',
    '--6',
    '6-',
    '0x6',
    '6L',
    '6,0',
    '1/2',
    '1 2',
    ' 1',
    '1 ',
    'Yes',
    'nanx',
    'in',
    'infin',
  ],
  ...[
    'sinf',
    'snanx',
    'nan-1',
    '²',
    '½',
    'Ⅵ',
    '\ufeff6',
    '6\u200b',
    '6\0',
    '\u00a06',
    '1e²',
    '①',
    'ｅ',
    '1ｅ5',
    '－6',
    '٫5',
    '\ud83d',
    '\udfde',
  ],
  ...[
    '1e1000000000000000000',
    '10e999999999999999999',
    '0e1000000000000000000',
    '1e-1999999999999999998',
    '0e-1999999999999999998',
    '.1e-1999999999999999997',
    '10e-1999999999999999998',
  ],
  ...[`1e${'9'.repeat(60)}`, `1e-${'9'.repeat(60)}`, `0e${'9'.repeat(60)}`],
])('[SCORE160] %j is no number', (word) => expect(readDecimal(word)).toBeNull())
