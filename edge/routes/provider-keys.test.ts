import { expect, test } from 'vitest'
import type { ProviderKey, ProviderKeyList } from '#shared/contract/provider-keys.ts'
import { chutesOwnerId } from '../auth/chutes-owner.ts'
import { openSeal, providerKeyContext } from '../auth/seal.ts'
import { asAdmin, bearer, chutesKey, giveKey, openApp } from '../testing/call-app.ts'
import { exampleModel } from '../testing/example-records.ts'
import { openSignIn } from '../testing/sign-in-stage.ts'

const secret = 'sk-or-v1-0123456789abcdef0123456789abcdef'
const openRouter = 'https://openrouter.ai/api/v1'
const listed = { id: 'vendor/model', context_length: 4096, pricing: { prompt: '0.000001', completion: '0.000002' } }
const run = { model_id: 'vendor/model', provider: 'openrouter', selected_benchmarks: ['mmlu_pro'] }

/** Two people who have signed in, and an OpenRouter that answers. */
async function twoPeople() {
  const stage = openSignIn()
  stage.answers.set(`${openRouter}/models`, () => Response.json({ data: [listed] }))
  stage.answers.set(`${openRouter}/key`, () => Response.json({ data: {} }))
  stage.deps.config.access.own_provider_origins = ['https://gw.example']
  const [ada, grace] = [stage.browser(), stage.browser()]
  await ada.signIn()
  await grace.signIn('/', (form) => form.set('person', 'd4e5f6'))
  const [owner, other] = [...stage.record.sessions.values()].map(({ owner_id }) => owner_id)
  return { ...stage, ada, grace, owner: owner!, other: other! }
}
type Who = Awaited<ReturnType<typeof twoPeople>>['ada']
const save = (who: Who, body: object = { provider: 'openrouter', key: secret }) => who.call('POST', '/api/provider-keys', { body })
const listOf = async (who: Who) => (await (await who.call('GET', '/api/provider-keys')).json()) as ProviderKeyList
const detailOf = async (answer: Response) => ((await answer.json()) as { detail: string }).detail

test('[OWNKEY1] a saved key is sealed for its owner, provider and address, and no answer or entry shows more than its last four characters', async () => {
  const { ada, record, deps, owner } = await twoPeople()
  const saved = await save(ada)
  expect(saved.status).toBe(201)
  const [row] = record.providerKeys.values()
  expect(row!.sealed).not.toContain(secret)
  const context = { owner_id: owner, provider: 'openrouter', base_url: openRouter }
  expect(await deps.seal.open(row!.sealed, providerKeyContext(context))).toBe(secret)
  for (const changed of [{ owner_id: 'other' }, { provider: 'openai' }, { base_url: 'https://gw.example/v1' }])
    await expect(deps.seal.open(row!.sealed, providerKeyContext({ ...context, ...changed }))).rejects.toThrow('does not open')
  const told = [await saved.text(), JSON.stringify(await listOf(ada)), JSON.stringify(record.audit)]
  for (const text of told) {
    expect(text).toContain('cdef')
    for (const part of [secret, secret.slice(-5), row!.sealed]) expect(text).not.toContain(part)
  }
  expect(record.audit.at(-1)).toMatchObject({ action: 'provider-key.save', target: 'provider-key:openrouter', owner_id: owner })
})

test('[OWNKEY1] without a seal nothing is kept; a key of this service manages none; anywhere else a key in a body is refused', async () => {
  const app = openApp()
  const body = { provider: 'openai', key: secret }
  expect((await app.call('POST', '/api/provider-keys', { body, headers: bearer(await giveKey(app, 'owner')) })).status).toBe(403)
  expect((await app.call('POST', '/api/keys', { body: { name: secret }, headers: asAdmin })).status).toBe(422)
  app.deps.seal = openSeal(undefined)
  expect((await app.call('POST', '/api/provider-keys', { body, headers: asAdmin })).status).toBe(501)
  expect(app.record.providerKeys.size).toBe(0)
})

