import { expect, test } from 'vitest'
import { csvRecords } from './python-csv.ts'

test('[SCORE22] records and fields are cut as the csv module cuts them', () => {
  expect(csvRecords('a,b\r\nc,\n', ',')).toEqual([
    ['a', 'b'],
    ['c', ''],
  ])
  expect(csvRecords('a\tb,c', '\t')).toEqual([['a', 'b,c']])
  expect(csvRecords('a\n\nb', ',')).toEqual([['a'], [], ['b']])
  expect(csvRecords('', ',')).toEqual([])
  expect(csvRecords('a\r', ',')).toEqual([['a']])
})

test('[SCORE22] quotes hold delimiters and lines, double inside, and mean nothing within a bare field', () => {
  expect(csvRecords('"a,""b""\nc",d', ',')).toEqual([['a,"b"\nc', 'd']])
  expect(csvRecords('a"b", "c"', ',')).toEqual([['a"b"', ' "c"']])
  expect(csvRecords('"a"b"c",d', ',')).toEqual([['ab"c"', 'd']])
  expect(csvRecords('"""a""","""b"""', ',')).toEqual([['"a"', '"b"']])
  expect(csvRecords('"open\n', ',')).toEqual([['open\n']])
})

test('[SCORE22] where Python raises there are no records', () => {
  expect(csvRecords('a\rb', ',')).toBeNull()
  expect(csvRecords('"a\rb"', ',')).toEqual([['a\rb']])
  expect(csvRecords('😀'.repeat(131_072), ',')).toHaveLength(1)
  expect(csvRecords('a'.repeat(131_073), ',')).toBeNull()
})
