import { expect, test } from 'vitest'
import { mostArtifacts } from '#shared/contract/artifact.ts'
import type { Failure } from '#shared/contract/failure.ts'
import type { PlannedRole } from '#shared/contract/role.ts'
import { mostInlineTranscript, Step } from '#shared/contract/transcript.ts'
import { noTrialLimits, type TrialLimits } from '#shared/contract/trial-limits.ts'
import { costUsd } from '#shared/contract/usage.ts'
import { testSpec } from '#shared/run/testing/test-spec.ts'
import { said } from '#shared/solvers/testing/said.ts'
import { createKit, type TrialContext } from './create-kit.ts'
import { noResources, type SandboxProvider, type TrialResources } from './resources.ts'
import { handClock } from './testing/hand-clock.ts'
import { modelOf, usage } from './testing/model-of.ts'
import { keptTranscript, spentRecord } from './to-record.ts'

const base = testSpec().benchmarks[0]!
const price = { input_per_million_usd: 1000, output_per_million_usd: 0, cached_input_per_million_usd: null }
const helper = (slug: string): PlannedRole => ({
  model: { id: slug, slug, provider: 'p' },
  price: { ...price, input_per_million_usd: 10 },
  params: { ...base.params, max_tokens: 7 },
  schema: false,
})
const first = [{ role: 'user' as const, content: 'Begin.' }]
const item = { item_id: '0', source_id: null, item_hash: '', group: null, messages: first, target: '', metadata: {} }
const lease = { ordinal: 3, attempt: 2, benchmark: 'alpha', item_id: '0', epoch: 0 }

function open(changes: Partial<TrialContext> = {}, limits: Partial<TrialLimits> = {}, resources: Partial<TrialResources> = {}) {
  const time = handClock()
  const planned = {
    ...base,
    roles: { judge: helper('lab/judge'), user: helper('lab/user') },
    trial_limits: { ...noTrialLimits, ...limits },
  }
  const context: TrialContext = {
    lease,
    planned,
    model: modelOf(),
    helpers: {},
    price,
    signal: new AbortController().signal,
    first,
    resources: { ...noResources, clock: time.clock, ...resources },
    ...changes,
  }
  const opened = createKit(context)
  const recordNow = async () => {
    const told = await keptTranscript(opened)
    const score = { value: 1, outcome: 'right' as const, answer: null, explanation: '', flags: [], detail: {} }
    return spentRecord(lease, planned, item, opened, price, { ok: true, value: score }, null, told)
  }
  return { ...opened, time, recordNow }
}
const ask = { messages: first }

test('[KIT1] model, judge and user are asked with their own parameters, and what each took stands apart', async () => {
  const [model, judge, user] = [modelOf('a', 'b'), modelOf('YES'), modelOf('go on')]
  const { kit, recordNow } = open({ model, helpers: { judge, user } })
  await kit.ask('model', ask)
  await kit.ask('user', ask)
  await kit.ask('model', ask)
  await kit.ask('judge', { messages: first, params: { ...base.params, max_tokens: 99 } })
  expect([model.asked[0]?.params, user.asked[0]?.params.max_tokens, judge.asked[0]?.params.max_tokens]).toEqual([base.params, 7, 99])
  const record = await recordNow()
  expect(record).toMatchObject({ calls: 2, usage: { input_tokens: 200 }, cost_usd: costUsd({ ...usage, input_tokens: 200 }, price) })
  expect(record.roles).toEqual({
    judge: { model: 'lab/judge', model_reported: null, usage, cost_usd: 0.001, calls: 1 },
    user: { model: 'lab/user', model_reported: null, usage, cost_usd: 0.001, calls: 1 },
  })
})

test('[KIT1] what fails at a helper is a failure of its place, and a role that was not planned fails as the solver’s', async () => {
  const failure: Failure = { at: 'provider', reason: 'overloaded', retryable: true, status: 503, detail: '' }
  const { kit } = open({ model: modelOf(failure), helpers: { user: modelOf(failure) } })
  expect(await kit.ask('user', ask)).toEqual({ ok: false, failure: { ...failure, at: 'user' } })
  expect(await kit.ask('model', ask)).toEqual({ ok: false, failure })
  expect(await kit.ask('judge', ask)).toMatchObject({ failure: { at: 'solver', detail: 'alpha was planned without a judge.' } })
})