test('[OWNKEY2] a key is for a provider that is known or an origin that the operator allows, without query and password', async () => {
  const { ada, record, fetched } = await twoPeople()
  const refused = async (body: object) => {
    const answer = await save(ada, { key: secret, ...body })
    return [answer.status, await detailOf(answer)]
  }
  expect(await refused({})).toEqual([422, expect.stringContaining('provider or base_url')])
  expect(await refused({ provider: 'nobody' })).toEqual([422, expect.stringContaining('openrouter, openai, chutes')])
  for (const base_url of ['https://evil.example/v1', 'https://gw.example.evil/v1', 'http://gw.example/v1', 'https://gw.example:8443/v1'])
    expect(await refused({ base_url })).toEqual([422, expect.stringContaining('Allowed: https://gw.example.')])
  for (const base_url of ['https://gw.example/v1?key=1', 'https://a:b@gw.example/v1'])
    expect(await refused({ base_url })).toEqual([422, expect.stringContaining('no query, user name or password')])
  expect(await refused({ base_url: 'gw.example' })).toEqual([422, expect.stringContaining('https://')])
  expect([record.providerKeys.size, fetched]).toEqual([0, []])
  expect((await save(ada, { base_url: 'https://gw.example/team/v1/chat/completions', key: secret })).status).toBe(201)
  expect([...record.providerKeys.values()]).toMatchObject([
    { provider: 'gw.example', base_url: 'https://gw.example/team/v1', kind: 'openai' },
  ])
})

test('[OWNKEY4] one key at a provider, a bounded number of them, and nobody else’s', async () => {
  const { ada, grace, record, deps } = await twoPeople()
  await save(ada)
  const [first] = record.providerKeys.values()
  expect((await save(ada, { provider: 'openrouter', key: `${secret}0000` })).status).toBe(201)
  expect([...record.providerKeys.values()]).toMatchObject([{ id: first!.id, last4: '0000' }])
  expect((await listOf(grace)).keys).toEqual([])
  expect((await grace.call('DELETE', '/api/provider-keys/openrouter')).status).toBe(404)
  deps.config.access.own_provider_origins = Array.from({ length: 10 }, (_, at) => `https://gw${at}.example`)
  const more = await Promise.all(
    deps.config.access.own_provider_origins.map((origin) => save(ada, { base_url: `${origin}/v1`, key: secret })),
  )
  expect(more.map(({ status }) => status).sort()).toEqual([...Array.from({ length: 9 }, () => 201), 422])
  expect((await save(ada)).status).toBe(201)
  expect((await ada.call('DELETE', '/api/provider-keys/openrouter')).status).toBe(200)
  expect((await listOf(ada)).keys).toHaveLength(9)
})

test('[OWNKEY5] a run on a model of that provider is paid with its owner’s key and names the provider; nobody else’s run is', async () => {
  const { ada, grace, record, deps, owner } = await twoPeople()
  await save(ada)
  const [key] = record.providerKeys.values()
  const started = await ada.call('POST', '/api/runs', { body: run })
  expect(started.status).toBe(201)
  const { id } = (await started.json()) as { id: string }
  const { spec } = record.runs.get(id)!
  expect(spec).toMatchObject({
    owner_id: owner,
    visibility: 'private',
    own_credential: true,
    own_provider: { id: 'openrouter', label: 'OpenRouter', kind: 'openrouter', base_url: openRouter },
    price: { input_per_million_usd: 1, output_per_million_usd: 2 },
  })
  expect(await deps.seal.open(record.credentials.get(id)!, `credential|${owner}|${id}`)).toBe(`provider-key ${key!.id}`)
  expect((await grace.call('POST', '/api/runs', { body: run })).status).toBe(400)
  expect((await grace.call('POST', '/api/runs', { body: { ...run, provider: null } })).status).toBe(404)
  // A model of Chutes is paid as before, and so is what the demo model answers.
  for (const [model_id, own_credential] of [
    [exampleModel().id, true],
    ['demo/coin', false],
  ] as const) {
    const other = (await (await ada.call('POST', '/api/runs', { body: { ...run, model_id, provider: null } })).json()) as { id: string }
    expect(record.runs.get(other.id)!.spec).toMatchObject({ own_credential })
    expect(record.runs.get(other.id)!.spec.own_provider).toBeUndefined()
  }
})

test('[OWNKEY5] a saved Chutes key pays at Chutes before a session does, and a key that came with the request before both', async () => {
  const app = openApp()
  app.record.models.set(exampleModel().id, exampleModel())
  const body = { model_id: exampleModel().id, selected_benchmarks: ['mmlu_pro'] }
  const sealedIn = async (headers: Record<string, string>) => {
    const { id } = (await (await app.call('POST', '/api/runs', { body, headers })).json()) as { id: string }
    const { owner_id } = app.record.runs.get(id)!.spec
    return app.deps.seal.open(app.record.credentials.get(id)!, `credential|${owner_id}|${id}`)
  }
  const withKey = bearer(await giveKey(app, 'admin'))
  expect((await app.call('POST', '/api/provider-keys', { body: { provider: 'chutes', key: chutesKey }, headers: asAdmin })).status).toBe(
    201,
  )
  expect(await sealedIn(withKey)).toMatch(/^provider-key /)
  const [saved] = app.record.providerKeys.values()
  app.record.providerKeys.set('theirs', { ...saved!, id: 'theirs', owner_id: await chutesOwnerId(chutesKey) })
  expect(await sealedIn(bearer(chutesKey))).toBe(chutesKey)
  const plan = await app.call('POST', '/api/runs/plan', { body, headers: bearer(chutesKey) })
  expect(await plan.json()).toMatchObject({ own_key: null })
})

