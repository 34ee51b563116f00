import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { isResolved, readPytestPane } from './pytest-pane.ts'

type Golden = { name: string; pane: string; result: Record<string, string>; resolved: boolean }
const golden: Golden[] = readFileSync(new URL('testing/golden-panes.jsonl', import.meta.url), 'utf8')
  .split('\n')
  .filter(Boolean)
  .map((line) => JSON.parse(line))

test.each(golden.map((one) => [one.name, one] as const))('[SCORE290] a pane is read as the official parser read it: %s', (_name, one) => {
  const read = readPytestPane(one.pane)
  expect(read.ok ? read.tests : {}).toEqual(one.result)
  // A summary without tests is resolved upstream; here it is flagged and is not.
  expect(isResolved(read)).toBe(one.name === 'empty-summary' ? false : one.resolved)
})

test('[SCORE290] a pane without a summary, and one whose summary names no test, resolve nothing and are told apart', () => {
  expect(readPytestPane('2 passed in 0.01s')).toEqual({ ok: false, reason: 'no-summary' })
  expect(readPytestPane('= SHORT TEST SUMMARY INFO =\n2 passed')).toEqual({ ok: false, reason: 'no-tests' })
  const more = '= short test summary info =\nconstructor a\nERROR ../tests/test_outputs.py - ModuleNotFoundError\nFAILED a.py::test_x\n'
  expect(readPytestPane(more)).toEqual({
    ok: true,
    tests: { '../tests/test_outputs.py - ModuleNotFoundError': 'failed', test_x: 'failed' },
  })
})

test('[SCORE411] white space, lines and case of a pane are those of Python, and an unknown status is skipped', () => {
  const pane = '=\u3000\u017fhort te\u017ft summary \u0131nfo\x1c=\nPASSED\x1fa\x85FAILED\u2003b \nUNKNOWN c\nPASSED\ufeff d\nPASSED\u2028'
  expect(readPytestPane(pane)).toEqual({ ok: true, tests: { a: 'passed', b: 'failed' } })
  expect(isResolved(readPytestPane('= short test summary info =\nUNKNOWN x::y\nPASSED a'))).toBe(true)
})
