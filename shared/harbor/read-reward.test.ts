import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readFloat } from '../python/number.ts'
import { draws } from '../testing/draws.ts'
import { type ReadReward, type RewardFile, readReward, rewardErrors, scoreOf } from './read-reward.ts'
import { belowThreshold, combineRewards } from './step-rewards.ts'

const bytes = (text: string | undefined) => (text === undefined ? undefined : new TextEncoder().encode(text))
const read = (json: string | undefined, text?: string): ReadReward => readReward({ json: bytes(json), text: bytes(text) })
const reason = (json: string | undefined, text?: string) => {
  const told = read(json, text)
  return told.ok ? told.rewards : told.reason
}

test('[HARB14] reward.json wins over reward.txt, also where it cannot be read', () => {
  expect(reason('{"reward": 0}', '1')).toEqual({ reward: 0 })
  expect(reason(undefined, '1\n')).toEqual({ reward: 1 })
  expect(reason('', '1')).toBe('empty')
  expect(reason('{', '1')).toBe('unparsable')
})

test('[HARB14] a reward that is missing, empty or unreadable is told apart, by the names of Harbor', () => {
  expect(reason(undefined)).toBe('missing')
  expect(reason(undefined, '')).toBe('empty')
  for (const text of [' ', '1 1', 'one', '0x1', '\uFEFF1', '1_']) expect([text, reason(undefined, text)]).toEqual([text, 'unparsable'])
  for (const json of ['[1]', 'null', '"a"', '{"a": 1,}', '\uFEFF{}', '{"reward": "1"}'])
    expect([json, reason(json)]).toEqual([json, 'unparsable'])
  expect(readReward({ json: Uint8Array.of(0xff), text: undefined })).toMatchObject({ ok: false, reason: 'unparsable' })
  expect(rewardErrors).toMatchObject({
    missing: 'RewardFileNotFoundError',
    empty: 'RewardFileEmptyError',
    unparsable: 'VerifierOutputParseError',
  })
})

test('[HARB14] named and partial rewards are kept, and what is no number is left out and told', () => {
  expect(read('{"correct": 1, "style": 0.25, "passed": true}')).toEqual({
    ok: true,
    rewards: { correct: 1, style: 0.25, passed: 1 },
    dropped: [],
  })
  expect(read('{"reward": 0.5, "failed": ["a"], "note": "x", "none": null, "__proto__": 3}')).toEqual({
    ok: true,
    rewards: Object.fromEntries([
      ['reward', 0.5],
      ['__proto__', 3],
    ]),
    dropped: [
      { name: 'failed', value: ['a'] },
      { name: 'note', value: 'x' },
      { name: 'none', value: null },
    ],
  })
  expect(reason('{}')).toEqual({})
})

test('[HARB15] a reward that scores is a number from 0 to 1; others are finite', () => {
  for (const text of ['nan', 'inf', '-inf', '1e999']) expect([text, reason(undefined, text)]).toEqual([text, 'not-finite'])
  for (const json of ['{"reward": NaN}', '{"reward": -Infinity}', '{"reward": 1, "x": 1e999}'])
    expect([json, reason(json)]).toEqual([json, 'not-finite'])
  for (const text of ['1.5', '-0.001', '2']) expect([text, reason(undefined, text)]).toEqual([text, 'out-of-range'])
  expect(reason('{"reward": 1.5}')).toBe('out-of-range')
  expect(reason('{"a": 0.5, "b": 7}')).toBe('out-of-range')
  expect(reason('{"reward": 0.5, "tests": 7}')).toEqual({ reward: 0.5, tests: 7 })
  expect([scoreOf({ reward: 0.5, tests: 7 }), scoreOf({ a: 1, b: 0.5 }), scoreOf({ only: 1 }), scoreOf({})]).toEqual([0.5, 0.75, 1, null])
})

