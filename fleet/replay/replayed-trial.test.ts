import { expect, test } from 'vitest'
import type { Item } from '#shared/contract/item.ts'
import type { PlannedRole } from '#shared/contract/role.ts'
import { noUsage } from '#shared/contract/usage.ts'
import { testSpec } from '#shared/run/testing/test-spec.ts'
import { noTables } from '#shared/scorers/tables.ts'
import { judged } from '#shared/solvers/judged.ts'
import { executeTrial, type OpenedBenchmark } from '../trial/execute-trial.ts'
import type { TrialModel } from '../trial/trial-model.ts'
import { createReplayModel } from './replay-model.ts'

const base = testSpec().benchmarks[0]!
const price = { input_per_million_usd: 1, output_per_million_usd: 1, cached_input_per_million_usd: null }
const judge: PlannedRole = { model: { id: 'j', slug: 'lab/judge', provider: 'p' }, price, params: base.params, schema: false }
const planned = { ...base, roles: { judge } }
const answer = { reasoning: null, finish_reason: 'stop', usage: noUsage, usage_known: true, latency_ms: 5, ttft_ms: 1, max_gap_ms: 1 }
const approves: TrialModel = {
  resetAt: () => null,
  async generate(_request, _signal, onCall) {
    onCall(noUsage)
    return { ok: true, value: { text: 'YES', ...answer, model_reported: null, system_fingerprint: null } }
  },
}
const refuses: TrialModel = {
  resetAt: () => 'tomorrow',
  generate: async () => ({ ok: false, failure: { at: 'provider', reason: 'unauthorized', retryable: false, status: 401, detail: 'no' } }),
}

function execute(source_id: string | null, by: TrialModel) {
  const item: Item = {
    ...{ item_id: '0', source_id, item_hash: 'h', group: null, target: 'Beta', metadata: {} },
    messages: [{ role: 'user', content: '?' }],
  }
  const benchmark: OpenedBenchmark = {
    planned,
    task: { score: () => ({ value: 1, outcome: 'right', answer: 'x', explanation: '', flags: [], detail: {} }) },
    solver: judged({ ask: () => [{ role: 'user', content: '?' }], readable: (reply) => reply === 'YES', retries: 1, schema: null }),
    helpers: { judge: by },
    tables: noTables,
    item: () => item,
  }
  const replayed = createReplayModel([{ item: 'lru', texts: ['Beta'] }], (text) => text)
  const lease = { ordinal: 0, attempt: 1, benchmark: planned.name, item_id: '0', epoch: 0 }
  return executeTrial(lease, benchmark, replayed, price, new AbortController().signal)
}

test('[RUN116] the answers of a replay are judged as any are, and a judge that is refused halts the run', async () => {
  expect(await execute('lru', approves)).toMatchObject({
    ...{ type: 'record', halt: null },
    record: { outcome: 'right', calls: 0, cost_usd: 0, evidence: { text: 'Beta' }, roles: { judge: { calls: 1 } } },
  })
  expect(await execute('lru', refuses)).toMatchObject({ type: 'record', halt: { failure: { at: 'judge' }, until: 'tomorrow' } })
})

test('[RUN115] a trial without an answer is on the record as such, without a score, and the run goes on', async () => {
  expect(await execute(null, approves)).toMatchObject({
    ...{ type: 'record', halt: null },
    record: { outcome: 'failed', score: null, failure: { at: 'replay', reason: 'no-answer' } },
  })
})