test('[KIT3] every step is recorded with its time, and a call keeps only the messages that its role had not been sent', async () => {
  const call = { id: 'c1', name: 'look', arguments: '{"at":"sky"}' }
  const tools = [{ name: 'look', description: '', parameters: {} }]
  const { kit, transcript, time } = open({ model: modelOf({ ...said(''), tool_calls: [call] }, 'Blue.') })
  await kit.ask('model', { ...ask, tools })
  time.pass(40)
  kit.transcript.toolCall(call, { result: 'blue', is_error: false, took_ms: 3 })
  const next = [
    ...first,
    { role: 'assistant' as const, content: '', tool_calls: [call] },
    { role: 'tool' as const, content: 'blue', tool_call_id: 'c1' },
  ]
  await kit.ask('model', { messages: next, tools })
  kit.transcript.note('done')
  const steps = transcript.steps.map((step) => Step.parse(step))
  expect(steps).toEqual(transcript.steps)
  expect(steps).toMatchObject([
    { type: 'model_call', at_ms: 0, role: 'model', known: 1, messages: [], tools: ['look'], reply: { tool_calls: [call] }, usage },
    { type: 'tool_call', at_ms: 40, took_ms: 3, call_id: 'c1', name: 'look', arguments: '{"at":"sky"}', result: 'blue' },
    { type: 'model_call', at_ms: 40, known: 1, messages: next.slice(1), reply: { text: 'Blue.' } },
    { type: 'note', at_ms: 40, text: 'done' },
  ])
})

test('[KIT4] one answered call leaves no transcript, more of them lie in the record, and long ones are an artifact or named as lost', async () => {
  const single = open({ model: modelOf('a') })
  await single.kit.ask('model', ask)
  expect(await single.recordNow()).not.toHaveProperty('transcript')
  const double = open({ model: modelOf('a', 'b') })
  await double.kit.ask('model', ask)
  await double.kit.ask('model', ask)
  expect((await double.recordNow()).transcript).toHaveLength(2)
  const kept: Uint8Array[] = []
  const artifacts: TrialResources['artifacts'] = {
    async keep({ body }) {
      kept.push(body as Uint8Array)
      return { ok: true, value: { sha256: 'a'.repeat(64), bytes: (body as Uint8Array).length } }
    },
  }
  const long = open({}, {}, { artifacts })
  for (const text of ['x', 'y']) long.kit.transcript.note(text.repeat(mostInlineTranscript / 2))
  const record = await long.recordNow()
  expect(record).not.toHaveProperty('transcript')
  expect(record.artifacts).toMatchObject([{ name: 'transcript.jsonl', kind: 'transcript', bytes: kept[0]!.length }])
  const lines = new TextDecoder().decode(kept[0]).trimEnd().split('\n')
  expect(lines.map((line) => Step.parse(JSON.parse(line)).type)).toEqual(['note', 'note'])
  const nowhere = open()
  nowhere.kit.transcript.note('z'.repeat(mostInlineTranscript))
  expect((await nowhere.recordNow()).flags).toEqual(['transcript_lost'])
})

test('[KIT5] turns, tokens and dollars end a conversation before its next request, once for all; a judge is asked beyond it', async () => {
  const cases: [Partial<TrialLimits>, number][] = [
    [{ turns: 2 }, 2],
    [{ tokens: 111 }, 2],
    [{ usd: 0.15 }, 2],
    [{}, 3],
  ]
  for (const [limits, turns] of cases) {
    const model = modelOf('a', 'b', 'c')
    const { kit, transcript } = open({ model, helpers: { judge: modelOf('YES'), user: modelOf('u') } }, limits)
    const answers = [await kit.ask('model', ask), await kit.ask('model', ask), await kit.ask('model', ask)]
    expect([limits, model.asked.length]).toEqual([limits, turns])
    if (turns === 3) continue
    const [[limit, most]] = Object.entries(limits) as [[string, number]]
    expect(answers[2]).toEqual({ ok: false, limit: { limit, most } })
    expect(kit.limit()).toEqual({ limit, most })
    expect(await kit.ask('user', ask)).toHaveProperty('limit')
    expect(await kit.ask('judge', ask)).toMatchObject({ ok: true })
    expect(transcript.steps.filter((step) => step.type === 'limit')).toHaveLength(1)
  }
})

test('[KIT5] the time of a trial ends a request under way; a trial that is given up is no limit', async () => {
  const { kit, time, transcript, close } = open({ model: modelOf(new Promise<never>(() => undefined)) }, { seconds: 60 })
  const asked = kit.ask('model', ask)
  time.pass(59_999)
  time.pass(1)
  expect(time.timers).toEqual([])
  expect(await asked).toEqual({ ok: false, limit: { limit: 'seconds', most: 60 } })
  expect(transcript.steps.map((step) => step.type)).toEqual(['model_call', 'limit'])
  await close()

  const abort = new AbortController()
  const gone = open({ model: modelOf(new Promise<never>(() => undefined)), signal: abort.signal }, { seconds: 60 })
  const left = gone.kit.ask('model', ask)
  abort.abort(new Error('dropped'))
  await expect(left).rejects.toThrow('dropped')
  await gone.close()
  expect(gone.time.timers).toEqual([])
})

