import { expect, test } from 'vitest'
import { type Frame, framesOf } from './frames.ts'
import type { HiddenTests } from './hidden-tests.ts'
import { verdictOf } from './verdict.ts'

const ready: Frame = { type: 'ready', python: '3.11.2' }
const end: Frame = { type: 'end' }
const wrote = (output: string): Frame => ({ type: 'wrote', output, seconds: 0.5 })
const returned = (value: never): Frame => ({ type: 'returned', value, seconds: 0.5 })
const failed = (code: -3 | -4): Frame => ({ type: 'error', code, message: 'E()', seconds: 2 })
const reads = (...outputs: string[]): HiddenTests => ({ inputs: outputs.map((_, index) => `in ${index}`), outputs, fn_name: null })
const calls = (...outputs: string[]): HiddenTests => ({ ...reads(...outputs), fn_name: 'f' })
const codes = (hidden: HiddenTests, frames: Frame[], ran: Partial<Parameters<typeof verdictOf>[0]> = {}) =>
  verdictOf({ frames: [ready, ...frames], end: 'exited', exit_code: 0, ...ran }, hidden).codes

test('[SCORE172] tests are listed with official codes up to the first that does not pass', () => {
  expect(codes(reads('1', '2'), [wrote('1'), wrote('2\n'), end])).toEqual([true, true])
  expect(codes(reads('1', '2', '3'), [wrote('1'), wrote('x'), wrote('3'), end])).toEqual([true, -2])
  expect(codes(reads('1', '2'), [wrote('1'), failed(-3), end])).toEqual([true, -3])
  expect(codes(reads('1', '2'), [failed(-4), end])).toEqual([-4])
  expect(codes(calls('1', '2'), [returned(1 as never), returned(3 as never), end])).toEqual([true, false])
  expect(codes(calls('1', '2'), [returned(1 as never), returned({ s: 2 } as never), end])).toEqual([true, -4])
})

test('[SCORE172] what ends a sample as a whole leaves one entry, unless an earlier test had failed', () => {
  const broken: Frame = { type: 'broken', message: 'no stderr' }
  expect(codes(reads('1', '2'), [wrote('1'), broken, end])).toEqual([-4])
  expect(codes(reads('1', '2'), [wrote('0'), broken, end])).toEqual([-2])
  expect(codes(reads('1', '1 2'), [wrote('1'), wrote('sNaN 2'), end])).toEqual([-4])
  expect(codes(calls('1', 'no JSON'), [returned(1 as never), returned(1 as never), end])).toEqual([-4])
})

test('[SCORE172] a process that ends before all tests were told of has failed, however it ended and whatever passed', () => {
  expect(codes(reads('1', '2'), [wrote('1')])).toEqual([-2])
  expect(codes(reads('1', '2'), [wrote('1'), end])).toEqual([-2])
  expect(codes(reads('1'), [returned(1 as never)])).toEqual([-2])
  expect(codes(calls('1'), [wrote('1')])).toEqual([-2])
  expect(codes(reads('1', '2'), [wrote('0')])).toEqual([-2])
  for (const how of ['timeout', 'out-of-memory', 'output-limit', 'disk-full', 'denied'] as const) {
    const verdict = verdictOf({ frames: [ready, wrote('1')], end: how, exit_code: null }, reads('1', '2'))
    expect([verdict.codes, verdict.tests.map((one) => one.end)]).toEqual([[-2], ['passed', how]])
  }
})

test('[SCORE172] the test that failed tells its texts in short, others only that they passed', () => {
  const long = 'x'.repeat(5000)
  const { tests } = verdictOf({ frames: [ready, wrote('1'), wrote(long), end], end: 'exited', exit_code: 0 }, reads('1', 'y'.repeat(400)))
  expect(tests[0]).toEqual({ name: 'test 1', end: 'passed', took_ms: 500 })
  expect(tests[1]).toMatchObject({ name: 'test 2', end: 'failed', input: 'in 1', message: '-2: line 1 differs' })
  expect([tests[1]!.got!.length, tests[1]!.expected!.length]).toEqual([303, 303])
  expect(verdictOf({ frames: [ready, failed(-3)], end: 'exited', exit_code: 0 }, reads('1')).tests).toEqual([
    { name: 'test 1', end: 'timeout', input: 'in 0', expected: '1', got: null, message: '-3: E()', took_ms: 2000 },
  ])
})

const frames = (text: string) => framesOf(new TextEncoder().encode(text), 'n0nce')

test('[SCORE173] only whole lines with the nonce are the runner’s own, and nothing is read behind one that is not as it should be', () => {
  const said =
    'n0nce["ready","3.11"]\njunk\n\nother["end"]\n ["end"]\nxn0nce["end"]\nn0nce["wrote","a\\n\\ud800",0.5]\nn0nce["returned",[1,{"f":"2.0"}],0]\nn0nce["wrote","b'
  expect(frames(said)).toEqual([
    { type: 'ready', python: '3.11' },
    { type: 'wrote', output: 'a\n\ud800', seconds: 0.5 },
    { type: 'returned', value: [1, { f: '2.0' }], seconds: 0 },
  ])
  for (const bad of ['["wrote",1,1]', '["passed"]', '{}', '', '["error",-2,"",1]', '["wrote","",-1]', '["end"', '["wrote","","0"]'])
    expect(frames(`n0nce["ready",""]\nn0nce${bad}\nn0nce["end"]\n`)).toEqual([{ type: 'ready', python: '' }])
})
