import { expect, test } from 'vitest'
import { BadRecord } from '#shared/benchmarks/task.ts'
import { findTask } from '#shared/benchmarks/tasks.ts'
import { openLists } from '#shared/benchmarks/testing/open-lists.ts'
import type { Failure } from '#shared/contract/failure.ts'
import type { Item } from '#shared/contract/item.ts'
import type { PlannedRole } from '#shared/contract/role.ts'
import type { PlannedBenchmark } from '#shared/contract/run.ts'
import { mostInlineTranscript } from '#shared/contract/transcript.ts'
import { briefOf, type Lease, TrialRecord } from '#shared/contract/trial.ts'
import { testSpec } from '#shared/run/testing/test-spec.ts'
import { noTables, openTables } from '#shared/scorers/tables.ts'
import { answeredEvidence } from '#shared/solvers/generate.ts'
import { judged } from '#shared/solvers/judged.ts'
import type { Completion } from '#shared/solvers/kit.ts'
import type { ModelRequest } from '../model/request-body.ts'
import { ThreadTrouble } from '../threads/thread-trouble.ts'
import { executeTrial, type OpenedBenchmark } from './execute-trial.ts'
import { noResources, type SandboxProvider, type TrialResources } from './resources.ts'
import type { TrialModel } from './trial-model.ts'

const price = { input_per_million_usd: 1, output_per_million_usd: 1, cached_input_per_million_usd: null }
const dear = { input_per_million_usd: 10, output_per_million_usd: 100, cached_input_per_million_usd: null }
const usage = { input_tokens: 1000, output_tokens: 10, cached_tokens: 0, reasoning_tokens: 0 }
const base = testSpec().benchmarks[0]!
const judge: PlannedRole = { model: { id: 'j', slug: 'lab/judge', provider: 'p' }, price: dear, params: base.params, schema: false }
const planned: PlannedBenchmark = { ...base, roles: { judge } }
const lease: Lease = { ordinal: 0, attempt: 1, benchmark: planned.name, item_id: '0', epoch: 0 }
const item: Item = {
  item_id: '0',
  source_id: null,
  item_hash: 'h',
  group: null,
  messages: [
    {
      role: 'user',
      content: 'What is shown?',
      pictures: [{ media_type: 'image/png', sha256: 'a'.repeat(64), bytes: 3, data: 'data:image/png;base64,AAAA' }],
    },
  ],
  target: 'Beta',
  metadata: {},
}
const completion = (text: string, model_reported: string): Completion => ({
  text,
  reasoning: null,
  finish_reason: 'stop',
  usage,
  usage_known: true,
  latency_ms: 5,
  ttft_ms: 1,
  max_gap_ms: 1,
  model_reported,
  system_fingerprint: null,
})

/** A model that gives these texts or failures in turn, each after one call that used `usage`. */
function modelOf(name: string, ...given: (string | Failure)[]): TrialModel & { asked: ModelRequest[] } {
  const asked: ModelRequest[] = []
  return {
    asked,
    resetAt: () => `${name} resets`,
    async generate(request, _signal, onCall) {
      asked.push(request)
      onCall(usage)
      const answer = given[asked.length - 1]!
      return typeof answer === 'string' ? { ok: true, value: completion(answer, name) } : { ok: false, failure: answer }
    },
  }
}

function execute(model: TrialModel, by: TrialModel | null, changes: Partial<OpenedBenchmark> = {}, resources?: TrialResources) {
  const benchmark: OpenedBenchmark = {
    planned,
    task: {
      score: (_item, evidence) => {
        const right = evidence.kind === 'judged' && evidence.judge?.replies.at(-1) === 'YES'
        return { value: right ? 1 : 0, outcome: right ? 'right' : 'wrong', answer: 'x', explanation: '', flags: [], detail: {} }
      },
    },
    solver: judged({
      ask: () => [{ role: 'user', content: '?' }],
      readable: (reply) => reply === 'YES' || reply === 'NO',
      retries: 1,
      schema: null,
    }),
    helpers: by ? { judge: by } : {},
    tables: noTables,
    item: () => item,
    ...changes,
  }
  return executeTrial(lease, benchmark, model, price, new AbortController().signal, resources)
}
const failure = (reason: string): Failure => ({ at: 'provider', reason, retryable: false, status: 401, detail: 'no' }) as Failure

test("[RUN42] the record counts the judge's calls, tokens and cost apart from the model's", async () => {
  const done = await execute(modelOf('m-1', 'Beta'), modelOf('j-1', 'hm', 'YES'))
  if (done.type !== 'record') throw new Error('no record')
  expect(TrialRecord.parse(done.record)).toEqual(done.record)
  expect(done.record).toMatchObject({ outcome: 'right', calls: 1, usage, model_reported: 'm-1', cost_usd: 0.00101, latency_ms: 5 })
  expect(done.record.roles?.judge).toEqual({
    model: 'lab/judge',
    model_reported: 'j-1',
    usage: { ...usage, input_tokens: 2000, output_tokens: 20 },
    cost_usd: 0.022,
    calls: 2,
  })
  expect(briefOf(done.record).roles).toEqual({ judge: { usage: done.record.roles!.judge!.usage, cost_usd: 0.022 } })
})