test('[KIT6] [SBX72] sandboxes know whose they are, are closed when the trial ends, their commands are in the transcript; without any the sandbox fails', async () => {
  const closed: unknown[] = []
  const bytes = (text: string) => new TextEncoder().encode(text)
  const provider: SandboxProvider = {
    open: async (...asked) => ({
      ok: true,
      value: {
        exec: async () => ({ end: 'exited', exit_code: 3, stdout: bytes('o'.repeat(20_000)), stderr: bytes('bad') }),
        read: async () => null,
        write: async () => 'written' as const,
        [Symbol.asyncDispose]: async () => void closed.push('closed', asked[2]),
      },
    }),
  }
  const spec = { image: null, cpus: 1, memory_mb: 64, disk_mb: 64, network: false }
  const { kit, transcript, close } = open({}, {}, { run_id: 'run', sandboxes: [{ kind: 'bwrap', lane: 'sandbox', provider }] })
  const sandbox = await kit.sandbox(spec)
  if (!sandbox.ok) throw new Error('no sandbox')
  await sandbox.value.exec({ argv: ['sh', '-c', "echo 'a b'"], timeout_ms: 1, output_bytes: 1 })
  expect(transcript.steps).toMatchObject([
    { type: 'exec', command: "sh -c 'echo '\\''a b'\\'''", end: 'exited', exit_code: 3, output_bytes: 20_003 },
  ])
  const [step] = transcript.steps
  expect(step?.type === 'exec' && step.output).toMatch(/^o{8192}\n\[3616 bytes left out\]\no{8192}\nbad$/)
  expect(closed).toEqual([])
  await close()
  expect(closed).toEqual(['closed', { ...lease, run_id: 'run' }])
  expect(await open().kit.sandbox(spec)).toMatchObject({ ok: false, failure: { at: 'sandbox', reason: 'unavailable', retryable: true } })
})

test('[KIT7] artifacts are kept within their limits; a second of the same name takes its place; no store is a failure of the store', async () => {
  const artifacts: TrialResources['artifacts'] = {
    async keep({ body }) {
      let bytes = 0
      if (body instanceof Uint8Array) bytes = body.length
      else for await (const chunk of body) bytes += chunk.length
      return { ok: true, value: { sha256: 'b'.repeat(64), bytes } }
    },
  }
  const opened = open({}, {}, { artifacts })
  const { kit } = opened
  const keep = (name: string, body: Uint8Array | AsyncIterable<Uint8Array>) =>
    kit.keep({ name, kind: 'picture', media_type: 'image/png', body })
  await keep('a/one.png', new Uint8Array(5))
  await keep('a/one.png', new Uint8Array(6))
  expect(opened.artifacts()).toEqual([{ name: 'a/one.png', kind: 'picture', media_type: 'image/png', bytes: 6, sha256: 'b'.repeat(64) }])
  const tooLarge = { ok: false, failure: { at: 'store', reason: 'too-large', retryable: false } }
  const endless = (async function* () {
    for (;;) yield new Uint8Array(2 ** 20)
  })()
  expect(await keep('big', endless)).toMatchObject(tooLarge)
  for (const name of ['../up', '/root', 'a//b', '', 'a/../b']) expect(await keep(name, new Uint8Array(1))).toMatchObject(tooLarge)
  for (let index = 1; index < mostArtifacts; index++) expect(await keep(`f${index}`, new Uint8Array(1))).toMatchObject({ ok: true })
  expect(await keep('one-too-many', new Uint8Array(1))).toMatchObject(tooLarge)
  const broken = open({}, {}, { artifacts: { keep: () => Promise.reject(new RangeError('the disk is gone')) } })
  expect(await broken.kit.keep({ name: 'a', kind: 'log', media_type: 'text/plain', body: new Uint8Array() })).toMatchObject({
    ok: false,
    failure: { at: 'store', reason: 'unavailable', detail: expect.stringContaining('the disk is gone') },
  })
  expect(await open().kit.keep({ name: 'a', kind: 'log', media_type: 'text/plain', body: new Uint8Array() })).toMatchObject({
    ok: false,
    failure: { at: 'store', reason: 'unavailable', retryable: true },
  })
})

test('[KIT8] the seed is the same for every attempt at an item and epoch, and another for another', () => {
  const seed = (changes: object) => open({ lease: { ...lease, ...changes } }).kit.seed()
  expect(seed({})).toBe(3_504_759_801)
  expect(seed({ attempt: 5, ordinal: 9 })).toBe(seed({}))
  expect(new Set([seed({}), seed({ epoch: 1 }), seed({ item_id: '1' }), seed({ benchmark: 'beta' })]).size).toBe(4)
})

test('[PROV26] what a provider told beside its only answer is kept in a transcript', async () => {
  const aside = { request_ids: { 'x-request-id': 'r-3' }, cost_usd: 0.02 }
  const { kit, recordNow } = open({ model: modelOf({ ...said('A'), aside }) })
  await kit.ask('model', ask)
  const { transcript } = await recordNow()
  expect(transcript?.map((step) => Step.parse(step))).toMatchObject([{ type: 'model_call', aside }])
})
