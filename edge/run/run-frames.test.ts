import { expect, test } from 'vitest'
import { questionNeeds } from '#shared/contract/resources.ts'
import type { Command } from '#shared/run/command.ts'
import { leaseMs } from '#shared/run/lease.ts'
import { testSpec } from '#shared/run/testing/test-spec.ts'
import { openLiveRun } from './live-run.ts'
import { answerFrame, stateOf } from './run-frames.ts'
import { noReport, type Report } from './run-records.ts'
import { openSqliteStorage } from './testing/sqlite-storage.ts'

const session = 'session-1'

/** A run of six trials that one agent has joined; `now` is the object's clock. */
function open() {
  const live = openLiveRun(openSqliteStorage())
  const clock = { now: 0 }
  const run = (command: Command, report: Report = noReport) => live.run(command, report, clock.now)
  live.plan(testSpec({ benchmarks: [{ name: 'alpha', items: 6, epochs: 1 }] }))
  run({ type: 'hello', agent_id: 'agent', session, holding: [] })
  return { live, clock, run, say: (frame: Parameters<typeof answerFrame>[0]) => answerFrame(frame, session, live, run, clock.now) }
}

test('[LEASE1] a renewal makes the leases of its agent last longer, and is answered with where the run stands', () => {
  const { live, clock, say } = open()
  say({ type: 'claim', ask: 1, count: 2 })
  clock.now = 12_000
  expect(say({ type: 'renew' })).toEqual({ type: 'state', status: 'running', concurrency: 8, open: 4 })
  expect(live.head()!.agents[session]!.until_ms).toBe(12_000 + leaseMs)
})

test('[LEASE4] what an agent hands back or leaves behind is open at once, and neither is answered', () => {
  const { live, say } = open()
  const claimed = say({ type: 'claim', ask: 2, count: 3 })
  expect(claimed).toMatchObject({ type: 'leases', leases: [{ ordinal: 0, attempt: 1, item_id: expect.any(String) }, {}, {}] })
  expect(say({ type: 'release', leases: [[0, 1]] })).toBeUndefined()
  expect(stateOf(live.head()!)).toMatchObject({ open: 4 })
  expect(say({ type: 'leave' })).toBeUndefined()
  expect([stateOf(live.head()!), live.head()!.agents]).toMatchObject([{ open: 6 }, {}])
  expect(say({ type: 'claim', ask: 3, count: 1 })).toBe('stranger')
})

test('[LANE12] an agent that names no benchmarks is given only what asks; one that names them gets theirs, and is told its part of the concurrency', () => {
  const live = openLiveRun(openSqliteStorage())
  const run = (command: Command, report: Report = noReport) => live.run(command, report, 0)
  const spec = testSpec({
    benchmarks: [
      { name: 'coded', items: 3, epochs: 1 },
      { name: 'alpha', items: 6, epochs: 1 },
    ],
  })
  const sandbox = { kinds: ['docker' as const], cpus: 1, memory_mb: 512, disk_mb: 512, images: [] }
  const [coded, alpha] = spec.benchmarks
  live.plan({ ...spec, benchmarks: [{ ...coded!, needs: { ...questionNeeds, sandbox } }, alpha!] })
  const sessions = ['session-1', 'session-2']
  for (const one of sessions) run({ type: 'hello', agent_id: one, session: one, holding: [] })
  const say = (at: number, frame: Parameters<typeof answerFrame>[0]) => answerFrame(frame, sessions[at]!, live, run, 0)
  const ordinals = (answer: ReturnType<typeof say>) =>
    typeof answer === 'object' && answer.type === 'leases' ? answer.leases.map(({ ordinal }) => ordinal) : []
  const old = say(0, { type: 'claim', ask: 4, count: 2 })
  expect([ordinals(old), old]).toEqual([[3, 4], { type: 'leases', ask: 4, leases: [expect.anything(), expect.anything()] }])
  const claimed = say(1, { type: 'claim', ask: 5, count: 9, benchmarks: ['coded'], width: 20, working: 0 })
  expect([ordinals(claimed), claimed]).toMatchObject([[0, 1, 2], { width: 6 }]) // of eight; the other holds two
  expect(say(1, { type: 'renew', width: 2, working: 3 })).toMatchObject({ type: 'state', width: 2 })
  expect(live.head()!.agents['session-2']!.width).toBe(3) // as long as it is at work on three
  expect(say(1, { type: 'renew', width: 2, working: 1 })).toMatchObject({ width: 2 })
  expect(live.head()!.agents['session-2']!.width).toBe(2)
  expect(say(0, { type: 'claim', ask: 6, count: 9, width: 20, working: 2 })).toMatchObject({ width: 6 })
})
