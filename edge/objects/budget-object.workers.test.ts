import { evictDurableObject, reset, env as testEnv } from 'cloudflare:test'
import { afterEach, expect, test } from 'vitest'
import { holderOf } from '#shared/contract/budget.ts'
import type { RunSpec } from '#shared/contract/run.ts'
import { reserveUsd } from '#shared/run/reserve.ts'
import type { Env } from './env.ts'
import { greeted, specOf, stubOf } from './testing/agent-socket.ts'

const env = testEnv as unknown as Env // bindings of testing/wrangler.toml
afterEach(() => reset())

const idOf = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`

test('[BUDGET7] 200 starts at once against a budget of $1 and what their agents claim never pass it; an object that was asleep goes on with its sums', async () => {
  const holder = holderOf('key', 'k')
  const budget = () => env.BUDGET.getByName(holder)
  await budget().set({ day_usd: 1, month_usd: null })
  const specs = Array.from({ length: 200 }, (_, n): RunSpec => ({ ...specOf(idOf(n + 1), 40), concurrency: 40, budgets: [holder] }))
  const reserve_usd = reserveUsd(specs[0]!)!
  const grants = await Promise.all(specs.map(({ run_id }) => budget().begin({ run_id, reserve_usd })))
  const begun = specs.filter((_, at) => grants[at]!.short === null)
  expect(begun).toHaveLength(Math.floor(1 / reserve_usd))
  for (const { run_id } of begun.slice(20)) await budget().forget(run_id)
  await Promise.all(begun.slice(0, 20).map((spec) => stubOf(spec.run_id).create(spec)))
  const agents = await Promise.all(begun.slice(0, 20).map(({ run_id }) => greeted(run_id)))
  for (const agent of agents) agent.say({ type: 'claim', ask: 1, count: 40 })
  const leases = await Promise.all(agents.map(async (agent) => (await agent.until('leases')).leases.length))
  const leased = leases.reduce((sum, count) => sum + count, 0)
  expect(leased * reserve_usd).toBeLessThanOrEqual(1 + 1e-9)
  expect(leased).toBeGreaterThan(90)
  const { day } = await budget().read()
  expect(day).toMatchObject({ limit_usd: 1, spent_usd: 0 })
  expect(day.reserved_usd).toBeLessThanOrEqual(1)
  expect(day.reserved_usd).toBeGreaterThanOrEqual(leased * reserve_usd - 1e-6)
  await evictDurableObject(budget())
  expect((await budget().read()).day).toEqual(day)
})
