import { expect, test, vi } from 'vitest'
import * as z from 'zod'
import { ProblemBody, problems } from '#shared/contract/problem.ts'
import { formerPages } from './routes/predecessor.ts'
import { asAdmin, bearer, giveKey, openApp } from './testing/call-app.ts'
import { exampleModel } from './testing/example-records.ts'

type App = ReturnType<typeof openApp>
const model_id = exampleModel().id
const problemOf = async (response: Response) => {
  expect(response.headers.get('content-type')).toBe('application/problem+json')
  const body = ProblemBody.parse(await response.json())
  expect(body.status).toBe(response.status)
  expect(problems[body.code as keyof typeof problems].status).toBe(response.status)
  return body
}
async function readyApp(): Promise<App & { headers: Record<string, string> }> {
  const app = openApp()
  app.record.models.set(model_id, exampleModel())
  return { ...app, headers: bearer(await giveKey(app, 'anna')) }
}

test('[API1] every error is a problem from the table, whose detail says what to do', async () => {
  const { call } = openApp()
  const body = await problemOf(await call('GET', '/api/nothing'))
  expect(body).toMatchObject({ code: 'not-found', title: problems['not-found'].title, instance: '/api/nothing' })
  expect(body.detail).toContain('/api/nothing')
})

test('[API1] an unknown error is an opaque 500; its text goes to the log with the request id', async () => {
  const { deps, call } = openApp()
  deps.fleet.overview = () => Promise.reject(new Error('secret inside'))
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const response = await call('GET', '/api/status', { headers: { 'x-request-id': 'my-id-1' } })
  const text = JSON.stringify(await problemOf(response))
  expect(response.status).toBe(500)
  expect(text).not.toContain('secret inside')
  expect(text).toContain('my-id-1')
  expect(log.mock.calls[0]![0]).toMatch(/secret inside/)
  expect(JSON.parse(log.mock.calls[0]![0] as string)).toMatchObject({ request_id: 'my-id-1', method: 'GET', path: '/api/status' })
  log.mockRestore()
})

test('[API2] a database that is away is 503 with Retry-After; the status page still answers', async () => {
  const app = await readyApp()
  app.record.away = true
  for (const path of ['/api/health', '/api/runs', '/api/models', '/api/runs/11111111-1111-4111-8111-111111111111']) {
    const response = await app.call('GET', path)
    expect(await problemOf(response)).toMatchObject({ code: 'unavailable' })
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
  }
  expect((await app.call('GET', '/api/status')).status).toBe(200)
  expect((await app.call('GET', '/api/benchmarks')).status).toBe(200)
})

test('[API3] every answer carries a request id, nosniff, no referrer, and is not cached', async () => {
  const { call } = openApp()
  for (const path of ['/api/health', '/api/nothing', '/api/runs?limit=-1']) {
    const { headers } = await call('GET', path)
    expect(headers.get('x-request-id')).toMatch(/^[\w-]{8,64}$/)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('access-control-allow-origin')).toBeNull()
  }
})

test('[API4] a body over 1 MiB is 413, declared or not', async () => {
  const { call, headers } = await readyApp()
  const big = JSON.stringify({ model_id, config: { text: 'x'.repeat(10 * 1024 * 1024) } })
  expect(await problemOf(await call('POST', '/api/runs', { headers, body: big }))).toMatchObject({ code: 'body-too-large' })
  const declared = { ...headers, 'content-length': String(big.length) }
  expect((await call('POST', '/api/runs', { headers: declared, body: big })).status).toBe(413)
})

test('[API4] broken JSON and JSON deeper than 64 is 400, another content type 415', async () => {
  const { call, headers } = await readyApp()
  for (const body of ['{', '{"model_id": nope}', '\u0000', 'null,'])
    expect(await problemOf(await call('POST', '/api/runs', { headers, body }))).toMatchObject({ code: 'bad-json', status: 400 })
  const deep = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
  for (const type of ['application/json', 'application/problem+json', 'application/vnd.x.y+JSON; charset=utf-8'])
    expect((await call('POST', '/api/runs', { headers: { ...headers, 'content-type': type }, body: deep })).status).toBe(400)
  const nested = (depth: number) => `{"model_id":"${model_id}","suite":"default","config":{"a":${'['.repeat(depth)}${']'.repeat(depth)}}}`
  expect((await call('POST', '/api/runs', { headers, body: nested(63) })).status).toBe(400)
  expect((await call('POST', '/api/runs', { headers, body: nested(62) })).status).toBe(201)
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', '']) {
    const response = await call('POST', '/api/runs', { headers: { ...headers, 'content-type': type }, body: '{}' })
    expect(await problemOf(response)).toMatchObject({ code: 'unsupported-media-type' })
  }
})

test('[API5] a request that does not fit its schema is 422 with one JSON pointer per fault', async () => {
  const { call, headers } = await readyApp()
  const body = { model_id, subset_pct: 0, epochs: 'two', owner_id: 'root', 'a/b~c': 1 }
  const answer = await problemOf(await call('POST', '/api/runs', { headers, body }))
  expect(answer).toMatchObject({ code: 'validation', status: 422 })
  expect(answer.errors!.map((error) => error.pointer).toSorted()).toEqual(['/a~1b~0c', '/epochs', '/owner_id', '/subset_pct'])
  const query = await problemOf(await call('GET', '/api/runs?limit=-1&offset=-1'))
  expect(query.errors!.map((error) => error.pointer).toSorted()).toEqual(['/query/limit', '/query/offset'])
})

