import { expect, test } from 'vitest'
import { testCounts } from './test-counts.ts'

test.each([
  ['===== 3 passed in 0.12s =====', { total: 3, passed: 3, failed: 0 }],
  ['= 2 failed, 3 passed, 1 skipped, 4 warnings in 65.01s (0:01:05) =', { total: 5, passed: 3, failed: 2 }],
  ['\u001b[31m=== \u001b[1m1 failed\u001b[0m, 1 error in 0.5s ===\u001b[0m', { total: 2, passed: 0, failed: 2 }],
  ['4 passed in 1.0s\nsomething else\n1 failed, 2 passed in 2.0s\n', { total: 3, passed: 2, failed: 1 }],
  ['2 passed, 1 xfailed in 0.01s', { total: 2, passed: 2, failed: 0 }],
  ['I saw that 5 passed in 3.0s today', null],
  ['5 passed', null],
  ['', null],
])('[TASK10] tests are counted where a report of pytest ends the output: %j', (output, counts) => {
  expect(testCounts(output)).toEqual(counts)
})
