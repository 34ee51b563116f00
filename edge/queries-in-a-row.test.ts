import { setImmediate as turn } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '#db/connect.ts'
import { createStore } from '#db/create-store.ts'
import { type CountingEndpoint, startCountingEndpoint } from '#db/embedded/counting-endpoint.ts'
import { openTestDatabase, type TestDatabase } from '#db/embedded/test-database.ts'
import { openSigningKey } from '#shared/export/signing-key.ts'
import { initialHead } from '#shared/run/apply.ts'
import { bearer, giveKey, openApp } from './testing/call-app.ts'
import {
  exampleEnded,
  exampleEvent,
  exampleModel,
  exampleRescore,
  exampleSpec,
  exampleTrial,
  exampleTrials,
} from './testing/example-records.ts'

let database: TestDatabase
let counting: CountingEndpoint
let app: ReturnType<typeof openApp>
let key: string
const spec = exampleSpec({ owner_id: 'anna' })
const rescoreId = '22222222-2222-4222-8222-222222222222'

/** An answer leaves when everything that was sent at once has come: many turns of this process, in which nothing else happens. */
async function hold(): Promise<void> {
  for (let at = 0; at < 200; at++) await turn()
}

beforeAll(async () => {
  database = await openTestDatabase()
  counting = await startCountingEndpoint(database.endpointUrl, hold)
  app = openApp()
  const { store } = database
  key = await giveKey(app, 'anna', ['runs:read', 'runs:write', 'admin'])
  const [stored] = [...app.record.keys.values()]
  await store.upsertModels('chutes', [exampleModel()])
  await store.ensureOwner({ id: 'anna', name: 'anna', kind: 'key' })
  await store.createKey(stored!)
  await store.createRun(spec, initialHead(spec), null)
  const opening = 'Worked examples. '.repeat(50)
  const trials = exampleTrials().map((one, at) =>
    at === 0 ? exampleTrial({ ...one.record, messages: [{ role: 'user', content: `${opening}Question`, opening: opening.length }] }) : one,
  )
  await store.drain({ run_id: spec.run_id, openings: [], trials, events: [exampleEvent(1)], head: exampleEnded(spec).head })
  await store.saveRescore(exampleRescore(spec.run_id, rescoreId), 'anna', [])
  app.deps.store = createStore(connect(database.url, { fetchEndpoint: counting.url }))
  app.deps.newId = () => crypto.randomUUID()
  app.deps.signer = openSigningKey(btoa('\x07'.repeat(32)))
  app.deps.openSha256 = () => ({ update: () => undefined, digest: () => new Uint8Array(32) })
})
afterAll(async () => {
  await counting.stop()
  await database.close()
})

const names: Record<string, string> = {
  id: spec.run_id,
  name: 'mmlu_pro',
  benchmark: 'mmlu_pro',
  item_id: '0',
  rescore_id: rescoreId,
  agent_id: 'box-1',
}
/** Queries with which a route reads the most. */
const queries: Record<string, string> = { '/api/runs/{id}/events': '?format=json', '/api/runs/{id}/export': '?format=zip' }

test('[API104] no route that reads waits more than three times for the database, with a key or without', async () => {
  const document = (await (await app.call('GET', '/api/openapi.json')).json()) as { paths: Record<string, Record<string, unknown>> }
  const paths = Object.entries(document.paths).flatMap(([path, methods]) => ('get' in methods ? [path] : []))
  expect(paths.length).toBeGreaterThan(12)
  // What is done once in an isolate's life: the configured models, the signing key's first use.
  for (const path of ['/api/models', `/api/runs/${spec.run_id}/export?format=zip`]) await (await app.call('GET', path)).arrayBuffer()
  const table: Record<string, number> = {}
  for (const path of paths) {
    const url = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => names[name] ?? 'x') + (queries[path] ?? '')
    for (const headers of [{}, bearer(key)]) {
      counting.take()
      const response = await app.call('GET', url, { headers })
      await response.arrayBuffer()
      expect(response.status, url).not.toBe(500)
      const { inARow } = counting.take()
      table[path] = Math.max(table[path] ?? 0, inARow)
    }
  }
  expect(Object.entries(table).filter(([, inARow]) => inARow > 3)).toEqual([])
  expect(table['/api/runs/{id}']).toBe(2)
  expect(table['/api/runs/{id}/items/{benchmark}/{item_id}']).toBe(3)
})

test('[API104] a run begins with three reads and writes in a row and its entry in the audit log, its replay and its commands with no more', async () => {
  const headers = { ...bearer(key), 'idempotency-key': 'once' }
  const body = { model_id: exampleModel().slug, selected_benchmarks: ['mmlu_pro'] }
  const counted = async (method: string, path: string, given: Parameters<typeof app.call>[2]) => {
    counting.take()
    const response = await app.call(method, path, given)
    const { id } = (await response.json()) as { id?: string }
    return { status: response.status, id, inARow: counting.take().inARow }
  }
  await counted('POST', '/api/runs/plan', { headers, body }) // the configured models, once in an isolate's life
  const created = await counted('POST', '/api/runs', { headers, body })
  expect([created.status, created.inARow]).toEqual([201, 4])
  expect(await counted('POST', '/api/runs', { headers, body })).toEqual({ status: 200, id: created.id, inARow: 3 })
  const path = `/api/runs/${created.id}`
  for (const [method, at, given] of [
    ['POST', `${path}/pause`, {}],
    ['PATCH', path, { concurrency: 3, priority: 2 }],
    ['POST', `${path}/cancel`, {}],
  ] as const) {
    const { inARow, status } = await counted(method, at, { headers: bearer(key), body: given })
    expect([at, status, inARow <= 4]).toEqual([at, 200, true])
  }
})
