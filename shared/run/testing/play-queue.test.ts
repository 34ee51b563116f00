import { expect, test } from 'vitest'
import type { Pace } from '../pace.ts'
import { drawQueue, kindOf, queueKinds } from './draw-queue.ts'
import { playQueue, type QueuedAgent, type QueuedRun } from './play-queue.ts'
import { agent, part, run, sandbox } from './test-fleet.ts'

const truth: Pace = { seconds: 10, spread: 0.01, trials: 1000 }
const queued = (run_id: string, trials: Record<string, number>, more: Partial<QueuedRun['run']> = {}, arrives_s = 0): QueuedRun => ({
  run: run(run_id, { parts: [part({ benchmarks: Object.keys(trials) })], ...more }),
  ...{ model: 'ada', arrives_s },
  benchmarks: Object.entries(trials).map(([name, count]) => ({ name, trials: count, seconds: () => 10, truth })),
})
const stays = (name: string, slots: number, more: Partial<QueuedAgent> = {}): QueuedAgent => ({
  ...{ agent: agent(name, slots), joins_s: 0, leaves_s: Number.POSITIVE_INFINITY, killed: false },
  ...more,
})
const play = (runs: QueuedRun[], agents: QueuedAgent[]) => playQueue({ runs, agents, kept: [], deal_s: 1 })

test('[OPS22] a run ends after its work divided by its slots, and is asked when a tenth of it has ended', () => {
  const [seen] = play([queued('a', { alpha: 40, beta: 40 })], [stays('x', 8)])
  expect(seen).toMatchObject({ began_s: 0, asked_s: 10, ended_s: 100, expected_s: null, steady: true, ran_before: false })
  expect(Math.abs(seen!.ideal_s! - 100)).toBeLessThan(10)
})

test('[OPS22] trials of a killed agent are asked again; a drained one finishes what it has begun', () => {
  const ends = (more: Partial<QueuedAgent>) => play([queued('a', { alpha: 80 })], [stays('x', 4), stays('y', 4, more)])[0]!
  expect(ends({}).ended_s).toBe(100)
  expect(ends({ leaves_s: 15 }).ended_s).toBe(180) // 16 trials in 20 s, 64 more on four slots
  expect(ends({ leaves_s: 15, killed: true }).ended_s).toBe(190)
  expect(ends({ leaves_s: 15 }).steady).toBe(false)
})

test('[OPS22] a run of higher priority that comes later takes the slots, and the forecast of the first is not steady', () => {
  const late = queued('b', { alpha: 40 }, { priority: 1, owner_id: 'ben' }, 25)
  const seen = play([queued('a', { alpha: 80 }), late], [stays('x', 8)])
  expect(seen.map(({ run_id, steady }) => [run_id, steady])).toEqual([
    ['a', false],
    ['b', true],
  ])
  expect(seen[0]!.ended_s).toBeGreaterThanOrEqual(150)
  expect(seen[1]!.ended_s).toBeLessThan(90)
})

test('[OPS22] an agent has no more sandboxes at work than its processors hold', () => {
  const parts = [part({ benchmarks: ['alpha'], sandbox: sandbox({ cpus: 2 }) })]
  const machine = agent('x', 8, { sandboxes: [{ kinds: ['docker'], cpus: 8, memory_mb: 65_536, disk_mb: 100_000 }] })
  expect(play([queued('a', { alpha: 40 }, { parts })], [stays('x', 8, { agent: machine })])[0]!.ended_s).toBe(100)
})

test('[OPS22] the same seed draws and plays the same queue; the kinds take turns', () => {
  expect(playQueue(drawQueue(4))).toEqual(playQueue(drawQueue(4)))
  expect(new Set([1, 2, 3, 4, 5, 6].map(kindOf))).toEqual(new Set(queueKinds))
})
