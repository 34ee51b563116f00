import { expect, test } from 'vitest'
import { caseResults, observationsIn, type ProbeEnd } from './observations.ts'

const ended: ProbeEnd = { end: 'exited', exit_code: 0, stderr: '' }
const endsOf = (stdout: string, expected: Record<string, unknown>, how: Partial<ProbeEnd> = {}) =>
  caseResults('p', expected, observationsIn(stdout), { ...ended, ...how }).map(({ end }) => end)

test('[SCORE218] lines of observations are read wherever they stand, all others are passed over', () => {
  const stdout = 'hello\n@@ a 1\n @@ b 2\n@@b 3\n@@ c\n@@ d [1,\t2] \r\n@@@ e 4\n@@ f {"x": "@@ g 5\u2028"}'
  expect([...observationsIn(stdout)]).toEqual([
    ['a', ['1']],
    ['d', ['[1,\t2]']],
    ['f', ['{"x": "@@ g 5\u2028"}']],
  ])
})

test.each([
  ['1', 1, 'passed'],
  ['1.0', 1, 'passed'],
  ['1e2', 100, 'passed'],
  ['-0', 0, 'passed'],
  ['"1"', 1, 'failed'],
  ['1', true, 'failed'],
  ['0.1', 0.10000000000000002, 'failed'],
  ['{"b":[1,{"c":null}],"a":"é"}', { a: 'é', b: [1, { c: null }] }, 'passed'],
  ['{"a":1,"b":2}', { a: 1 }, 'failed'],
  ['{"a":1}', { a: 1, b: null }, 'failed'],
  ['{"0":1}', [1], 'failed'],
  ['[]', {}, 'failed'],
  ['[1,2]', [2, 1], 'failed'],
  ['null', {}, 'failed'],
  ['{"__proto__":1}', { x: 1 }, 'failed'],
  ['NaN', 1, 'failed'],
  ['', 1, 'failed'],
  ["{'a': 1}", { a: 1 }, 'failed'],
])('[SCORE218] %s against %j: %s', (printed, expected, end) => {
  expect(endsOf(`@@ case ${printed}\n`, { case: expected })).toEqual([end])
})

test('[SCORE218] a case printed twice counts once, with different values not at all', () => {
  expect(endsOf('@@ a 1\n@@ a 1.0\n', { a: 1 })).toEqual(['passed'])
  for (const twice of ['@@ a 2\n@@ a 1\n', '@@ a 1\n@@ a 2\n']) expect(endsOf(twice, { a: 1 })).toEqual(['failed'])
  expect(endsOf('@@ a 1\n@@ a nonsense\n', { a: 1 })).toEqual(['failed'])
})

test('[SCORE218] what was not printed has the limit that ended the probe, or is an error that shows what the probe said last', () => {
  const limits = ['timeout', 'out-of-memory', 'output-limit', 'disk-full', 'denied'] as const
  for (const end of limits) expect(endsOf('@@ a 1\n', { a: 1, b: 2 }, { end, exit_code: null })).toEqual(['passed', end])
  const [found] = caseResults('basics', { b: [1] }, observationsIn('@@ other 1\n'), { ...ended, exit_code: 1, stderr: 'NameError: x' })
  expect(found).toMatchObject({
    name: 'basics/b',
    end: 'error',
    expected: '[1]',
    message: expect.stringMatching(/exit code 1.*NameError: x/s),
  })
})

test('[SCORE218] long values are told by their beginning, and are compared whole', () => {
  const long = 'x'.repeat(5000)
  const [found] = caseResults('p', { a: long }, observationsIn(`@@ a "${long}y"\n`), ended)
  expect(found).toMatchObject({ end: 'failed' })
  expect([found!.got!.length, found!.expected!.length]).toEqual([2000, 2000])
})