test('[API5] no field of a run’s record can be set through the body', async () => {
  const { call, headers } = await readyApp()
  for (const field of ['owner_id', 'run_id', 'status', 'price', 'created_at', '__proto__', 'constructor', 'benchmarks', 'spec']) {
    const response = await call('POST', '/api/runs', { headers, body: `{"model_id":"${model_id}","${field}":{}}` })
    expect([field, response.status]).toEqual([field, 422])
  }
})

test('[API6] what no route could use is refused without a 500', async () => {
  const app = await readyApp()
  const paths = [
    '/api/runs?limit=-1',
    '/api/runs?limit=1e9',
    '/api/runs?limit=',
    '/api/runs?limit=1&limit=2',
    '/api/runs?offset=99999999999999999999',
    '/api/runs?status=',
    '/api/runs?model_slug=%00',
    '/api/runs/%00',
    '/api/runs/17',
    '/api/runs/%ZZ',
    '/api/runs/..%2f..%2fetc',
    '/api/runs/11111111-1111-4111-8111-111111111111',
    '/api/runs/11111111-1111-4111-8111-111111111111/events?after=abc',
    '/api/runs/17/export?format=exe',
    '/api/models?limit=501',
    '/api/models?limit=NaN',
    `/api/models?search=${'x'.repeat(5000)}`,
    '/api/benchmarks?provider=nobody',
    `/api/models?${'a=1&'.repeat(20_000)}limit=0`,
  ]
  for (const path of paths) {
    const response = await app.call('GET', path)
    expect([path.slice(0, 60), response.status]).toEqual([
      path.slice(0, 60),
      expect.toSatisfy((status: number) => status >= 400 && status < 500),
    ])
    await problemOf(response)
  }
  for (const body of ['[]', 'null', '"x"', '17', '{"model_id":"a\\u0000b"}', '{"model_id":""}', '{"model_id":1e400}', '{"__proto__":{}}'])
    expect([body, (await app.call('POST', '/api/runs', { headers: app.headers, body })).status]).toEqual([body, 422])
  const escaped = { model_id, selected_benchmarks: ['mmlu_pro'], config: { text: '\\u0000 is no NUL' } }
  expect((await app.call('POST', '/api/runs', { headers: app.headers, body: escaped })).status).toBe(201)
})

test('[API7] a slash at the end of a path changes nothing', async () => {
  const { call } = openApp()
  expect((await call('GET', '/api/runs/')).status).toBe(200)
  expect((await call('POST', '/api/runs/', { body: {}, headers: asAdmin })).status).toBe(422)
})

test('[API7] HEAD answers as GET without a body, OPTIONS names the methods, others are 405', async () => {
  const { call } = openApp()
  const head = await call('HEAD', '/api/health')
  expect([head.status, await head.text()]).toEqual([200, ''])
  const options = await call('OPTIONS', '/api/runs')
  expect([options.status, options.headers.get('allow')]).toEqual([204, expect.stringContaining('POST')])
  const response = await call('PUT', '/api/runs', { headers: asAdmin, body: {} })
  expect(await problemOf(response)).toMatchObject({ code: 'method-not-allowed' })
  expect(response.headers.get('allow')).toContain('GET')
  expect((await call('OPTIONS', '/api/nothing')).status).toBe(404)
})

const Document = z.object({
  openapi: z.literal('3.1.0'),
  paths: z.record(
    z.string(),
    z.record(z.string(), z.looseObject({ operationId: z.string(), responses: z.record(z.string(), z.looseObject({})) })),
  ),
  components: z.object({ schemas: z.record(z.string(), z.looseObject({})) }),
})

test('[API8] the OpenAPI document names every route, its answers and its schemas, and all its references lead somewhere', async () => {
  const { call, app } = openApp()
  const response = await call('GET', '/api/openapi.json')
  expect(response.headers.get('cache-control')).toContain('public')
  const text = await response.text()
  const document = Document.parse(JSON.parse(text))
  const undocumented = (path: string) => /^\/$|socket|openapi|\/ops\//.test(path) || path in formerPages
  const routed = app.routes.filter(({ method, path }) => method !== 'ALL' && !undocumented(path))
  for (const { method, path } of routed)
    expect(Object.keys(document.paths[path.replaceAll(/:(\w+)/g, '{$1}')] ?? {})).toContain(method.toLowerCase())
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))
  expect(new Set(operations.map((operation) => operation.operationId)).size).toBe(operations.length)
  for (const [, id] of text.matchAll(/"\$ref":"([^"]+)"/g)) expect(document.components.schemas).toHaveProperty([id!.split('/').at(-1)!])
  expect(Object.keys(document.paths['/api/runs']!.post!.responses)).toEqual(
    expect.arrayContaining(['201', '400', '401', '404', '409', '422', '503']),
  )
  expect(document.components.schemas.CreateRun!.properties).toHaveProperty('model_id')
})
