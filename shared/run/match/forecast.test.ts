import fc from 'fast-check'
import { expect, test } from 'vitest'
import { drawn, draws } from '../../testing/draws.ts'
import type { Pace } from '../pace.ts'
import { playQueue, type QueuedRun } from '../testing/play-queue.ts'
import { agent, part, run } from '../testing/test-fleet.ts'
import { forecastRuns } from './forecast.ts'

/** mulberry32: numbers from 0 to 1, the same for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A queue as a service has it: up to eight runs of up to three owners that come within five minutes, and one to four agents. */
function drawQueue(random: () => number): { queued: QueuedRun[]; agents: ReturnType<typeof agent>[] } {
  const among = (low: number, high: number): number => low + Math.floor(random() * (high - low + 1))
  const agents = Array.from({ length: among(1, 4) }, (_, n) => agent(`agent-${n}`, among(8, 48)))
  const queued = Array.from({ length: among(1, 8) }, (_, n): QueuedRun => {
    const arrives_s = n === 0 ? 0 : among(0, 300)
    const created_at = new Date(1_800_000_000_000 + arrives_s * 1000).toISOString()
    const trials = Math.round(40 * 30 ** random())
    const more = { owner_id: ['ann', 'ben', 'cid'][among(0, 2)]!, priority: random() < 0.15 ? 1 : 0, concurrency: among(8, 64), created_at }
    return {
      run: run(`run-${n}`, { ...more, parts: [part({ open: trials })] }),
      trials,
      arrives_s,
      median_s: 4 * 10 ** random(),
      spread: 0.3 + 0.6 * random(),
    }
  })
  return { queued, agents }
}

/** Part of the runs whose end was expected within 25 % of the time that was left. */
function partWithin(seeds: number): number {
  let within = 0
  let all = 0
  for (let seed = 1; seed <= seeds; seed++) {
    const random = randomOf(seed)
    const { queued, agents } = drawQueue(random)
    const lastCame = Math.max(...queued.map(({ arrives_s }) => arrives_s))
    for (const { asked_s, expected_s, ended_s } of playQueue(queued, agents, random)) {
      if (asked_s < lastCame) continue // a forecast says what happens if nobody else comes
      all++
      if (expected_s !== null && Math.abs(expected_s - ended_s) <= (ended_s - asked_s) / 4) within++
    }
  }
  return within / all
}

test('[OPS1] in 200 simulated queues 8 of 10 runs end within 25 % of the time left when a tenth is done', () => {
  expect(partWithin(drawn(200))).toBeGreaterThanOrEqual(0.8)
})

const pace: Pace = { seconds: 10, spread: 0.3, trials: 50 }
const open =
  (open: number, of: Pace | null = pace) =>
  () => ({ open, pace: of })
const older = { created_at: '2026-01-01T00:00:00Z' }
const younger = { created_at: '2026-01-02T00:00:00Z', priority: -1 }

test('[OPS2] without a measured trial the end is unknown, and the reason names the benchmarks', () => {
  const alone = forecastRuns([run('a')], [agent('x', 8)], open(100, null), () => true)
  expect(alone.get('a')).toEqual({ starts_s: 0, ends_s: null, unknown: { kind: 'not-measured', benchmarks: ['alpha'] } })
  const mixed = run('a', { parts: [part({ benchmarks: ['alpha', 'beta'] })] })
  const half = forecastRuns(
    [mixed],
    [agent('x', 8)],
    (_, name) => ({ open: 50, pace: name === 'alpha' ? pace : null }),
    () => true,
  )
  expect(half.get('a')).toMatchObject({ ends_s: null, unknown: { kind: 'not-measured', benchmarks: ['beta'] } })
})

test('[OPS2] a run that waits for one without a time has none either; without an agent that takes it the reason says so', () => {
  const runs = [run('a', { ...older, concurrency: 8 }), run('b', younger)]
  const workOf = ({ run_id }: { run_id: string }) => ({ open: 100, pace: run_id === 'a' ? null : pace })
  const queue = forecastRuns(runs, [agent('x', 8)], workOf, (run_id) => run_id === 'a')
  expect(queue.get('b')).toEqual({ starts_s: null, ends_s: null, unknown: { kind: 'behind-unknown' } })
  expect(forecastRuns([run('a')], [], open(10), () => false).get('a')?.unknown).toEqual({ kind: 'no-agent' })
  const far = run('a', { needs: ['llm', 'provider:far'] })
  expect(forecastRuns([far], [agent('x', 8)], open(10), () => false).get('a')?.unknown).toEqual({ kind: 'no-agent' })
})

test('[OPS3] a run of lower priority starts when the one before it leaves slots, and both ends follow from work and slots', () => {
  const runs = [run('a', { ...older, concurrency: 8 }), run('b', { ...younger, concurrency: 8 })]
  const queue = forecastRuns(runs, [agent('x', 8)], open(80), (run_id) => run_id === 'a')
  const [first, second] = [queue.get('a')!, queue.get('b')!]
  expect(first.starts_s).toBe(0)
  expect(first.ends_s).toBeGreaterThan(90)
  expect(first.ends_s).toBeLessThan(130)
  expect(second.starts_s).toBeGreaterThan(80)
  expect(second.starts_s).toBeLessThan(first.ends_s!)
  expect(second.ends_s).toBeGreaterThan(180)
  expect(second.ends_s).toBeLessThan(230)
})

test('[OPS3] two equal owners share the slots: each run ends when both together would', () => {
  const runs = [run('a', { owner_id: 'ann' }), run('b', { owner_id: 'ben' })]
  const queue = forecastRuns(runs, [agent('x', 16)], open(160), () => true)
  for (const { ends_s } of queue.values()) expect(Math.abs(ends_s! - 205)).toBeLessThan(25)
})

test('[OPS3] more trials, slower trials or fewer slots never make an end earlier', () => {
  const end = (trials: number, seconds: number, slots: number) =>
    forecastRuns([run('a')], [agent('x', slots)], open(trials, { ...pace, seconds }), () => true).get('a')!.ends_s!
  const some = fc.record({
    trials: fc.integer({ min: 1, max: 3000 }),
    seconds: fc.integer({ min: 1, max: 300 }),
    slots: fc.integer({ min: 2, max: 64 }),
  })
  fc.assert(
    fc.property(some, ({ trials, seconds, slots }) => {
      const base = end(trials, seconds, slots)
      const slack = 0.06 * base + 1 // a step of the play
      expect(end(trials * 2, seconds, slots)).toBeGreaterThan(base - slack)
      expect(end(trials, seconds * 2, slots)).toBeGreaterThan(base)
      expect(end(trials, seconds, Math.floor(slots / 2))).toBeGreaterThan(base - slack)
    }),
    draws(60),
  )
})

test('[OPS3] a thousand runs are played in bounded steps', () => {
  const runs = Array.from({ length: 1000 }, (_, n) => run(`r${String(n).padStart(4, '0')}`, { owner_id: `o${n % 50}` }))
  const queue = forecastRuns(runs, [agent('x', 512)], open(500), () => true)
  expect(queue.size).toBe(1000)
})