test('[RUN42] nothing is said of a judge that was not asked', async () => {
  const done = await execute(modelOf('m', ''), modelOf('j'))
  if (done.type !== 'record') throw new Error('no record')
  expect(done.record).not.toHaveProperty('roles')
  expect(briefOf(done.record)).not.toHaveProperty('roles')
  expect(done.record.outcome).toBe('wrong')
})

test('[RUN41] what fails at the judge is a failure of the judge, with what was used until then', async () => {
  const done = await execute(modelOf('m', 'Beta'), modelOf('j', failure('overloaded')))
  expect(done).toMatchObject({
    type: 'record',
    halt: null,
    record: { outcome: 'failed', score: null, failure: { at: 'judge', reason: 'overloaded' }, roles: { judge: { calls: 1 } }, calls: 1 },
  })
  const mute = await execute(modelOf('m', 'Beta'), modelOf('j', 'hm', 'hm'))
  expect(mute).toMatchObject({
    record: { outcome: 'failed', failure: { at: 'judge', reason: 'unreadable' }, roles: { judge: { calls: 2 } } },
  })
})

test("[RUN49] a judge's provider that refuses everything halts the run, and the answer that is paid for is on the record", async () => {
  const done = await execute(modelOf('m', 'Beta'), modelOf('j', failure('unauthorized')))
  expect(done).toMatchObject({
    type: 'record',
    halt: { failure: { at: 'judge', reason: 'unauthorized' }, until: 'j resets' },
    record: { outcome: 'failed', failure: { at: 'judge', reason: 'unauthorized' }, cost_usd: 0.00101 },
  })
  const model = await execute(modelOf('m', failure('payment-required')), modelOf('j'))
  expect(model).toMatchObject({ type: 'halt', halt: { failure: { at: 'provider' }, until: 'm resets' } })
})

test('[RUN103] a trial that halts the run in the middle of a dialogue says what its calls took until then', async () => {
  const done = await execute(modelOf('m', 'Once.', failure('payment-required')), null, {
    solver: async (asked, kit) => {
      for (;;) {
        const answered = answeredEvidence(await kit.ask('model', { messages: asked.messages }))
        if (!answered.ok) return answered
      }
    },
  })
  expect(done).toMatchObject({
    type: 'halt',
    halt: { failure: { at: 'provider', reason: 'payment-required' } },
    record: { outcome: 'failed', calls: 2, usage: { input_tokens: 2000, output_tokens: 20 }, cost_usd: 0.00202 },
  })
})

test('[RUN41] a benchmark that was planned without a judge cannot have its answers judged', async () => {
  const done = await execute(modelOf('m', 'Beta'), null, { planned: base })
  expect(done).toMatchObject({ type: 'record', record: { outcome: 'failed', failure: { at: 'solver', reason: 'error' } } })
})

test('[MODEL60] the model is shown the picture, and the record keeps its hash and no data', async () => {
  const model = modelOf('m', 'Beta')
  const done = await execute(model, modelOf('j', 'YES'))
  expect(model.asked[0]!.messages[0]!.pictures![0]!.data).toBe('data:image/png;base64,AAAA')
  if (done.type !== 'record') throw new Error('no record')
  expect(done.record.messages[0]!.pictures).toEqual([{ media_type: 'image/png', sha256: 'a'.repeat(64), bytes: 3 }])
  expect(item.messages[0]!.pictures![0]).toHaveProperty('data')
})

test('[SCORE19] an answer whose scorer lacks a table fails with its name and its reason, and other answers of the benchmark are scored', async () => {
  const task = (await findTask('ifeval'))!
  const row = (id: string, kwargs: Record<string, unknown>) => ({ key: 1, prompt: 'Write.', instruction_id_list: [id], kwargs: [kwargs] })
  const rows = [row('length_constraints:number_sentences', { num_sentences: 1, relation: 'at least' }), row('punctuation:no_comma', {})]
  const opened = await openLists(task, { profile: task.card.profiles[0]!, texts: {}, rows: { test: rows } })
  const plain = base
  const benchmark: OpenedBenchmark = {
    ...{ planned: plain, task, item: opened.item, solver: task.solver(plain.profile, {}), helpers: {} },
    tables: openTables({}, { punkt_english: 'the network is away' }),
  }
  const recordOf = async (item_id: string) => {
    const done = await executeTrial({ ...lease, item_id }, benchmark, modelOf('m', 'One sentence.'), price, new AbortController().signal)
    return done.type === 'record' ? done.record : expect.unreachable()
  }
  const detail = expect.stringMatching(/punkt_english.*the network is away/)
  expect(await recordOf('0')).toMatchObject({
    outcome: 'failed',
    score: null,
    failure: { at: 'scorer', reason: 'resource-missing', detail },
  })
  expect(await recordOf('1')).toMatchObject({ outcome: 'right', failure: null })
})

