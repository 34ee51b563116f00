import { expect, test } from 'vitest'
import { questionNeeds } from '#shared/contract/resources.ts'
import type { Command } from '#shared/run/command.ts'
import { testSpec } from '#shared/run/testing/test-spec.ts'
import { openLiveRun } from './live-run.ts'
import { answerFrame } from './run-frames.ts'
import { noReport, type Report } from './run-records.ts'
import { openSqliteStorage } from './testing/sqlite-storage.ts'

const sandbox = { kinds: ['machine' as const], cpus: 1, memory_mb: 512, disk_mb: 512, images: [] }
const sessions = ['session-1', 'session-2'] as const

/** A run of questions and of eight tasks at machines, which two agents have joined. */
function open() {
  const live = openLiveRun(openSqliteStorage())
  const clock = { now: 0 }
  const run = (command: Command, report: Report = noReport) => live.run(command, report, clock.now)
  const spec = testSpec({
    benchmarks: [
      { name: 'alpha', items: 6, epochs: 1 },
      { name: 'tasks', items: 8, epochs: 1 },
    ],
    concurrency: 20,
  })
  live.plan({
    ...spec,
    benchmarks: spec.benchmarks.map((one) => ({ ...one, needs: { ...questionNeeds, sandbox: one.name === 'tasks' ? sandbox : null } })),
  })
  for (const session of sessions) run({ type: 'hello', agent_id: session, session, holding: [] })
  const say = (at: number, frame: Parameters<typeof answerFrame>[0]) => {
    const answer = answerFrame(frame, sessions[at]!, live, run, clock.now)
    if (typeof answer !== 'object' || (answer.type !== 'leases' && answer.type !== 'state')) throw new Error('no answer')
    return {
      leases: answer.type === 'leases' ? answer.leases.map(({ item_id }) => item_id) : [],
      ahead: answer.ahead?.map((one) => one.item_id),
    }
  }
  const claim = (at: number, ahead?: number) =>
    say(at, { type: 'claim', ask: 1, count: 1, benchmarks: ['tasks'], width: 4, working: 0, ...(ahead !== undefined && { ahead }) })
  return { live, clock, run, say, claim }
}

test('[LEASE14] who asks is told of items at machines that no other agent was told, with claims and renewals, when they change, at most once a second', () => {
  const { claim, say, clock, live } = open()
  const order = live.rows.trials
    .open(20)
    .filter(({ benchmark }) => benchmark === 'tasks')
    .map(({ item_id }) => item_id)
  const at = (...places: number[]) => places.map((place) => order[place])
  expect(claim(0, 2)).toEqual({ leases: at(0), ahead: at(1, 2) })
  expect(claim(1, 2)).toEqual({ leases: at(3), ahead: at(4, 5) })
  expect(claim(0, 2)).toEqual({ leases: at(1), ahead: undefined }) // a second has not passed
  clock.now = 1000
  expect(say(0, { type: 'renew', ahead: 2 }).ahead).toEqual(at(2, 6))
  clock.now = 2000
  expect(say(0, { type: 'renew', ahead: 2 }).ahead).toBeUndefined() // nothing has changed
  expect(claim(1, 2)).toEqual({ leases: at(4), ahead: at(5, 7) })
})

test('[LEASE14] who does not ask is told nothing; what was told to who asks no more, or is gone, is free; of a run that is paused nothing is told', () => {
  const { claim, say, clock, run, live } = open()
  expect(claim(0)).toEqual({ leases: [expect.any(String)], ahead: undefined })
  expect(live.ahead.of(sessions[0], live.head()!)).toBeUndefined()
  const first = claim(0, 3).ahead
  expect(first).toHaveLength(3)
  clock.now = 1000
  expect(say(0, { type: 'renew' }).ahead).toBeUndefined()
  expect(say(1, { type: 'renew', ahead: 3 }).ahead).toEqual(first)
  run({ type: 'leave', session: sessions[1] })
  clock.now = 2000
  expect(say(0, { type: 'renew', ahead: 3 }).ahead).toEqual(first)
  run({ type: 'pause' })
  clock.now = 3000
  claim(0, 5)
  expect(live.ahead.of(sessions[0], live.head()!)).toBeUndefined()
})
