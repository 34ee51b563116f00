import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { TrialRecord } from '../contract/trial.ts'
import { percentile } from './benchmark-metrics.ts'
import { compositeOf, intelligence, normalTps, normalTtft, partNames } from './composite.ts'
import { JanusItem } from './item-schema.ts'
import { toItem } from './janus-item.ts'
import { resultOf } from './result.ts'
import { janusScores } from './score/item-score.ts'
import { calledTool, evenStream, exchanged, turnWith } from './testing/exchanged.ts'
import { seededFloat } from './testing/seeded-float.ts'

const rowsOf = (name: string) =>
  readFileSync(new URL(`../benchmarks/${name}/items.jsonl`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line, index) => toItem(JanusItem.parse(JSON.parse(line)), index))
const items = [...intelligence, 'janus_public'].flatMap((name) => rowsOf(name).map((item) => ({ name, item })))

type Read = Parameters<typeof resultOf>[0]
const failedTrial = ({ name, item }: (typeof items)[0]): Read => ({
  benchmark: name as TrialRecord['benchmark'],
  group: item.group,
  outcome: 'failed',
  evidence: null,
  item_metadata: item.metadata,
  latency_ms: 5000,
})
const competing = items.filter(({ name }) => name !== 'janus_public')

test('[JANUS12] a run in which everything failed is 0 in all parts; by the official formulas it has their 23.25', () => {
  const failed = competing.map((one) => resultOf(failedTrial(one), 'v2'))
  for (const { scores } of failed) expect(scores).toMatchObject({ quality: 0, speed: 0, cost: 0, streaming: 0, multimodal: 0 })
  const mended = compositeOf(failed, 'v2')
  expect(mended).toMatchObject({
    composite: 0,
    of_present: 0,
    parts: { quality: 0, speed: 0, cost: 0, streaming: 0, multimodal: 0 },
    absent: [],
  })
  const official = compositeOf(
    competing.map((one) => resultOf(failedTrial(one), 'v1')),
    'v1',
  )
  expect(official.composite).toBeCloseTo(23.25, 9)
  expect(official.parts).toMatchObject({ speed: 0, cost: 50, streaming: 100, multimodal: 0 })
})

test('[JANUS13] a benchmark that was not run is named: the mended composite is then null and that of the parts that are there stands beside it', () => {
  const some = competing.filter(({ name }) => name === 'janus_cost').map((one) => resultOf(failedTrial(one), 'v2'))
  const mended = compositeOf(some, 'v2')
  expect(mended).toMatchObject({ composite: null, of_present: 0, absent: intelligence.filter((name) => name !== 'janus_cost') })
  expect(mended.parts).toEqual({ quality: null, speed: null, cost: 0, streaming: null, multimodal: null })
  const cheap = some.map((one) => ({ ...one, scores: { ...one.scores, cost: 0.5 } }))
  expect(compositeOf(cheap, 'v2')).toMatchObject({ composite: null, of_present: 50 })
  const official = compositeOf(
    some.map((one) => ({ ...one, scores: { ...one.scores, cost: 1 } })),
    'v1',
  )
  expect(official.composite).toBeCloseTo(15, 9)
  expect(compositeOf([], 'v2')).toMatchObject({ composite: null, of_present: null })
})

test('[JANUS13] officially a run with other tasks is the mean over all of them, with a full score for pictures where none were asked', () => {
  const chat = items.filter(({ item }) => item.group === 'public/dev chat').map((one) => resultOf(failedTrial(one), 'v1'))
  const { parts, composite } = compositeOf(chat, 'v1', { quality: 10, speed: 10, cost: 10, streaming: 10, multimodal: 60 })
  expect(parts).toMatchObject({ quality: 0, cost: 50, multimodal: 100 })
  expect(composite).toBeCloseTo((partNames.reduce((sum, name) => sum + parts[name]!, 0) - 100) / 10 + 60, 9)
})

test('[JANUS14] first token and rate are normal between 500 and 5,000 ms and between 5 and 30 tokens in a second', () => {
  expect([null, 500, 2750, 5000, 9000].map(normalTtft)).toEqual([0, 1, 0.5, 0, 0])
  expect([null, 5, 17.5, 30, 99].map(normalTps)).toEqual([0, 0, 0.5, 1, 1])
  expect([percentile([3, 1, 2, 4], 0.5, 'v1'), percentile([3, 1, 2, 4], 0.5, 'v2'), percentile([], 0.5, 'v2')]).toEqual([3, 2.5, null])
})

test('[JANUS15] whatever comes in, every score of every item is within 0 and 1, by both readings', () => {
  const random = seededFloat(11)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
  for (const { item } of items) {
    for (let round = 0; round < 4; round++) {
      const words = Array.from({ length: Math.floor(random() * 40) }, () =>
        pick([...item.target.split(/\W+/), '100', 'https://a.example', '[1]', '```', 'true', 'image']),
      )
      const usage = {
        input_tokens: Math.floor(random() * 3000),
        output_tokens: Math.floor(random() * 900),
        cached_tokens: 0,
        reasoning_tokens: 0,
      }
      const stream = pick([
        null,
        evenStream,
        { ...evenStream, end: 'cut' as const },
        { ...evenStream, first_token_ms: null, last_token_ms: null },
        { ...evenStream, first_token_ms: random() * 20_000, last_token_ms: 20_000 },
      ])
      const tool_calls = random() < 0.5 ? [] : [calledTool(pick(['search', 'calculator', 'code_execute']), { expression: '1' })]
      const turn = turnWith(words.join(' '), {
        usage,
        usage_known: random() < 0.7,
        stream,
        tool_calls,
        latency_ms: random() * 60_000,
        reasoning_chars: 5,
      })
      const evidence = exchanged([turn], {
        judge: random() < 0.5 ? null : { model: 'j', replies: [pick(['{"score": 7}', '{"score": -1}', 'no'])] },
        code: random() < 0.5 ? null : { program: '', end: 'failed', cases: [true, random() < 0.5], output: '' },
      })
      for (const version of ['v1', 'v2'] as const) {
        const { quality, speed, cost, streaming, multimodal, main } = janusScores(item, evidence, version)
        for (const value of [quality, speed, cost ?? 0, streaming, multimodal, main])
          if (!(value >= 0 && value <= 1)) expect([item.source_id, version, value]).toBe('within 0 and 1')
      }
    }
  }
})
