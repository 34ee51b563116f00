import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Run, RunItemDetail } from '#shared/contract/api.ts'
import { type Provider, startProvider } from '../prove/provider/provider.ts'
import { call, createRun, untilEnded, untilRecorded } from './call-api.ts'
import { type SharedStack, simulatedStack } from './shared-stack.ts'

let provider: Provider
let stack: SharedStack
let run: Run

/** One server is model and judge: it knows by the prompt which of them is asked. The judge hesitates once over every answer, and for good over some. */
function modelAndJudge(): (prompt: string) => { text: string } {
  const asked = new Map<string, number>()
  return (prompt) => {
    if (!/INCORRECT/.test(prompt)) return { text: prompt.length % 2 === 0 ? 'An even answer.' : 'An odd answer.' }
    const times = (asked.get(prompt) ?? 0) + 1
    asked.set(prompt, times)
    if (prompt.length % 5 === 0) return { text: 'I cannot decide.' }
    if (times === 1) return { text: 'Let me think.' }
    return { text: prompt.includes('An even answer.') ? '**CORRECT**' : 'The candidate is not CORRECT: INCORRECT.' }
  }
}

const body = {
  model_id: 'sim',
  provider: 'judged',
  selected_benchmarks: ['aa_lcr'],
  profile: 'builtin',
  data: 'sample',
  epochs: 1,
  subset_count: 12,
}

beforeAll(async () => {
  const shared = await simulatedStack('judged')
  stack = shared
  provider = await startProvider({ port: shared.port, answer: modelAndJudge() })
  const created = await createRun(stack.url, { ...body, max_failure_share: 1, judge: { model_id: 'strict-judge' } })
  run = await untilRecorded(stack.url, (await untilEnded(stack.url, created.id)).id)
})
afterAll(async () => {
  await provider?.close()
})

test('[END18] answers are judged by the model that was chosen, its verdict and cost stand apart, and the account agrees with the provider', async () => {
  const { right, wrong, failed, total } = run.head.benchmarks.aa_lcr!
  expect([right + wrong + failed, total]).toEqual([12, 12])
  expect(Math.min(right, wrong, failed)).toBeGreaterThan(0)
  const counted = [run.head.usage, run.head.roles!.judge!.usage].map((usage) => usage.input_tokens + usage.output_tokens)
  const billed = provider.ledger.entries.reduce((sum, entry) => sum + entry.input_tokens + entry.output_tokens, 0)
  const looked = run.head.preflight!.spent.usage
  expect(counted[0]! + counted[1]! + looked.input_tokens + looked.output_tokens).toBe(billed)
  expect(run.head.preflight!.found!.calls.map(({ role, failure }) => [role, failure])).toEqual([
    ['model', null],
    ['judge', null],
  ])
  expect(counted.every((tokens) => tokens > 0)).toBe(true)
  const page = await (await call(stack.url, 'GET', `/api/runs/${run.id}/benchmarks/aa_lcr?limit=12`)).json()
  for (const item of (page as { items: { items: { item_id: string; outcome: string }[] } }).items.items) {
    const { record } = (await (
      await call(stack.url, 'GET', `/api/runs/${run.id}/items/aa_lcr/${item.item_id}?epoch=0`)
    ).json()) as RunItemDetail
    if (record.outcome === 'failed') {
      expect(record).toMatchObject({ score: null, failure: { at: 'judge', reason: 'unreadable' }, roles: { judge: { calls: 3 } } })
      continue
    }
    expect(record.roles?.judge).toMatchObject({ model: 'strict-judge', calls: 2 })
    const said = record.outcome === 'right' ? '**CORRECT**' : 'The candidate is not CORRECT: INCORRECT.'
    expect(record.evidence).toMatchObject({ kind: 'judged', judge: { model: 'strict-judge', replies: ['Let me think.', said] } })
    expect(record.calls).toBe(1)
  }
})

test('[PROV12] the page of a run shows what was found before its first trial', async () => {
  const html = await (await fetch(`${stack.url}/runs/${run.id}`)).text()
  expect(html).toMatch(/Pre-flight: .{0,40}sim answered in \d/)
  expect(html).toContain('Judge strict-judge answered')
})

test('[END18] a judge that is not served, and a model that would judge itself, are refused before anything is asked', async () => {
  const before = provider.ledger.entries.length
  for (const [judge, why] of [
    [undefined, /judged by Qwen.*--judge/],
    [{ model_id: 'sim' }, /would judge its own answers.*allow_self_judge/],
  ] as const) {
    const response = await call(stack.url, 'POST', '/api/runs', { body: { ...body, judge } })
    expect([response.status, ((await response.json()) as { detail: string }).detail]).toEqual([422, expect.stringMatching(why)])
  }
  expect(provider.ledger.entries).toHaveLength(before)
})
