import { expect, test } from 'vitest'
import { mostEpochs } from '../contract/epochs.ts'
import { mostReplayChars, ReplayAnswers } from '../contract/replay.ts'
import { findReplayed, plannedReplay, readReplay, replayFinder } from './replay.ts'
import { RunRefused } from './run-refused.ts'

const trial = { benchmark: 'code', item_id: '4', source_id: 'lru', epoch: 1 }

test('[RUN111] a replay gives each trial the answer that names it most closely: its item, then its benchmark, then its epoch', () => {
  const told = (...answers: [Partial<ReplayAnswers[number]>, string][]) =>
    replayFinder(answers.map(([of, text]) => ({ ...of, texts: [text] })))(trial)?.texts[0]
  expect(told([{}, 'any'])).toBe('any')
  expect(told([{ epoch: 1 }, 'turn'], [{}, 'any'])).toBe('turn')
  expect(told([{ benchmark: 'code' }, 'name'], [{ epoch: 1 }, 'turn'])).toBe('name')
  expect(told([{ item: '4' }, 'row'], [{ benchmark: 'code', epoch: 1 }, 'name'])).toBe('row')
  expect(told([{ item: '4', benchmark: 'code', epoch: 1 }, 'row'], [{ item: 'lru' }, 'key'])).toBe('key')
  expect(told([{ item: 'lru', epoch: 1 }, 'first'], [{ item: 'lru', epoch: 1 }, 'later'])).toBe('later')
  expect(told([{ item: 'other' }, 'x'], [{ benchmark: 'other' }, 'y'], [{ epoch: 0 }, 'z'])).toBeUndefined()
  expect(told([{ item: '4', by: 'id' }, 'row'], [{ item: '4', by: 'key' }, 'other'], [{ item: 'lru', by: 'id' }, 'another'])).toBe('row')
  expect(told([{ item: '4', by: 'key' }, 'of another item'])).toBeUndefined()
  expect(told([{ item: 'lru', by: 'key' }, 'key'], [{ item: '4', by: 'id' }, 'row'])).toBe('key')
  expect(replayFinder([{ item: '4', texts: ['a', 'b'] }])({ ...trial, source_id: null })?.texts).toEqual(['a', 'b'])
})

test('[RUN112] a replay is bounded as its request is, and its fields are checked', () => {
  const half = 'x'.repeat(mostReplayChars / 2)
  expect(ReplayAnswers.safeParse([{ texts: [half, half] }]).success).toBe(true)
  expect(ReplayAnswers.safeParse([{ texts: [half] }, { texts: [half, '!'] }]).error?.issues[0]?.message).toContain('900,000 characters')
  for (const bad of [[], [{ texts: [] }], [{ text: 'x' }], [{ texts: ['x'], epoch: mostEpochs }], [{ texts: ['x'], item: '' }]])
    expect(ReplayAnswers.safeParse(bad).success).toBe(false)
})

const asked = { model_id: 'kept answers', provider: null, price: null, replay: [{ texts: ['A'] }] }

test('[RUN113] answers stand in place of a model under their label; a provider beside them, or a replay without any, is refused', () => {
  const label = { id: 'kept answers', slug: 'kept answers', provider: 'replay', price: null }
  expect(findReplayed(asked)).toMatchObject(label)
  expect(findReplayed({ ...asked, provider: 'replay' })).toMatchObject(label)
  expect(findReplayed({ ...asked, replay: null })).toBeUndefined()
  const refusal = (change: Partial<Parameters<typeof findReplayed>[0]>): unknown => {
    try {
      return findReplayed({ ...asked, ...change })
    } catch (error) {
      return error instanceof RunRefused && error.pointer
    }
  }
  expect(refusal({ provider: 'chutes' })).toBe('/provider')
  expect(refusal({ provider: 'replay', replay: null })).toBe('/replay')
  const price = { input_per_million_usd: 1, output_per_million_usd: 1, cached_input_per_million_usd: null }
  expect(findReplayed({ ...asked, price })?.price).toEqual(price)
})

test('[RUN114] the plan names the answers by their hash, and other answers than those are refused', () => {
  const answers = [{ item: '4', texts: ['A', 'B'] }, { texts: ['C'] }]
  const planned = plannedReplay(answers)
  expect(planned).toEqual({ sha256: 'a8e39793d3c4b1e51fa15c2cea4ddedacca0f0c0ab9a628fe0ca5a13a18ef6d5', answers: 2 })
  expect(readReplay(planned, JSON.parse(JSON.stringify(answers)))).toEqual({ ok: true, value: answers })
  for (const other of [answers.toReversed(), answers.slice(1), [{ texts: ['A\ud800'] }], { texts: ['A'] }, null])
    expect(readReplay(planned, other)).toMatchObject({ ok: false, failure: { at: 'replay', reason: 'mismatch', retryable: false } })
  expect(() => plannedReplay([{ texts: ['half \ud800'] }])).toThrow(RunRefused)
})
