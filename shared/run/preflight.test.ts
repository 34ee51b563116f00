import { expect, test } from 'vitest'
import type { Failure } from '../contract/failure.ts'
import type { PreflightFound } from '../contract/preflight.ts'
import { noUsage } from '../contract/usage.ts'
import { spentUsd } from './budget.ts'
import { preflightWaitMs } from './preflight.ts'
import { startHistory } from './testing/history.ts'
import { testSpec } from './testing/test-spec.ts'

const startMs = Date.parse('2026-01-01T00:00:00.000Z')
const found: PreflightFound = {
  calls: [],
  listed: true,
  context_length: 4096,
  spent: { usage: { ...noUsage, input_tokens: 7, output_tokens: 3 }, cost_usd: 0.25 },
}
const refused: Failure = { at: 'provider', reason: 'unauthorized', retryable: false, status: 401, detail: 'HTTP 401' }

/** A run that is looked at first, with two agents there; `claim` gives the ordinals that an agent got. */
function openRun(changes: object = { preflight: true }) {
  const run = startHistory({ ...testSpec({ concurrency: 8 }), ...changes })
  for (const session of ['session-a', 'session-b']) run.run({ type: 'hello', agent_id: session.slice(-1), session, holding: [] }, startMs)
  const claim = (session: string, nowMs = startMs, checks = true): number => {
    const leased = run.run({ type: 'claim', session, count: 3, checks }, nowMs).find(({ event_type }) => event_type === 'trials_leased')
    return leased?.event_type === 'trials_leased' ? leased.data.leases.length : 0
  }
  const tell = (session: string, round: number, failure: Failure | null = null) =>
    run.run({ type: 'preflight', session, round, found, failure, until: null }, startMs).map(({ event_type }) => event_type)
  return { ...run, claim, tell }
}

test('[PROV6] who claims first looks at the endpoints, and the others get their trials once it has told', () => {
  const { claim, tell, head } = openRun()
  expect([claim('session-a'), claim('session-b'), claim('session-b')]).toEqual([3, 0, 0])
  expect(head().preflight).toMatchObject({ round: 1, taken: { session: 'session-a' }, found: null })
  expect(tell('session-a', 1)).toEqual(['run_preflight'])
  expect(head().preflight).toMatchObject({ taken: null, found: { agent_id: 'a', round: 1, context_length: 4096 } })
  expect(claim('session-b')).toBe(3)
})

test('[PROV6] another looks where the first is gone or has taken twice its time, and who cannot look is not held up', () => {
  const left = openRun()
  left.claim('session-a')
  left.run({ type: 'leave', session: 'session-a' }, startMs)
  expect(left.claim('session-b')).toBe(3)
  expect(left.head().preflight?.taken?.session).toBe('session-b')
  const slow = openRun()
  slow.claim('session-a')
  expect([slow.claim('session-b', startMs + preflightWaitMs - 1), slow.claim('session-b', startMs + preflightWaitMs)]).toEqual([0, 3])
  const old = openRun()
  old.claim('session-a')
  expect(old.claim('session-b', startMs, false)).toBe(3)
})

test('[PROV6] a run whose plan asks for none is begun at once and has none', () => {
  const { claim, tell, head, events } = openRun({})
  expect([claim('session-a'), claim('session-b')]).toEqual([3, 3])
  expect(tell('session-a', 1)).toEqual([])
  expect(head().preflight).toBeUndefined()
  expect(events.some(({ event_type }) => event_type.includes('preflight'))).toBe(false)
})

test('[PROV8] a refusal for all parks the run before its first trial, with the reason by which people know who must act', () => {
  const { claim, tell, head } = openRun()
  claim('session-a')
  expect(tell('session-a', 1, refused)).toEqual(['run_preflight', 'run_parked'])
  expect(head()).toMatchObject({ status: 'paused', done: 0, parked: { reason: 'provider/unauthorized', detail: 'HTTP 401' } })
  expect(claim('session-b')).toBe(0)
})

test('[PROV9] a run that goes on is looked at again; what is told of an earlier round, twice, or by a stranger counts nothing', () => {
  const { claim, tell, head, run } = openRun()
  claim('session-a')
  tell('session-a', 1, refused)
  run({ type: 'resume' }, startMs)
  expect(head().preflight).toMatchObject({ round: 2, taken: null, found: { round: 1 } })
  expect([claim('session-b'), claim('session-a')]).toEqual([3, 0])
  expect(tell('session-b', 1)).toEqual([])
  expect(tell('session-x', 2)).toEqual([])
  expect(tell('session-b', 2)).toEqual(['run_preflight'])
  expect(tell('session-b', 2)).toEqual([])
  expect(head().preflight).toMatchObject({ round: 2, found: { round: 2, agent_id: 'b' } })
})

test('[PROV7] what all rounds took is added up apart from the trials, and the budget covers it', () => {
  const { claim, tell, head, run } = openRun({ preflight: true, budget_usd: 1 })
  claim('session-a')
  tell('session-a', 1)
  run({ type: 'pause' }, startMs)
  run({ type: 'resume' }, startMs)
  claim('session-a')
  tell('session-a', 2)
  expect(head().preflight?.spent).toEqual({ usage: { ...noUsage, input_tokens: 14, output_tokens: 6 }, cost_usd: 0.5 })
  expect([head().usage, head().cost_usd, spentUsd(head())]).toEqual([noUsage, 0, 0.5])
})