test('[OWNKEY5] who goes on with a run that a saved key pays seals the key that is there now, and never the account', async () => {
  const { ada, record, living, deps, owner } = await twoPeople()
  await save(ada)
  const { id } = (await (await ada.call('POST', '/api/runs', { body: run })).json()) as { id: string }
  const seen: (string | null | undefined)[] = []
  const { command } = deps.runs
  deps.runs.command = async (run_id, given, sealed) => {
    seen.push(sealed && (await deps.seal.open(sealed, `credential|${owner}|${id}`)))
    return command(run_id, given, sealed)
  }
  const resume = async () => {
    living.set(id, { ...living.get(id)!, head: { ...living.get(id)!.head, status: 'paused' } })
    record.runs.set(id, { ...record.runs.get(id)!, head: living.get(id)!.head })
    expect((await ada.call('POST', `/api/runs/${id}/resume`)).status).toBe(200)
    return seen.at(-1)
  }
  await ada.call('DELETE', '/api/provider-keys/openrouter')
  expect(await resume()).toBeNull()
  await save(ada)
  const [key] = record.providerKeys.values()
  expect(await resume()).toBe(`provider-key ${key!.id}`)
  record.providerKeys.set(key!.id, { ...key!, base_url: 'https://gw.example/v1' })
  expect(await resume()).toBeNull()
})

test('[OWNKEY6] its models are in their owner’s choice, first, and in nobody else’s; an hour later the list is read again', async () => {
  const { ada, grace, record, clock, due, answers, deps } = await twoPeople()
  await save(ada)
  const models = async (who: Who, query = '') => {
    const { models: all, total } = (await (await who.call('GET', `/api/models${query}`)).json()) as {
      models: { slug: string; provider: string }[]
      total: number
    }
    return [all.map(({ slug, provider }) => `${provider} ${slug}`), total]
  }
  const others = (await models(grace)) as [string[], number]
  expect(others[0].join()).not.toContain('vendor/model')
  expect(await models(ada)).toEqual([['openrouter vendor/model', ...others[0]], others[1] + 1])
  expect(await models(ada, '?limit=1&offset=1')).toEqual([others[0].slice(0, 1), others[1] + 1])
  expect(await models(ada, '?search=VENDOR')).toEqual([['openrouter vendor/model'], 1])
  expect((await ada.call('GET', '/api/benchmarks?provider=openrouter')).status).toBe(200)
  expect((await grace.call('GET', '/api/benchmarks?provider=openrouter')).status).toBe(400)
  due.length = 0
  clock.now += 3_600_001
  answers.set(`${openRouter}/models`, () => Response.json({ data: [{ ...listed, id: 'vendor/newer' }] }))
  await models(ada)
  for (const work of due) await work()
  expect(((await models(ada)) as [string[], number])[0][0]).toBe('openrouter vendor/newer')
  // An unreachable provider keeps its list of models. A provider that the service no longer allows has no list.
  clock.now += 3_600_001
  answers.delete(`${openRouter}/models`)
  await models(ada)
  for (const work of due) await work()
  expect([...record.providerKeys.values()].map((key) => key.models?.length)).toEqual([1])
  expect((await save(ada, { base_url: 'https://gw.example/v1', key: secret })).status).toBe(201)
  expect((await listOf(ada)).keys).toHaveLength(2)
  deps.config.access.own_provider_origins = []
  expect((await listOf(ada)).keys.map(({ provider }) => provider)).toEqual(['openrouter'])
})

test('[OWNKEY9] a plan names the saved key that would pay, to its owner alone', async () => {
  const { ada, grace } = await twoPeople()
  await save(ada)
  const plan = async (who: Who, body: object) =>
    ((await (await who.call('POST', '/api/runs/plan', { body })).json()) as { own_key?: Partial<ProviderKey> | null }).own_key
  expect(await plan(ada, run)).toEqual({ provider: 'openrouter', label: 'OpenRouter', last4: 'cdef', verdict: 'good' })
  expect(await plan(ada, { ...run, model_id: exampleModel().id, provider: null })).toBeNull()
  expect((await grace.call('POST', '/api/runs/plan', { body: run })).status).toBe(400)
})
