import { expect, test } from 'vitest'
import { initialHead } from './apply.ts'
import { testSpec } from './testing/test-spec.ts'
import { drainDelayMs, nextWake } from './wake.ts'

const now = Date.parse('2026-01-01T00:00:00Z')
const idle = initialHead(testSpec())
const agents = (...until: number[]) => Object.fromEntries(until.map((until_ms, n) => [`s${n}`, { agent_id: `a${n}`, until_ms }]))
const parked = (until: string | null) => ({ reason: 'provider/payment-required', detail: '', until })

test('[RUN14] a run is woken at the first of what is to come: a lease that runs out, its reset time, results that wait', () => {
  expect(nextWake({ ...idle, agents: agents(now + 9_000, now + 7_000) }, [null], now)).toBe(now + 7_000)
  const reset = new Date(now + 5_000).toISOString()
  expect(nextWake({ ...idle, agents: agents(now + 9_000), parked: parked(reset) }, [null], now)).toBe(now + 5_000)
  // A database that is asked again late holds no lease back.
  expect(nextWake({ ...idle, agents: agents(now + 9_000) }, [null, now + 30_000], now)).toBe(now + 9_000)
  expect(nextWake({ ...idle, parked: parked(reset) }, [now + drainDelayMs, now + 9_000], now)).toBe(now + drainDelayMs)
})

test('[RUN14] what is overdue wakes at once, and where nothing is to come nothing wakes', () => {
  expect(nextWake({ ...idle, agents: agents(now - 1) }, [null], now)).toBe(now)
  expect(nextWake(idle, [null], now)).toBeNull()
  expect(nextWake({ ...idle, parked: parked(null) }, [null], now)).toBeNull()
})
