import { expect, test } from 'vitest'
import { BadRecord } from '#shared/benchmarks/task.ts'
import type { Lease, TrialRecord } from '#shared/contract/trial.ts'
import { testSpec } from '#shared/run/testing/test-spec.ts'
import { noTables } from '#shared/scorers/tables.ts'
import { completionEvidence } from '#shared/solvers/generate.ts'
import { said } from '#shared/solvers/testing/said.ts'
import { executeTrial, type OpenedBenchmark } from './execute-trial.ts'

const planned = testSpec().benchmarks[0]!
const lease: Lease = { ordinal: 0, attempt: 1, benchmark: planned.name, item_id: '3', epoch: 0 }
const messages = [{ role: 'user' as const, content: 'Guess.' }]

/** Answers with what was hidden from the model. */
async function recordOf(hidden?: OpenedBenchmark['hidden']): Promise<TrialRecord> {
  const benchmark: OpenedBenchmark = {
    ...{ planned, helpers: {}, tables: noTables, hidden },
    item: () => ({ item_id: '3', source_id: null, item_hash: 'h', group: null, target: 'Beta', metadata: {}, messages }),
    async solver(_item, kit) {
      const found = await kit.hidden()
      return found.ok ? { ok: true, value: completionEvidence(said(JSON.stringify(found.value))) } : found
    },
    task: { score: () => ({ value: 1, outcome: 'right', answer: null, explanation: '', flags: [], detail: {} }) },
  }
  const model = { resetAt: () => null, generate: () => expect.unreachable('the model is not asked') }
  const done = await executeTrial(lease, benchmark, model, null, new AbortController().signal)
  return done.record
}

test('[KIT34] what is hidden from the model is read when its solver asks, and is not on the record', async () => {
  const { evidence, ...record } = await recordOf(async (index) => ({ secret: `of ${index}` }))
  expect(evidence).toMatchObject({ text: '{"secret":"of 3"}' })
  expect(JSON.stringify(record)).not.toContain('secret')
  expect((await recordOf()).evidence).toMatchObject({ text: 'null' })
})

test('[KIT34] where what is hidden cannot be read the data set failed, not the solver', async () => {
  const torn = await recordOf(() => Promise.reject(new BadRecord('test', 3, 'its tests are torn')))
  const detail = 'test row 3: its tests are torn'
  expect(torn).toMatchObject({ outcome: 'failed', failure: { at: 'dataset', reason: 'bad-record', retryable: false, detail } })
  const gone = await recordOf(() => Promise.reject(new Error('the file is gone')))
  expect(gone).toMatchObject({ outcome: 'failed', failure: { at: 'dataset', reason: 'unavailable' } })
})
