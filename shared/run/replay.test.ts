import { expect, test } from 'vitest'
import { mostReplayChars, ReplayAnswers } from '../contract/replay.ts'
import { replayFinder } from './replay.ts'

const trial = { benchmark: 'code', item_id: '4', source_id: 'lru', epoch: 1 }

test('[RUN111] a replay gives each trial the answer that names it most closely: its item, then its benchmark, then its epoch', () => {
  const told = (...answers: [Partial<ReplayAnswers[number]>, string][]) =>
    replayFinder(answers.map(([of, text]) => ({ ...of, texts: [text] })))(trial)?.[0]
  expect(told([{}, 'any'])).toBe('any')
  expect(told([{ epoch: 1 }, 'turn'], [{}, 'any'])).toBe('turn')
  expect(told([{ benchmark: 'code' }, 'name'], [{ epoch: 1 }, 'turn'])).toBe('name')
  expect(told([{ item: '4' }, 'row'], [{ benchmark: 'code', epoch: 1 }, 'name'])).toBe('row')
  expect(told([{ item: '4', benchmark: 'code', epoch: 1 }, 'row'], [{ item: 'lru' }, 'key'])).toBe('key')
  expect(told([{ item: 'lru', epoch: 1 }, 'first'], [{ item: 'lru', epoch: 1 }, 'later'])).toBe('later')
  expect(told([{ item: 'other' }, 'x'], [{ benchmark: 'other' }, 'y'], [{ epoch: 0 }, 'z'])).toBeUndefined()
  expect(replayFinder([{ item: '4', texts: ['a', 'b'] }])({ ...trial, source_id: null })).toEqual(['a', 'b'])
})

test('[RUN112] a replay is bounded as its request is, and its fields are checked', () => {
  const half = 'x'.repeat(mostReplayChars / 2)
  expect(ReplayAnswers.safeParse([{ texts: [half, half] }]).success).toBe(true)
  expect(ReplayAnswers.safeParse([{ texts: [half] }, { texts: [half, '!'] }]).error?.issues[0]?.message).toContain('900,000 characters')
  for (const bad of [[], [{ texts: [] }], [{ text: 'x' }], [{ texts: ['x'], epoch: 64 }], [{ texts: ['x'], item: '' }]])
    expect(ReplayAnswers.safeParse(bad).success).toBe(false)
})
