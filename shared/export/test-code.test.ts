import { expect, test } from 'vitest'
import type { TestsEvidence } from '../contract/evidence/tests.ts'
import type { TrialRecord } from '../contract/trial.ts'
import { withoutText } from './export-item.ts'
import { toRunItem } from './run-item.ts'
import { mostTestCode, testCodeOf } from './test-code.ts'
import { sampleRun } from './testing/sample-run.ts'

const [plain] = sampleRun(3).records
const exec = { type: 'exec', at_ms: 0, took_ms: 1, end: 'exited', exit_code: 0, output: '', output_bytes: 0, artifact: null } as const
const tested = (input: string, more: Partial<TrialRecord> = {}): TrialRecord => ({
  ...plain!,
  evidence: {
    ...(plain!.evidence as TestsEvidence),
    kind: 'tests',
    parts: [
      {
        ...{
          name: '',
          language: 'python',
          program: 'print(3)',
          patch: null,
          build: null,
          total: 2,
          output: '',
          took_ms: 1,
          memory_mb: null,
        },
        tests: [
          { name: 'test 1', end: 'passed', input, expected: '3', got: '3', took_ms: 1 },
          { name: 'test 2', end: 'not-run', took_ms: null },
        ],
      },
    ],
  },
  transcript: [
    { ...exec, command: 'python3 main.py' },
    { ...exec, command: 'python3 main.py' },
  ],
  ...more,
})

test('[LINE3] test_code holds the commands once, then what each test was given and had to give', () => {
  const text = '$ python3 main.py\n# program: 2 tests\n# test 1\ninput: 1 2\nexpected: 3\n# test 2'
  expect(testCodeOf(tested('1 2'))).toBe(text)
  expect(toRunItem({ record: tested('1 2'), finished_at: '2026-03-04T05:00:30.000Z' }).test_code).toBe(text)
})

test('[LINE3] test_code is bounded, and null without a tested program or of a withheld trial', () => {
  expect(testCodeOf(tested('x'.repeat(2 * mostTestCode)))).toHaveLength(mostTestCode)
  expect(testCodeOf(plain!)).toBeNull()
  expect(testCodeOf({ ...plain!, transcript: [{ ...exec, command: 'ls' }] })).toBeNull()
  expect(testCodeOf(withoutText(tested('1 2')))).toBeNull()
})