test('[RUN41] a solver that throws, and data that cannot be read, are failures of their places, and what is known is on the record', async () => {
  const thrown = await execute(modelOf('m'), null, { solver: () => Promise.reject(new Error('out of ideas')) })
  expect(thrown).toMatchObject({
    halt: null,
    record: { outcome: 'failed', item_hash: 'h', calls: 0, failure: { at: 'solver', reason: 'error', detail: 'out of ideas' } },
  })
  const rows: [Error, string][] = [
    [new BadRecord('test', 0, 'it has no question'), 'bad-record'],
    [new Error('the file is gone'), 'unavailable'],
  ]
  for (const [error, reason] of rows) {
    const unread = await execute(modelOf('m'), null, {
      item: () => {
        throw error
      },
    })
    expect(unread).toMatchObject({
      halt: null,
      record: { ...lease, source_id: null, item_hash: '', messages: [], expected: null, outcome: 'failed', calls: 0 },
    })
    expect(unread).toMatchObject({ record: { failure: { at: 'dataset', reason, detail: error.message } } })
  }
})

test('[FLEET97] a score that a thread could not give fails its trial, with the reason, and the answer is kept', async () => {
  const trouble = new ThreadTrouble('deadline', '"score" took longer than 60 s')
  const done = await execute(modelOf('m', 'Beta'), modelOf('j', 'YES'), { task: { score: () => Promise.reject(trouble) } })
  expect(done).toMatchObject({
    record: {
      outcome: 'failed',
      failure: { at: 'scorer', reason: 'error', retryable: false, detail: '"score" took longer than 60 s' },
      evidence: { text: 'Beta' },
    },
  })
})

test('[LANE17] a sandbox is closed before the transcript goes to a store that may let itself be waited for', async () => {
  const told: string[] = []
  const box = { exec: () => Promise.reject(new Error('unused')), read: async () => null, write: async () => 'written' as const }
  const provider: SandboxProvider = {
    open: async () => ({ ok: true, value: { ...box, [Symbol.asyncDispose]: async () => void told.push('closed') } }),
  }
  const resources: TrialResources = {
    ...noResources,
    sandboxes: [{ kind: 'bwrap', lane: 'sandbox', provider }],
    artifacts: {
      async keep() {
        told.push('kept')
        return { ok: true, value: { sha256: 'a'.repeat(64), bytes: 1 } }
      },
    },
  }
  const solver: OpenedBenchmark['solver'] = async (asked, kit) => {
    await kit.sandbox({ image: null, cpus: 1, memory_mb: 64, disk_mb: 64, network: false })
    kit.transcript.note('x'.repeat(mostInlineTranscript))
    return answeredEvidence(await kit.ask('model', { messages: asked.messages }))
  }
  const done = await execute(modelOf('m', 'Beta'), null, { solver }, resources)
  expect(done).toMatchObject({ record: { artifacts: [{ name: 'transcript.jsonl' }] } })
  expect(told).toEqual(['closed', 'kept'])
})

/** A solver whose answer is 3 MB, right by its last word alone. */
const lengthy: OpenedBenchmark['solver'] = async (asked, kit) => answeredEvidence(await kit.ask('model', { messages: asked.messages }))
const long = `${'So it goes. '.repeat(260_000)}Beta`
const lastWord: OpenedBenchmark['task'] = {
  score: (_item, evidence) => {
    const right = evidence.text.endsWith('Beta')
    return { value: right ? 1 : 0, outcome: right ? 'right' : 'wrong', answer: 'Beta', explanation: '', flags: [], detail: {} }
  },
}

test('[AGENT2] an answer of 3 MB is scored by all of it and kept apart, whole', async () => {
  const bodies: unknown[] = []
  const resources: TrialResources = {
    ...noResources,
    artifacts: {
      async keep({ body }) {
        bodies.push(JSON.parse(new TextDecoder().decode(body as Uint8Array)))
        return { ok: true, value: { sha256: 'a'.repeat(64), bytes: (body as Uint8Array).length } }
      },
    },
  }
  const done = await execute(modelOf('m', long), null, { solver: lengthy, task: lastWord }, resources)
  expect(done).toMatchObject({ type: 'record', record: { outcome: 'right', flags: ['answer_cut'], failure: null, calls: 1 } })
  expect(done.record.artifacts).toMatchObject([{ name: 'evidence.json' }])
  expect(bodies).toMatchObject([{ kind: 'completion', text: long }])
  expect(JSON.stringify(done.record).length).toBeLessThan(1_500_000)
  expect(TrialRecord.parse(done.record)).toEqual(done.record)
})

test('[AGENT2] a store that breaks, or none, fails such a trial with what it took; nothing is thrown', async () => {
  const breaking: TrialResources = { ...noResources, artifacts: { keep: () => Promise.reject(new RangeError('the disk is gone')) } }
  for (const [resources, detail] of [
    [breaking, 'the disk is gone'],
    [noResources, 'no store of artifacts'],
  ] as const) {
    const done = await execute(modelOf('m', long), null, { solver: lengthy, task: lastWord }, resources)
    const failure = { at: 'store', reason: 'unavailable', retryable: false, detail: expect.stringContaining(detail) }
    expect(done).toMatchObject({ type: 'record', halt: null, record: { outcome: 'failed', score: null, failure, calls: 1, usage } })
  }
})
