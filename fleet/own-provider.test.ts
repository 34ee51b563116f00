import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { exampleSpec } from '#db/example-run.ts'
import type { Lease } from '#shared/contract/trial.ts'
import { initialHead } from '#shared/run/apply.ts'
import { matchFleet } from '#shared/run/match/match-fleet.ts'
import { matchRunOf } from '#shared/run/match/match-run.ts'
import { testSpec } from '#shared/run/testing/test-spec.ts'
import { datasetEnv } from './dataset/dataset-env.ts'
import { createEquip } from './equip.ts'
import { ownRateGate } from './model/rate-gate.ts'
import { benchmarksDir } from './program.ts'
import { capabilitiesOf } from './provider.ts'
import { createKit } from './trial/create-kit.ts'

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

/** A server that takes one key and repeats the words that it is asked with. */
async function serving(key: string) {
  const seen: (string | undefined)[] = []
  const server = createServer((request, response) => {
    request.resume()
    const { authorization } = request.headers
    seen.push(authorization)
    response.statusCode = authorization === `Bearer ${key}` ? 200 : 401
    if (response.statusCode !== 200) return response.end('{"error":{"message":"no such key"}}')
    const content = `It is agents-own-key-0123 and ${authorization}`
    response.end(`data: ${JSON.stringify({ choices: [{ delta: { content }, finish_reason: 'stop' }] })}\n\ndata: [DONE]\n\n`)
  })
  ends.push(() => server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { seen, base_url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` } // a listening TCP server has an address record
}

test('[OWNKEY8] a run is asked at the provider that it names with its owner’s key, in place of the agent’s own; a replaced key is taken after a 401', async () => {
  const [theirs, owners] = [await serving('agents-own-key-0123'), await serving('owner-key-2-0123')]
  const spec = {
    ...exampleSpec(),
    ...{ benchmarks: [], model: { id: 'm', slug: 'm', provider: 'openrouter' }, own_credential: true },
    own_provider: { id: 'openrouter', label: 'OpenRouter', kind: 'openai' as const, base_url: owners.base_url },
  }
  let key = 'owner-key-1-0123'
  const renewed: string[] = []
  const made = await createEquip({
    providers: [{ id: 'openrouter', label: 'x', kind: 'openai', base_url: theirs.base_url, models: [], api_key: 'agents-own-key-0123' }],
    env: datasetEnv({}, { cacheDir: '.', benchmarksDir }),
    slots: 2,
    gateOf: () => ownRateGate(null),
    artifactsOf: () => ({ keep: () => Promise.reject(new Error('nothing is kept here')) }),
    replayOf: () => Promise.reject(new Error('nothing is replayed here')),
  })(
    spec,
    () => key,
    2,
    async (refused) => {
      renewed.push(refused)
      key = 'owner-key-2-0123'
    },
  )
  if (!made.ok || typeof made.value.model === 'function') throw new Error('a model is asked here')
  ends.push(made.value.close)
  const { model, resources } = made.value
  const lease: Lease = { ordinal: 0, attempt: 1, benchmark: 'alpha', item_id: '0', epoch: 0 }
  const first = [{ role: 'user' as const, content: 'x' }]
  const planned = exampleSpec().benchmarks[0]!
  const context = { lease, planned, model, helpers: {}, price: null, signal: new AbortController().signal, first, resources: resources! }
  const answer = await createKit(context).kit.ask('model', { messages: first })
  expect(answer).toMatchObject({ ok: true, value: { text: 'It is [redacted] and Bearer [redacted]' } })
  expect([owners.seen, theirs.seen, renewed]).toEqual([['Bearer owner-key-1-0123', 'Bearer owner-key-2-0123'], [], ['owner-key-1-0123']])
})

test('[OWNKEY8] such a run goes to any agent of this version, whatever its providers, and to no older one', () => {
  const own_provider = { id: 'gw.example', label: 'gw.example', kind: 'openai' as const, base_url: 'https://gw.example/v1' }
  const spec = { ...testSpec(), own_credential: true, own_provider }
  const run = matchRunOf({ ...spec, model: { ...spec.model, provider: own_provider.id } }, initialHead(spec))
  const isGiven = (capabilities: string[]) =>
    (matchFleet([run], [{ session: 's', slots: 5, sandboxes: [], capabilities }]).get('s') ?? []).length > 0
  expect([isGiven(['llm', ...capabilitiesOf([])]), isGiven(['llm', 'provider:gw.example', 'own-key:gw.example'])]).toEqual([true, false])
})
