import { expect, test } from 'vitest'
import { blocksText } from './blocks-text.ts'

test('[FLEET98] a sentence tells how often an agent stood still and how long at most; of one that never did there is none', () => {
  expect([null, { count: 0, longest_ms: 0 }].map(blocksText)).toEqual([null, null])
  expect(
    [
      { count: 1, longest_ms: 51 },
      { count: 12, longest_ms: 2340 },
    ].map(blocksText),
  ).toEqual(['stood still once in the last 10 minutes, 51 ms at most', 'stood still 12 times in the last 10 minutes, 2.3 s at most'])
})
