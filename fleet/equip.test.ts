import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { exampleSpec } from '#db/example-run.ts'
import type { Outcome } from '#shared/contract/failure.ts'
import { RunId } from '#shared/contract/ids.ts'
import type { ModelParams } from '#shared/contract/message.ts'
import type { Lease } from '#shared/contract/trial.ts'
import { plannedReplay } from '#shared/run/replay.ts'
import { datasetEnv } from './dataset/dataset-env.ts'
import { createEquip } from './equip.ts'
import { ownRateGate } from './model/rate-gate.ts'
import { benchmarksDir } from './program.ts'
import { openLmStudio } from './testing/lmstudio-server.ts'
import { createKit } from './trial/create-kit.ts'

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

/** A provider that keeps every request for a moment, and how many it had at once at most. */
async function holdingProvider() {
  const seen = { now: 0, most: 0, answered: 0 }
  const server = createServer((request, response) => {
    request.resume()
    seen.most = Math.max(seen.most, ++seen.now)
    setTimeout(() => {
      seen.now--
      seen.answered++
      response.end('data: {"choices":[{"delta":{"content":"A"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n')
    }, 30)
  })
  ends.push(() => server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { seen, base_url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` }
}

test('[LANE16] however many runs and keys there are, an agent has no more requests under way than its slots', async () => {
  const { seen, base_url } = await holdingProvider()
  const spec = { ...exampleSpec(), benchmarks: [], model: { id: 'm', slug: 'm', provider: 'p' } }
  const equip = createEquip({
    providers: [{ id: 'p', label: 'p', kind: 'openai', base_url, models: [], api_key: 'agent-key' }],
    env: datasetEnv({}, { cacheDir: '.', benchmarksDir }),
    slots: 2,
    gateOf: () => ownRateGate(null),
    artifactsOf: () => ({ keep: () => Promise.reject(new Error('nothing is kept here')) }),
    replayOf: () => Promise.reject(new Error('nothing is replayed here')),
  })
  const lease: Lease = { ordinal: 0, attempt: 1, benchmark: 'alpha', item_id: '0', epoch: 0 }
  const asked = [false, true].map(async (own_credential, n) => {
    const run_id = RunId.parse(`11111111-1111-4111-8111-11111111111${n}`)
    const made = await equip({ ...spec, run_id, own_credential }, () => `owner-key-${n}`, 2)
    if (!made.ok) throw new Error(made.failure.detail)
    const { model, resources, close } = made.value
    if (typeof model === 'function') throw new Error('a model is asked here')
    expect(resources?.run_id).toBe(run_id)
    ends.push(close)
    const planned = exampleSpec().benchmarks[0]!
    const first = [{ role: 'user' as const, content: 'x' }]
    const context = { lease, planned, model, helpers: {}, price: null, signal: new AbortController().signal, first, resources: resources! }
    return Promise.all([1, 2, 3].map(() => createKit(context).kit.ask('model', { messages: first })))
  })
  for (const answers of await Promise.all(asked)) for (const answer of answers) expect(answer).toMatchObject({ ok: true })
  expect(seen).toEqual({ now: 0, most: 2, answered: 6 })
})

test('[PROV520] a run asks the server below /v1 where its address has no path and the agent started before it', async () => {
  const paths: (string | undefined)[] = []
  const server = createServer(({ url }, response) => {
    paths.push(url)
    response.statusCode = url?.startsWith('/v1/') ? 200 : 404
    if (url === '/v1/models') return response.end(JSON.stringify({ data: [{ id: 'm' }] }))
    response.end('data: {"choices":[{"delta":{"content":"A"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n')
  })
  ends.push(() => server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const made = await createEquip({
    providers: [
      { id: 'p', label: 'p', kind: 'openai', base_url, models: [], api_key: null },
      { id: 'other', label: 'other', kind: 'openai', base_url, models: [], api_key: null },
    ],
    env: datasetEnv({}, { cacheDir: '.', benchmarksDir }),
    slots: 2,
    gateOf: () => ownRateGate(null),
    artifactsOf: () => ({ keep: () => Promise.reject(new Error('nothing is kept here')) }),
    replayOf: () => Promise.reject(new Error('nothing is replayed here')),
  })({ ...exampleSpec(), benchmarks: [], model: { id: 'm', slug: 'm', provider: 'p' } }, () => null, 2)
  if (!made.ok || typeof made.value.model === 'function') throw new Error('a model is asked here')
  ends.push(made.value.close)
  const lease: Lease = { ordinal: 0, attempt: 1, benchmark: 'alpha', item_id: '0', epoch: 0 }
  const first = [{ role: 'user' as const, content: 'x' }]
  const { model, resources } = made.value
  const planned = exampleSpec().benchmarks[0]!
  const context = { lease, planned, model, helpers: {}, price: null, signal: new AbortController().signal, first, resources: resources! }
  expect(await createKit(context).kit.ask('model', { messages: first })).toMatchObject({ ok: true })
  expect(paths).toEqual(['/models', '/v1/models', '/v1/chat/completions'])
})

test('[RUN114] a replay needs no provider, and begins only with the answers of its plan', async () => {
  const answers = [{ texts: ['A'] }]
  const spec = {
    ...exampleSpec(),
    benchmarks: [],
    model: { id: 'kept', slug: 'kept', provider: 'replay' },
    replay: plannedReplay(answers),
  }
  const open = (kept: Outcome<unknown>) =>
    createEquip({
      providers: [],
      env: datasetEnv({}, { cacheDir: '.', benchmarksDir }),
      slots: 2,
      gateOf: () => ownRateGate(null),
      artifactsOf: () => ({ keep: () => Promise.reject(new Error('nothing is kept here')) }),
      replayOf: async (run_id) => (run_id === spec.run_id ? kept : Promise.reject(new Error('another run'))),
    })(spec, () => null, 2)
  const made = await open({ ok: true, value: answers })
  if (!made.ok) throw new Error(made.failure.detail)
  ends.push(made.value.close)
  expect([typeof made.value.model, made.value.pulse?.()]).toEqual(['function', []])
  expect(await open({ ok: true, value: [{ texts: ['B'] }] })).toMatchObject({ ok: false, failure: { at: 'replay', reason: 'mismatch' } })
  const failure = { at: 'replay' as const, reason: 'unavailable' as const, retryable: true, status: 503, detail: 'away' }
  expect(await open({ ok: false, failure })).toEqual({ ok: false, failure })
})

test('[PROV16] an agent whose provider is another than the service took it for asks nothing that it would ignore', async () => {
  const { seen, base_url } = await holdingProvider()
  const [planned] = exampleSpec().benchmarks
  const open = (asked: Partial<ModelParams>, kind: 'openai' | 'openrouter') => {
    const benchmarks = [{ ...planned!, params: { ...planned!.params, ...asked } }]
    return createEquip({
      providers: [{ id: 'p', label: 'Box', kind, base_url, models: [], api_key: null }],
      env: datasetEnv({}, { cacheDir: '.', benchmarksDir }),
      slots: 2,
      gateOf: () => ownRateGate(null),
      artifactsOf: () => ({ keep: () => Promise.reject(new Error('nothing is kept here')) }),
      replayOf: () => Promise.reject(new Error('nothing is replayed here')),
    })({ ...exampleSpec(), benchmarks, model: { id: 'm', slug: 'm', provider: 'p' } }, () => null, 2)
  }
  const routing = { order: ['deepinfra'] }
  expect(await open({ routing }, 'openai')).toMatchObject({
    ok: false,
    failure: {
      at: 'provider',
      reason: 'bad-request',
      detail: expect.stringContaining('As this agent has p configured: Box has no upstream'),
    },
  })
  // The example benchmark is no real one, so that it goes no further than that; but it does go on.
  expect(await open({ routing }, 'openrouter')).not.toMatchObject({ failure: { at: 'provider' } })
  expect(seen.answered).toBe(0)
})

test('[PROV21] a run whose model cannot be loaded is not made ready, planned with a pre-flight or without; a replay loads nothing', async () => {
  await using server = await openLmStudio({ room: 1, loaded: ['lab/other'] })
  const answers = [{ texts: ['A'] }]
  const open = (slug: string, replayed: boolean) =>
    createEquip({
      providers: [{ id: 'p', label: 'LM Studio', kind: 'lmstudio', base_url: server.base_url, models: [], api_key: null }],
      env: datasetEnv({}, { cacheDir: '.', benchmarksDir }),
      slots: 2,
      gateOf: () => ownRateGate(null),
      artifactsOf: () => ({ keep: () => Promise.reject(new Error('nothing is kept here')) }),
      replayOf: async () => ({ ok: true, value: answers }),
    })(
      { ...exampleSpec(), benchmarks: [], model: { id: slug, slug, provider: 'p' }, ...(replayed && { replay: plannedReplay(answers) }) },
      () => null,
      2,
    )
  const [full, there, replay] = [await open('qwen/qwen3-4b', false), await open('lab/other', false), await open('qwen/qwen3-4b', true)]
  for (const made of [there, replay]) if (made.ok) ends.push(made.value.close)
  expect([full, there.ok, replay.ok]).toEqual([
    {
      ok: false,
      failure: expect.objectContaining({ at: 'provider', reason: 'not-found', detail: expect.stringContaining('not enough memory') }),
    },
    true,
    true,
  ])
})
