import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { hostname } from 'node:os'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { namedModel } from '#shared/providers/listed-model.ts'
import { ConfiguredProviders } from '#shared/providers/provider.ts'
import { edgeBindings, edgeSpec, type Plan, toldProviders } from './part-specs.ts'
import { claimPort, readSettings } from './settings.ts'

const root = resolve(import.meta.dirname, '..', '..')

test('[START15] a port that is taken ends the start with a sentence that names another', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await expect(claimPort(port)).rejects.toThrow(
    `Port ${port} on 127.0.0.1 is taken by another program; choose one with PORT=${port + 1} npm start.`,
  )
  server.close()
  await once(server, 'close')
  expect(await claimPort(port)).toBe(port)
})

test('[START16] flags and environment decide port, directory and --fresh; anything else is refused', () => {
  expect(readSettings('/clone', [], {})).toEqual({
    root: '/clone',
    dataDir: '/clone/.data',
    host: '127.0.0.1',
    port: 8787,
    fresh: false,
    yes: false,
  })
  expect(readSettings('/clone', ['--fresh', '--yes'], {})).toMatchObject({ fresh: true, yes: true })
  expect(readSettings('/clone', ['--fresh'], { PORT: '9000', BENCH_DATA: '/d' })).toMatchObject({ dataDir: '/d', port: 9000, fresh: true })
  expect(() => readSettings('/clone', ['--frsh'], {})).toThrow("Unknown option '--frsh'")
  expect(() => readSettings('/clone', [], { PORT: 'http' })).toThrow('PORT=http is not a port number')
})

test('[START40] HOST is read with the rest; an address of another machine ends the start with those of this one', async () => {
  expect(readSettings('/clone', [], { HOST: '0.0.0.0' })).toMatchObject({ host: '0.0.0.0', port: 8787 })
  expect(() => readSettings('/clone', [], { HOST: 'box' })).toThrow('HOST=box is not an IP address')
  await expect(claimPort(0, '192.0.2.250')).rejects.toThrow('HOST=192.0.2.250 is not an address of this machine')
})

test.skipIf(process.platform !== 'linux')('[START40] a port is claimed at every address of HOST', async () => {
  const server = createServer().listen(0, '127.0.0.2')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  expect(await claimPort(port)).toBe(port)
  for (const host of ['127.0.0.2', '0.0.0.0']) await expect(claimPort(port, host)).rejects.toThrow(`Port ${port} on ${host} is taken`)
  server.close()
  await once(server, 'close')
  expect(await claimPort(port, '127.0.0.2')).toBe(port)
})

const plan: Plan = {
  fakeIdp: null,
  settings: { root, dataDir: '/d', host: '127.0.0.1', port: 8787, fresh: false, yes: false },
  secrets: { layout: 1, agent_token: 'agt', master_key: 'mk', signing_seed: 'seed', admin_secret: 'adm' },
  url: 'http://127.0.0.1:8787',
  database: { url: 'postgresql://x', endpoint_url: 'http://127.0.0.1:1/sql' },
  machine: { samples: { a: 1 }, overrides: {}, providers: [], notes: [] },
  providers: [{ id: 'chutes', label: 'Chutes', kind: 'chutes', base_url: 'https://llm.chutes.ai/v1', models: [], api_key: 'cpk_secret' }],
  env: { CHUTES_API_KEY: 'cpk_secret', HF_TOKEN: 'hf_secret', PATH: '/bin' },
}

test('[START17] the Worker and its host never get a provider key', () => {
  const spec = edgeSpec(plan)
  expect(JSON.stringify(spec.env)).not.toMatch(/cpk_secret|hf_secret/)
  expect(spec.env.PATH).toBe('/bin')
  expect(JSON.parse(edgeBindings(plan).PROVIDERS!)).toEqual([
    { id: 'chutes', label: 'Chutes', kind: 'chutes', base_url: 'https://llm.chutes.ai/v1', models: [] },
  ])
})

test('[START41] an open service knows its own name, and its Worker tells each visitor his own address', () => {
  const configOf = (host: string, PUBLIC_URL?: string) => {
    const one = { ...plan, settings: { ...plan.settings, host }, env: { PUBLIC_URL } }
    return { ...(JSON.parse(edgeSpec(one).env.BENCH_HOST!) as { host: string; hosts: string[] }), public_url: edgeBindings(one).PUBLIC_URL }
  }
  const name = `${hostname().toLowerCase()}:8787`
  expect(configOf('127.0.0.1')).toMatchObject({ host: '127.0.0.1', hosts: [], public_url: 'http://127.0.0.1:8787' })
  const open = configOf('0.0.0.0', 'https://bench.example')
  expect(open).toMatchObject({ host: '0.0.0.0', public_url: 'https://bench.example' })
  expect(open.hosts).toEqual(expect.arrayContaining(['bench.example:443', name]))
  expect(configOf('0.0.0.0').public_url).toBe('')
})

test('[SIGN9] the front end of FRONTEND_URL ends sign-ins with the fake identity provider too', () => {
  const fakeIdp = { url: 'http://127.0.0.1:9', secret: 's' }
  const told = (env: NodeJS.ProcessEnv) => edgeBindings({ ...plan, fakeIdp, env })
  expect(told({ FRONTEND_URL: 'http://127.0.0.1:3000', CHUTES_IDP_URL: 'https://idp.example' })).toMatchObject({
    FRONTEND_URL: 'http://127.0.0.1:3000',
    CHUTES_IDP_URL: 'http://127.0.0.1:9',
  })
  expect(told({})).not.toHaveProperty('FRONTEND_URL')
})

test('[PROV5] the Worker is told what is known of models as long as a variable can hold it, and their names always', () => {
  const models = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ ...namedModel(`org/model-${at}`), context_length: 131_072 }))
  const told = (count: number) => ConfiguredProviders.parse(JSON.parse(toldProviders([{ ...plan.providers[0]!, models: models(count) }])))
  expect(told(300)[0]!.models).toEqual(models(300))
  expect(told(3000)[0]!.models).toEqual(models(3000).map(({ id }) => namedModel(id)))
})

test('[PROV23] the service is told nothing of a provider’s headers', () => {
  const gate = { ...plan.providers[0]!, headers: { 'X-PreReleasePassword': 'sesame-open', 'X-Title': { shown: 'bench' } } }
  expect(toldProviders([gate])).not.toMatch(/sesame|headers|X-/)
  expect(JSON.stringify(edgeSpec({ ...plan, providers: [gate], env: { BENCH_PROVIDERS: JSON.stringify([gate]) } }))).not.toContain('sesame')
})
