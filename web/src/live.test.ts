import { expect, test } from 'vitest'
import type { RunEvent } from '#shared/contract/event.ts'
import { RunSpec } from '#shared/contract/run.ts'
import { apply, initialHead } from '#shared/run/apply.ts'
import { coalesce, toStreamed } from '#shared/run/stream.ts'
import { foldMessage } from './live.ts'
import { backOffMs, type Live, remainingMs, startLive, throughput } from './live-state.ts'

const at = '2026-11-21T12:00:00.000Z'
const params = { temperature: 0, top_p: null, max_tokens: 100, stop: null, seed: null, reasoning_effort: null }
const spec = RunSpec.parse({
  run_id: '0193a7c2-5e11-7b3a-9c44-000000000001',
  owner_id: 'local',
  own_credential: false,
  visibility: 'public',
  model: { id: 'm', slug: 'lab/model', provider: 'chutes' },
  price: { input_per_million_usd: 1, output_per_million_usd: 2, cached_input_per_million_usd: null },
  benchmarks: [
    {
      name: 'mmlu_pro',
      version: 1,
      profile: 'builtin',
      epochs: 1,
      total_items: 12,
      sampled_items: 12,
      gated: false,
      params,
      data: { source: 'sample', repo: 'r', revision: 'x', files: [] },
    },
  ],
  subset: { pct: 100, count: null, seed: 's', sampling: 'sha256' },
  concurrency: 4,
  priority: 0,
  max_failure_share: 0.01,
  budget_usd: null,
  created_at: at,
})

const brief = (ordinal: number) => ({
  ordinal,
  attempt: 1,
  item_id: String(ordinal),
  epoch: 0,
  group: ordinal % 2 ? 'law' : 'math',
  outcome: ordinal % 3 ? ('right' as const) : ('wrong' as const),
  score: ordinal % 3 ? 1 : 0,
  answer: 'A',
  expected: 'B',
  failure: null,
  retryable: false,
  flags: [],
  latency_ms: 10,
  ttft_ms: 1,
  usage: { input_tokens: 10, output_tokens: 5, cached_tokens: 0, reasoning_tokens: 0 },
  cost_usd: 0.00002,
})
const progress = (...ordinals: number[]): RunEvent =>
  ({
    event_type: 'benchmark_progress',
    benchmark_name: 'mmlu_pro',
    at,
    data: {
      completed: ordinals.at(-1)! + 1,
      total: 12,
      current_accuracy: null,
      unleased: ordinals.length,
      recovered: 0,
      results: ordinals.map(brief),
    },
  }) as RunEvent
const story: RunEvent[] = [
  { event_type: 'run_started', benchmark_name: null, at, data: {} },
  progress(0, 1),
  progress(2),
  progress(3, 4, 5),
]
const streamed = story.map((event, index) => toStreamed(index + 1, event))
const told = story.reduce(apply, initialHead(spec))
const fold = (live: Live, messages: unknown[]) => messages.reduce<Live>((state, message) => foldMessage(state, message, 0), live)

test('[UI4] folding the stream gives the state of the run, joined events included', () => {
  const start = startLive(initialHead(spec))
  expect(fold(start, streamed).head).toEqual(told)
  expect(coalesce(streamed).length).toBe(2)
  expect(fold(start, coalesce(streamed)).head).toEqual(told)
})

test('[UI4] an event seen before changes nothing, an unknown one only counts', () => {
  const live = fold(startLive(initialHead(spec)), streamed)
  expect(fold(live, streamed)).toEqual(live)
  const odd = foldMessage(live, { id: 5, event_type: 'moon_phase', benchmark_name: null, message: '', data: {}, created_at: at }, 0)
  expect(odd.head).toEqual({ ...told, seq: 5 })
})

test('[UI5] a snapshot moves the state forward only', () => {
  const start = startLive(initialHead(spec))
  const ahead = foldMessage(start, { event_type: 'snapshot', head: told }, 0)
  expect(ahead.head).toEqual(told)
  expect(foldMessage(ahead, { event_type: 'snapshot', head: initialHead(spec) }, 0)).toBe(ahead)
})

test('[UI5] results behind a snapshot reach the feed once, newest first, and are not counted twice', () => {
  const ahead = foldMessage(startLive(initialHead(spec)), { event_type: 'snapshot', head: told }, 0)
  const live = fold(ahead, [...streamed, ...streamed])
  expect(live.head).toEqual(told)
  expect(live.feed.map((row) => row.ordinal)).toEqual([5, 4, 3, 2, 1, 0])
})

test('[UI5] the end of the stream is told apart from a lost one', () => {
  expect(foldMessage(startLive(told), { event_type: 'done' }, 0).connection).toBe('ended')
})

test('[UI6] throughput looks back ten seconds and falls while nothing comes', () => {
  const samples: [number, number][] = [
    [0, 0],
    [5_000, 50],
    [10_000, 100],
    [15_000, 200],
  ]
  expect(throughput(samples, 15_000)).toBe(15)
  expect(throughput(samples, 20_000)).toBe(10)
  expect(throughput(samples, 40_000)).toBe(0)
  expect(throughput([[0, 7]], 500)).toBeNull()
  expect(throughput([], 500)).toBeNull()
})

test('[UI6] the remaining time follows the rate and is unknown without one', () => {
  expect(remainingMs({ total: 100, done: 40 }, 6)).toBe(10_000)
  expect(remainingMs({ total: 100, done: 40 }, 0)).toBeNull()
  expect(remainingMs({ total: 100, done: 40 }, null)).toBeNull()
  expect(remainingMs({ total: 100, done: 100 }, null)).toBe(0)
})

test('[UI7] pauses double up to a bound and are spread', () => {
  expect([0, 1, 2, 3, 9].map((failures) => backOffMs(failures, 0.5))).toEqual(
    [500, 1000, 2000, 4000, 15_000].map((ms) => expect.closeTo(ms)),
  )
  expect([backOffMs(0, 0), backOffMs(0, 1)]).toEqual([expect.closeTo(350), expect.closeTo(650)])
})
