import { expect, test } from 'vitest'
import { memoryDeps } from '../testing/memory-deps.ts'
import { readQuota } from './chutes-quota.ts'

const home = 'https://catalogue.example/users/me/'

/** The quota of an account whose Chutes answers so. */
async function quotaOf(answers: Record<string, () => Response>) {
  const memory = memoryDeps()
  for (const [path, answer] of Object.entries(answers)) memory.answers.set(home + path, answer)
  return { quota: await readQuota('cak_secret', memory.deps), asked: memory.fetched.map(({ url }) => url.slice(home.length)) }
}

test('[SIGN14] what is left is what Chutes says is used of the quota of every model', async () => {
  const rows = (used?: number) => () =>
    Response.json([
      { chute_id: 'x', quota: 5 },
      { chute_id: '*', quota: 300, ...(used !== undefined && { used }) },
    ])
  expect(await quotaOf({ quotas: rows(12) })).toEqual({ quota: { total: 300, left: 288 }, asked: ['quotas'] })
  expect((await quotaOf({ quotas: rows(400) })).quota).toEqual({ total: 300, left: 0 })
  const usage = () => Response.json({ quota: 300, used: 20.5 })
  expect(await quotaOf({ quotas: rows(), 'quota_usage/*': usage })).toEqual({
    quota: { total: 300, left: 279.5 },
    asked: ['quotas', 'quota_usage/*'],
  })
  expect((await quotaOf({ quotas: rows() })).quota).toEqual({ total: 300, left: null })
})

test('[SIGN14] what Chutes does not tell is unknown, never 0', async () => {
  for (const answer of [
    () => new Response(null, { status: 403 }),
    () => Response.json([]),
    () => Response.json({ detail: 'no' }),
    () => new Response('<html>'),
  ])
    expect((await quotaOf({ quotas: answer })).quota).toEqual({ total: null, left: null })
  expect((await quotaOf({})).quota).toEqual({ total: null, left: null })
})