test('[HARB14] numbers are read as Python reads them', () => {
  const read_: [string, number | undefined][] = [
    ['1_0.5_0e0_1', 105], [' \t\n\u00a01\u3000', 1], ['٣', 3], ['𝟙.𝟝', 1.5], ['+.5', 0.5], ['5.', 5], ['-Infinity', Number.NEGATIVE_INFINITY],
    ['1__0', undefined], ['_1', undefined], ['1_', undefined], ['1._5', undefined], ['.', undefined], ['e1', undefined], ['0x1', undefined], ['²', undefined], ['\x1c1', undefined], ['infinit', undefined], ['1\0', undefined],
  ] // biome-ignore format: one list
  for (const [text, value] of read_) expect([text, readFloat(text) ?? undefined]).toEqual([text, value])
})

test('[HARB15] any bytes give rewards in their range or a reason', () => {
  const file = fc.option(
    fc.oneof(
      fc.uint8Array(),
      fc.string().map((text) => new TextEncoder().encode(text)),
      fc.json().map((text) => new TextEncoder().encode(text)),
    ),
    { nil: undefined },
  )
  fc.assert(
    fc.property(file, file, (json, text) => {
      const told = readReward({ json, text })
      if (!told.ok) return
      const score = scoreOf(told.rewards)
      expect(score === null || (score >= 0 && score <= 1)).toBe(true)
      expect(Object.values(told.rewards).every(Number.isFinite)).toBe(true)
    }),
    draws(2000),
  )
})

test('[HARB16] rewards of steps become one by mean or by the last step, and a threshold that is not met stops', () => {
  expect(combineRewards([{ reward: 1 }, null, { reward: 0, style: 1 }], 'mean')).toEqual({ reward: 0.5, style: 0.5 })
  expect(combineRewards([{ reward: 1 }, { reward: 0.25 }], 'final')).toEqual({ reward: 0.25 })
  expect(combineRewards([{ reward: 1 }, null], 'final')).toBeNull()
  expect([combineRewards([], 'mean'), combineRewards([null], 'mean'), combineRewards([{}], 'mean')]).toEqual([null, null, null])
  expect(belowThreshold({ reward: 0.5 }, { reward: 0.5 })).toBeNull()
  expect(belowThreshold({ reward: 0.4 }, { reward: 0.5 })).toEqual({ name: 'reward', value: 0.4, least: 0.5 })
  expect(belowThreshold({ other: 1 }, { reward: 0 })).toEqual({ name: 'reward', value: null, least: 0 })
  expect([belowThreshold(null, { a: -1 }), belowThreshold(null, null)]).toEqual([{ name: 'a', value: null, least: -1 }, null])
})

test('[HARB520] a folder, a pipe or a link in place of a reward file has the class of error that Harbor ends with', () => {
  const told = (json: RewardFile, text: RewardFile) => {
    const one = readReward({ json, text })
    return one.ok ? one.rewards : [one.reason, rewardErrors[one.reason]]
  }
  const right = bytes('1')
  expect(told(undefined, 'folder')).toEqual(['folder', 'IsADirectoryError'])
  expect(told('folder', right)).toEqual(['folder', 'IsADirectoryError'])
  expect(told(undefined, 'special')).toEqual(['special', 'RewardFileEmptyError'])
  expect(told('special', right)).toEqual(['special', 'RewardFileEmptyError'])
  expect(told(undefined, 'link')).toEqual(['link', 'RewardFileNotFoundError'])
  expect(told('link', undefined)).toEqual(['link', 'RewardFileNotFoundError'])
  expect(told('link', right)).toEqual({ reward: 1 })
  expect(told('link', 'folder')).toEqual(['folder', 'IsADirectoryError'])
})

test('[HARB410] a bare number is told by the error that Harbor ends with', () => {
  expect(['5', 'true', '0.5', '1e999'].map((json) => reason(json))).toEqual(['not-named', 'not-named', 'not-named', 'not-finite'])
  expect(rewardErrors['not-named']).toBe('ValidationError')
})
