import { expect, test } from 'vitest'
import type { Failure } from '#shared/contract/failure.ts'
import type { Item } from '#shared/contract/item.ts'
import type { PlannedBenchmark } from '#shared/contract/run.ts'
import type { StreamFacts } from '#shared/contract/stream.ts'
import { type Lease, TrialRecord } from '#shared/contract/trial.ts'
import { noUsage } from '#shared/contract/usage.ts'
import { testSpec } from '#shared/run/testing/test-spec.ts'
import { noTables } from '#shared/scorers/tables.ts'
import { answeredEvidence } from '#shared/solvers/generate.ts'
import type { Kit } from '#shared/solvers/kit.ts'
import { said } from '#shared/solvers/testing/said.ts'
import { exampleStream } from '#shared/stream/testing/example-stream.ts'
import { executeTrial, type OpenedBenchmark } from './execute-trial.ts'
import { noResources } from './resources.ts'
import type { TrialModel } from './trial-model.ts'

const planned: PlannedBenchmark = testSpec().benchmarks[0]!
const lease: Lease = { ordinal: 0, attempt: 1, benchmark: planned.name, item_id: '0', epoch: 0 }
const messages = [{ role: 'user' as const, content: '?' }]
const item: Item = { item_id: '0', source_id: null, item_hash: 'h', group: null, messages, target: 'A', metadata: {} }
const measuredBy = { agent: 'agent-1f2e', place: 'Helsinki' }
const cutStream: Failure = { at: 'provider', reason: 'cut-stream', retryable: true, status: 200, detail: '' }

/** What comes of the calls of one trial, the attempts of each in turn; a text at the end of an attempt is its answer. */
type Call = { attempts: (StreamFacts | undefined)[]; failure?: Failure }

function modelOf(...calls: Call[]): TrialModel {
  let asked = 0
  return {
    resetAt: () => null,
    async generate(_request, _signal, onCall) {
      const { attempts, failure } = calls[asked++]!
      for (const stream of attempts) onCall(noUsage, stream)
      const stream = attempts.at(-1)
      const value = { ...said('A'), latency_ms: stream?.duration_ms ?? 1, ...(stream && { stream }) }
      return failure ? { ok: false, failure } : { ok: true, value }
    },
  }
}

/** The record of a trial that asks as often as there are calls, and answers with the last. */
function recordOf(...calls: Call[]): Promise<TrialRecord> {
  return recordBy(measuredBy, ...calls)
}

async function recordBy(by: typeof measuredBy | null, ...calls: Call[]): Promise<TrialRecord> {
  const solver: OpenedBenchmark['solver'] = async (_item: Item, kit: Kit) => {
    for (const _ of calls) {
      const answered = await kit.ask('model', { messages })
      if (!answered.ok && 'failure' in answered) return answered
    }
    return answeredEvidence({ ok: true, value: said('A') })
  }
  const score = () => ({ value: 1, outcome: 'right' as const, answer: 'A', explanation: '', flags: [], detail: {} })
  const benchmark = { planned, task: { score }, solver, helpers: {}, tables: noTables, item: () => item }
  const { record } = await executeTrial(lease, benchmark, modelOf(...calls), null, new AbortController().signal, {
    ...noResources,
    measuredBy: by,
  })
  return TrialRecord.parse(JSON.parse(JSON.stringify(record)))
}

const [first, second, cut] = [exampleStream({ duration_ms: 300 }), exampleStream({ duration_ms: 400 }), exampleStream({ end: 'cut' })]

test('[STREAM7] the record of a trial of one call says how its answer came in, and who measured it', async () => {
  expect(await recordOf({ attempts: [cut, first] })).toMatchObject({
    outcome: 'right',
    stream: first,
    measured_by: measuredBy,
    latency_ms: 300,
  })
})

test('[STREAM7] of many calls the record has the last, as its times do, and every step its own', async () => {
  const record = await recordOf({ attempts: [first] }, { attempts: [second] })
  expect([record.latency_ms, record.stream]).toEqual([400, second])
  expect(record.transcript?.map((step) => step.type === 'model_call' && step.stream)).toEqual([first, second])
})

test('[STREAM7] a trial that failed at a call has what was measured of that call, its last attempt', async () => {
  const record = await recordOf({ attempts: [first] }, { attempts: [undefined, cut], failure: cutStream })
  expect(record).toMatchObject({ outcome: 'failed', stream: cut, measured_by: measuredBy })
  expect(record.transcript?.at(-1)).toMatchObject({ stream: cut, failure: { reason: 'cut-stream' } })
  expect(await recordOf({ attempts: [undefined], failure: cutStream })).not.toHaveProperty('stream')
})

test('[STREAM7] where nothing was measured nobody is named', async () => {
  const unnamed = await recordBy(null, { attempts: [first] })
  expect(unnamed).toMatchObject({ stream: first })
  expect(unnamed).not.toHaveProperty('measured_by')
  const record = await recordOf({ attempts: [undefined] })
  expect(record).not.toHaveProperty('stream')
  expect(record).not.toHaveProperty('measured_by')
})
