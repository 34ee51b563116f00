import { expect, test } from 'vitest'
import type { PlannedRole } from '#shared/contract/role.ts'
import { noTrialLimits } from '#shared/contract/trial-limits.ts'
import { noUsage } from '#shared/contract/usage.ts'
import { handClock } from '#shared/run/testing/hand-clock.ts'
import { testSpec } from '#shared/run/testing/test-spec.ts'
import { said } from '#shared/solvers/testing/said.ts'
import { createKit } from './create-kit.ts'
import { noResources, type TrialResources } from './resources.ts'
import type { TrialModel } from './trial-model.ts'

const base = testSpec().benchmarks[0]!
const lease = { ordinal: 0, attempt: 1, benchmark: 'alpha', item_id: '0', epoch: 0 }
const first = [{ role: 'user' as const, content: 'Begin.' }]
const judge: PlannedRole = { model: { id: 'j', slug: 'lab/judge', provider: 'p' }, price: null, params: base.params, schema: false }

test('[LANE19] a timed call has its endpoint alone, its judge’s has not; and while a trial waits for its turn its time stands still', async () => {
  const turns: { endpoint: string; alone: boolean; come(): void }[] = []
  const lanes: TrialResources['lanes'] = {
    enter: () => Promise.reject(new Error('no sandbox is asked for')),
    now: () => null,
    more: () => null,
    callNow: () => null,
    call: (endpoint, { alone }) => new Promise((resolve) => turns.push({ endpoint, alone, come: () => resolve(() => undefined) })),
  }
  const placed = (reply: string): TrialModel => ({
    resetAt: () => null,
    async generate(_request, signal, onCall, _limits, place) {
      const leave = await place?.('https://llm', signal)
      onCall(noUsage)
      leave?.()
      return { ok: true, value: said(reply) }
    },
  })
  const needs = { sandbox: null, timing_sensitive: true, typical_seconds: 5 }
  const planned = { ...base, needs, roles: { judge }, trial_limits: { ...noTrialLimits, seconds: 60 } }
  const clock = handClock(5000)
  const { kit } = createKit({
    ...{ lease, planned, model: placed('a'), helpers: { judge: placed('YES') }, price: null, signal: new AbortController().signal },
    ...{ first, resources: { ...noResources, lanes, clock } },
  })
  const asked = kit.ask('model', { messages: first })
  clock.advance(20_000)
  expect(clock.timers()).toBe(0)
  turns[0]!.come()
  expect(await asked).toMatchObject({ ok: true })
  const judged = kit.ask('judge', { messages: first })
  turns[1]!.come()
  await judged
  expect(turns.map(({ endpoint, alone }) => [endpoint, alone])).toEqual([
    ['https://llm', true],
    ['https://llm', false],
  ])
  clock.advance(59_999)
  expect(kit.limit()).toBeNull()
  clock.advance(1)
  expect(kit.limit()).toEqual({ limit: 'seconds', most: 60 })
})
