import { expect, test } from 'vitest'
import type { AgentPulse, ModelPulse } from '../contract/pulse.ts'
import { aged, type HeardAgent, joinPulses, pulseKey, silentMs } from './pulse.ts'
import { isInTrouble, pulseLines } from './pulse-text.ts'

const calm: ModelPulse = {
  provider: 'openai',
  model: 'm',
  in_flight: 0,
  waiting: 0,
  hold: 'none',
  next_try_ms: null,
  attempt: null,
  attempts: null,
  failed: 0,
  failure: null,
  slowest: null,
}
const down: ModelPulse = {
  ...calm,
  waiting: 16,
  hold: 'circuit',
  next_try_ms: 12_000,
  attempt: 3,
  attempts: 5,
  failed: 20,
  failure: { reason: 'overloaded', status: 503, detail: 'no capacity for: Which letter' },
}
const tested = { slug: 'm', provider: 'openai' }
const now = 1_000_000
const agent = (models: ModelPulse[], more: Partial<HeardAgent> & { stage?: AgentPulse['stage'] } = {}): HeardAgent => ({
  pulse: { stage: more.stage ?? 'working', models },
  told_ms: now,
  heard_ms: now,
  until_ms: now + 30_000,
  held: () => 8,
  ...more,
})
const linesOf = (agents: HeardAgent[]) => pulseLines(joinPulses(agents, now), tested).map((line) => line.text)

test('[RUN71] agents of a run are told of as one: counts add up, the next try is the soonest, the worse hold counts', () => {
  const other = { ...calm, in_flight: 3, waiting: 2, hold: 'pace' as const }
  const { models } = joinPulses([agent([other]), agent([down]), agent([{ ...down, next_try_ms: 5000, attempt: 2 }])], now)
  expect(models).toHaveLength(1)
  expect(models[0]).toMatchObject({ in_flight: 3, waiting: 34, hold: 'circuit', next_try_ms: 5000, attempt: 2, failed: 40 })
  expect(models[0]!.failure?.status).toBe(503)
  expect(joinPulses([agent([down]), agent([{ ...down, model: 'judge' }])], now).models).toHaveLength(2)
})

test('[RUN71] what was told goes on by itself: waits get shorter and never negative, calls older and never beyond their limit', () => {
  const slowest = { elapsed_ms: 94_000, limit_ms: 180_000, until: 'first-token' as const }
  const told = joinPulses([agent([{ ...down, slowest }], { told_ms: now - 4000 })], now).models[0]!
  expect([told.next_try_ms, told.slowest?.elapsed_ms]).toEqual([8000, 98_000])
  expect(aged(told, 1e9)).toMatchObject({ next_try_ms: 0, slowest: { elapsed_ms: 180_000 } })
})

test('[RUN72] an agent not heard for fifteen seconds is silent: its calls are not claimed, its trials and their release are told', () => {
  const silent = agent([{ ...calm, in_flight: 8 }], { heard_ms: now - silentMs, until_ms: now + 12_000 })
  const joined = joinPulses([silent, agent([{ ...calm, in_flight: 1 }])], now)
  expect(joined.agents).toEqual({ joined: 2, preparing: 0, leaving: 0, silent: 1, silent_ms: 15_000, held: 8, freed_in_ms: 12_000 })
  expect(joined.models[0]!.in_flight).toBe(1)
  expect(linesOf([silent, agent([])])).toEqual(['1 of 2 agents has not been heard for 15 s; 8 trials are given back in 12 s'])
  expect(joinPulses([agent([], { heard_ms: now - silentMs + 1 })], now).agents.silent).toBe(0)
  expect(linesOf([agent([], { heard_ms: now - 20_000, held: () => 0 })])).toEqual(['1 agent has not been heard for 20 s'])
})

test('[RUN73] a provider in trouble is told with what waits, when the next try is, which attempt, and its own words', () => {
  const lines = pulseLines(joinPulses([agent([down]), agent([down])], now), tested)
  expect(lines[0]).toEqual({
    text: 'The provider openai answers 503: 32 trials wait, next try in 12 s, attempt 3 of 5',
    grave: true,
    words: 'no capacity for: Which letter',
  })
  expect(linesOf([agent([{ ...down, model: 'j' }])])[0]).toMatch(/^The judge's provider openai answers 503/)
  const refused = { ...down, failure: { reason: 'connection' as const, status: null, detail: null } }
  expect(linesOf([agent([refused])])[0]).toMatch(/cannot be reached: 16 trials wait/)
  expect(linesOf([agent([{ ...down, next_try_ms: null, in_flight: 1 }])])[0]).toContain('16 trials wait, one is being tried')
  const limited = { ...down, hold: 'cool-down' as const, failure: { reason: 'rate-limited' as const, status: 429, detail: null } }
  expect(pulseLines(joinPulses([agent([limited])], now), tested)[0]).toMatchObject({ grave: false })
})

test('[RUN73] a failure between answers is no trouble, and what is in flight is told with the slowest call and its limit', () => {
  const once = { ...calm, in_flight: 31, waiting: 1, hold: 'retry' as const, failed: 1, failure: down.failure }
  expect([isInTrouble(once), isInTrouble({ ...once, failed: 3 }), isInTrouble({ ...once, in_flight: 0 })]).toEqual([false, true, true])
  const slow = { ...calm, in_flight: 64, slowest: { elapsed_ms: 94_000, limit_ms: 180_000, until: 'first-token' as const } }
  expect(linesOf([agent([slow])])).toEqual(['64 requests in flight, the slowest 94 s of 180 s for its first token'])
  expect(linesOf([agent([], { stage: 'preparing' })])[0]).toMatch(/^1 agent is getting ready/)
  expect(linesOf([agent([], { stage: 'leaving' }), agent([], { stage: 'leaving' })])[0]).toMatch(/^2 agents are leaving/)
  expect(linesOf([])).toEqual([])
})

test('[RUN71] while only time passes there is nothing new to tell', () => {
  const pulse = joinPulses([agent([{ ...down, slowest: { elapsed_ms: 1000, limit_ms: 9000, until: 'end' } }])], now)
  const later = { ...pulse, models: pulse.models.map((one) => aged(one, 3000)) }
  expect(pulseKey(later, now + 3000)).toBe(pulseKey(pulse, now))
  expect(pulseKey(pulse, now + 3000)).not.toBe(pulseKey(pulse, now))
  expect(pulseKey({ ...pulse, models: [{ ...pulse.models[0]!, waiting: 17 }] }, now)).not.toBe(pulseKey(pulse, now))
})
