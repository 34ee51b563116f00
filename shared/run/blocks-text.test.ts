import { expect, test } from 'vitest'
import { blocksText } from './blocks-text.ts'

test('[FLEET98] a sentence tells how often an agent stood still and how long at most; of one that never did there is none', () => {
  expect([null, { count: 0, longest_ms: 0 }].map(blocksText)).toEqual([null, null])
  expect(
    [
      { count: 1, longest_ms: 51 },
      { count: 12, longest_ms: 2340 },
    ].map(blocksText),
  ).toEqual(['paused once in 10 min (longest 51 ms)', 'paused 12 times in 10 min (longest 2.3 s)'])
})
