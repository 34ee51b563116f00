import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '#db/embedded/test-database.ts'
import { ItemQuery, Run, RunList } from '#shared/contract/api.ts'
import { CreateRun } from '#shared/contract/create-run.ts'
import { ProblemBody } from '#shared/contract/problem.ts'
import { initialHead } from '#shared/run/apply.ts'
import { draws } from '#shared/testing/draws.ts'
import { credentialContext } from './auth/seal.ts'
import { asAdmin, bearer, chutesKey, openApp } from './testing/call-app.ts'
import { exampleEnded, exampleEvent, exampleModel, exampleSpec, exampleTrials } from './testing/example-records.ts'

// The app over the real record: PostgreSQL behind Neon's protocol.
let database: TestDatabase
let app: ReturnType<typeof openApp>
const spec = exampleSpec({ owner_id: 'local' })

beforeAll(async () => {
  database = await openTestDatabase()
  const { store } = database
  app = openApp()
  app.deps.store = store
  app.deps.newId = () => crypto.randomUUID()
  await store.upsertModels('chutes', [exampleModel()])
  await store.ensureOwner({ id: 'local', name: 'local', kind: 'local' })
  await store.createRun(spec, initialHead(spec), null)
  const events = Array.from({ length: 9 }, (_, index) => exampleEvent(index + 1))
  await store.drain({ run_id: spec.run_id, openings: [], trials: exampleTrials(), events, head: exampleEnded(spec).head })
})
afterAll(() => database.close())

test('[API16] equal requests at once create one run, in the real record too', async () => {
  const { key } = (await (await app.call('POST', '/api/keys', { headers: asAdmin, body: { name: 'ci' } })).json()) as { key: string }
  const headers = { ...bearer(key), 'idempotency-key': 'once' }
  const body = { model_id: exampleModel().slug, selected_benchmarks: ['mmlu_pro'], subset_seed: '<b>"☃' }
  const answers = await Promise.all([1, 2, 3].map(() => app.call('POST', '/api/runs', { headers, body })))
  expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 200, 201])
  const runs = await Promise.all(answers.map(async (answer) => Run.parse(await answer.json())))
  expect(new Set(runs.map((run) => run.id)).size).toBe(1)
  expect(runs[0]!.subset_seed).toBe(body.subset_seed)
  expect((await app.call('POST', '/api/runs', { headers, body: { ...body, epochs: 2 } })).status).toBe(409)
})

test('[API10] the sealed key of a private run lies in the record; others do not see the run', async () => {
  const body = { model_id: exampleModel().slug, selected_benchmarks: ['mmlu_pro'], visibility: 'private' }
  const run = Run.parse(await (await app.call('POST', '/api/runs/api', { headers: bearer(chutesKey), body })).json())
  const sealed = (await database.store.findCredential(run.id))!
  expect(sealed).not.toContain(chutesKey)
  expect(await app.deps.seal.open(sealed, credentialContext((await database.store.findRun(run.id))!.spec))).toBe(chutesKey)
  const list = async (headers: Record<string, string>) =>
    RunList.parse(await (await app.call('GET', '/api/runs', { headers })).json()).runs.map((one) => one.id)
  expect(await list({})).not.toContain(run.id)
  expect(await list(bearer(chutesKey))).toContain(run.id)
  expect((await app.call('GET', `/api/runs/${run.id}`)).status).toBe(404)
})

test('[DB70] a process that ends right after the run was stored leaves no run whose key is missing', async () => {
  const { store } = database
  let created = false
  const dying = new Proxy(store, {
    get: (whole, name: keyof typeof store) => {
      if (name === 'createRun')
        return async (...args: Parameters<typeof store.createRun>) => {
          await store.createRun(...args)
          created = true
        }
      return created ? () => Promise.reject(new Error('the process has ended')) : whole[name]
    },
  })
  const body = { model_id: exampleModel().slug, selected_benchmarks: ['mmlu_pro'], subset_seed: 'cut short', visibility: 'private' }
  app.deps.store = dying
  await app.call('POST', '/api/runs/api', { headers: bearer(chutesKey), body })
  app.deps.store = store
  expect(created).toBe(true)
  const cut = (await store.listOpenRuns()).find((run) => run.spec.subset.seed === 'cut short')!
  expect(cut.spec.own_credential).toBe(true)
  const sealed = (await store.findCredential(cut.spec.run_id))!
  expect(await app.deps.seal.open(sealed, credentialContext(cut.spec))).toBe(chutesKey)
})

/** Declared statuses of every operation, from the document the service itself publishes. */
async function declared() {
  const document = (await (await app.call('GET', '/api/openapi.json')).json()) as {
    paths: Record<string, Record<string, { responses: Record<string, unknown> }>>
  }
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { responses }]) => ({
      method: method.toUpperCase(),
      path,
      statuses: Object.keys(responses).map(Number),
    })),
  )
}

const everywhere = [404, 405, 413, 422]
const real: Record<string, string> = { id: spec.run_id, name: 'mmlu_pro', benchmark: 'mmlu_pro' }
const word = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('0', '-1', '1e999', 'null', '%00', "' or 1=1 --"),
)
const field = fc.constantFrom(
  ...['format', 'search', 'model_slug', 'name', 'scopes', '__proto__'],
  ...Object.keys(CreateRun.shape),
  ...Object.keys(ItemQuery.shape),
)
const value = fc.oneof(word, fc.jsonValue(), fc.constantFrom(exampleModel().id, 'mmlu_pro', 5, ['mmlu_pro'], 'csv', 'sample'))

test('[API6] random requests on every route get declared answers, and every error is a problem', async () => {
  const quiet = ['/api/admin/sync-models', '/api/admin/maintenance']
  const operations = (await declared()).filter((one) => !quiet.includes(one.path))
  const request = fc.record({
    operation: fc.constantFrom(...operations),
    known: fc.boolean(),
    parts: fc.array(word, { minLength: 3, maxLength: 3 }),
    query: fc.dictionary(field, word, { maxKeys: 3 }),
    body: fc.oneof(
      fc.dictionary(field, value, { maxKeys: 6 }).map((body) => ({ model_id: exampleModel().id, ...body })),
      fc.jsonValue(),
    ),
  })
  await fc.assert(
    fc.asyncProperty(request, async ({ operation, known, parts, query, body }) => {
      let at = 0
      const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
        known && name in real ? real[name]! : encodeURIComponent(parts[at++]!.toWellFormed() || 'x'),
      )
      const search = new URLSearchParams(query).toString()
      const given = ['GET', 'DELETE'].includes(operation.method) ? { headers: asAdmin } : { headers: asAdmin, body }
      const response = await app.call(operation.method, `${path}?${search}`, given)
      expect([...operation.statuses, ...everywhere]).toContain(response.status)
      if (response.status >= 400) ProblemBody.parse(await response.json())
      else await response.body?.cancel()
    }),
    draws(1000),
  )
})
