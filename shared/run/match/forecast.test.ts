import fc from 'fast-check'
import { expect, test } from 'vitest'
import { draws, sized } from '../../testing/draws.ts'
import type { Pace } from '../pace.ts'
import { drawQueue } from '../testing/draw-queue.ts'
import { isRight } from '../testing/forecast-error.ts'
import { playQueue, type Seen } from '../testing/play-queue.ts'
import { agent, part, run } from '../testing/test-fleet.ts'
import { forecastRuns } from './forecast.ts'

const played = Array.from({ length: sized(36, 120) }, (_, n) => playQueue(drawQueue(n + 1))).flat()
const partOf = (seen: readonly Seen[], told: (one: Seen) => number | null): number =>
  seen.filter((one) => isRight(one, told(one))).length / seen.length

test('[OPS1] with the true laws 17 of 20 runs end within 25 % of the time left when a tenth is done, if nothing comes or leaves', () => {
  const steady = played.filter((one) => one.steady)
  expect(steady.length).toBeGreaterThan(played.length / 2)
  expect(partOf(steady, ({ ideal_s }) => ideal_s)).toBeGreaterThanOrEqual(0.85)
})

test('[OPS1] with measured times 2 of 3 do whose model has run before, and half of all runs, whatever comes', () => {
  const before = played.filter((one) => one.steady && one.ran_before)
  expect(partOf(before, ({ expected_s }) => expected_s)).toBeGreaterThanOrEqual(2 / 3)
  expect(partOf(played, ({ expected_s }) => expected_s)).toBeGreaterThanOrEqual(0.5)
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

test('[OPS21] a run whose trials are all under way ends when their ages tell: the older they are, the sooner', () => {
  const ends = (ages?: readonly number[]): number =>
    forecastRuns(
      [run('a')],
      [agent('x', 8)],
      () => ({ open: 8, pace, ...(ages && { ages }) }),
      () => true,
    ).get('a')!.ends_s!
  expect(ends(Array(8).fill(0))).toBeGreaterThan(12) // the longest of eight that begin
  expect(ends(Array(8).fill(9))).toBeLessThan(ends() - 1)
  expect(ends(Array(8).fill(9))).toBeLessThan(ends(Array(8).fill(0)) - 5)
})

test('[OPS21] benchmarks whose last trials are all under way end together, not one after the other', () => {
  const both = run('a', { parts: [part({ benchmarks: ['alpha', 'beta'] })] })
  const ends = forecastRuns([both], [agent('x', 16)], open(8, { ...pace, spread: 0.1 }), () => true).get('a')!.ends_s!
  expect(ends).toBeLessThan(13)
})
