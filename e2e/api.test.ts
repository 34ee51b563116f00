import { request } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Run } from '#shared/contract/api.ts'
import { ProblemBody } from '#shared/contract/problem.ts'
import { askedByTrials } from '../prove/provider/preflight-entries.ts'
import { type Provider, startProvider } from '../prove/provider/provider.ts'
import { call, createRun, getRun, untilEnded, untilRecorded, untilRun } from './call-api.ts'
import { collectEvents, listEvents } from './event-stream.ts'
import { newDataDir, root, type Stack, startStack } from './stack.ts'

const dir = newDataDir()
let provider: Provider
let stack: Stack

beforeAll(async () => {
  provider = await startProvider({ latency_ms: 40 })
  stack = await startStack(dir.path, { OPENAI_BASE_URL: provider.url }, root, { empty: true })
})
afterAll(async () => {
  await stack?.stop()
  await provider?.close()
  dir.remove()
})

const small = { model_id: 'sim', selected_benchmarks: ['mmlu_pro'], profile: 'builtin', data: 'sample', subset_count: 20 }
/** About four seconds of work: long enough to do something to it while it goes on. */
const long = { ...small, subset_count: 210, epochs: 8, concurrency: 16 }

async function refused(response: Response, status: number, code: string): Promise<ProblemBody> {
  const body = ProblemBody.parse(await response.json())
  expect([response.headers.get('content-type'), response.status, body.status, body.code]).toEqual([
    'application/problem+json',
    status,
    status,
    code,
  ])
  expect(body.detail.length).toBeGreaterThan(10)
  return body
}

test('[END6] two requests with one Idempotency-Key start one run, which asks the model once an item', async () => {
  const headers = { 'idempotency-key': 'e2e-one' }
  const asked = askedByTrials(provider.ledger.entries).length
  const both = await Promise.all([1, 2].map(() => call(stack.url, 'POST', '/api/runs', { body: small, headers })))
  const [first, second] = await Promise.all(both.map(async (response) => Run.parse(await response.json())))
  expect(both.map((response) => response.status).sort()).toEqual([200, 201])
  expect(second!.id).toBe(first!.id)
  expect((await call(stack.url, 'POST', '/api/runs', { body: { ...small, subset_count: 3 }, headers })).status).toBe(409)
  expect(await untilEnded(stack.url, first!.id)).toMatchObject({ status: 'succeeded', labels: ['sample'] })
  expect(askedByTrials(provider.ledger.entries).length - asked).toBe(20)
})

test.each([
  ['an unknown model', { body: { ...small, model_id: 'no-such-model' } }, 404, 'model-not-found'],
  ['an unknown benchmark', { body: { ...small, selected_benchmarks: ['nonsense'] } }, 422, 'unknown-benchmark'],
  ['an unknown provider', { body: { ...small, provider: 'nobody' } }, 400, 'unknown-provider'],
  ['a negative count', { body: { ...small, subset_count: -1 } }, 422, 'validation'],
  ['an unknown field', { body: { ...small, subset_cuont: 1 } }, 422, 'validation'],
  ['a seed that is too long', { body: { ...small, subset_seed: 'x'.repeat(129) } }, 422, 'validation'],
  ['a body of 10 MB', { body: { ...small, subset_seed: 'x'.repeat(10_000_000) } }, 413, 'body-too-large'],
  ['broken JSON', { body: '{"model_id": ' }, 400, 'bad-json'],
  ['another content type', { body: 'a=b', headers: { 'content-type': 'text/plain' } }, 415, 'unsupported-media-type'],
  ['an unknown key', { body: small, headers: { authorization: `Bearer cbr_${'x'.repeat(40)}` } }, 401, 'unauthorized'],
  ['a wrong admin secret', { body: small, headers: { 'x-admin-secret': 'guess' } }, 401, 'unauthorized'],
] as const)('[END7] %s starts nothing and is a problem that says what to do', async (_, given, status, code) => {
  const count = async () => ((await (await call(stack.url, 'GET', '/api/runs?limit=1')).json()) as { total: number }).total
  const before = await count()
  await refused(await call(stack.url, 'POST', '/api/runs', given), status, code)
  expect(await count()).toBe(before)
})

test.each([
  ['/api/runs?limit=-1', 422, 'validation'],
  ['/api/runs?offset=-5', 422, 'validation'],
  ['/api/runs/not-an-id', 404, 'run-not-found'],
  ['/api/runs/%00', 404, 'run-not-found'],
  ['/api/nothing', 404, 'not-found'],
] as const)('[END7] GET %s is a problem', async (path, status, code) => {
  await refused(await call(stack.url, 'GET', path), status, code)
})

test('[END7] a body of 10 MB that comes in pieces of unknown number is answered as well', async () => {
  const pieces = Array.from({ length: 100 }, () => new Uint8Array(100_000).fill(120))
  const headers = { 'content-type': 'application/json' }
  await refused(
    await fetch(`${stack.url}/api/runs`, { method: 'POST', headers, body: ReadableStream.from(pieces), duplex: 'half' }),
    413,
    'body-too-large',
  )
})

test('[END7] a seed full of markup is a seed like any other, on the API and on the page', async () => {
  const seed = `<script>alert(1)</script>"'&`
  const run = await createRun(stack.url, { ...small, subset_seed: seed, subset_count: 2 })
  expect((await untilEnded(stack.url, run.id)).subset_seed).toBe(seed)
  const page = await (await fetch(`${stack.url}/runs/${run.id}`)).text()
  expect(page).toContain(run.id)
  expect(page).not.toContain('<script>alert(1)')
})

test('[END8] maintenance refuses new runs and lets the running one finish; nothing is exported before the end', async () => {
  const running = await createRun(stack.url, long)
  await untilRun(stack.url, running.id, (run) => run.head.done > 0)
  await refused(await call(stack.url, 'GET', `/api/runs/${running.id}/export`), 400, 'export-not-ready')
  const headers = { 'x-admin-secret': stack.adminSecret }
  const switchTo = (mode: boolean) =>
    call(stack.url, 'POST', '/api/admin/maintenance', { headers, body: { mode, message: 'New disks come in at noon.' } })
  expect((await switchTo(true)).status).toBe(200)
  const problem = await refused(await call(stack.url, 'POST', '/api/runs', { body: small }), 503, 'maintenance')
  expect(problem.detail).toContain('New disks')
  expect(await (await call(stack.url, 'GET', '/api/status')).json()).toMatchObject({ maintenance_mode: true, agents: 1 })
  expect((await getRun(stack.url, running.id)).status).toBe('running')
  expect(await untilEnded(stack.url, running.id)).toMatchObject({ status: 'succeeded', head: { done: 1680, total: 1680 } })
  expect((await switchTo(false)).status).toBe(200)
  expect((await call(stack.url, 'POST', '/api/runs', { body: { ...small, subset_count: 1 } })).status).toBe(201)
})

test('[END9] a stream that broke off goes on after the Last-Event-ID of a living run: nothing missing, nothing twice', async () => {
  const { id } = await createRun(stack.url, long)
  const stream = (after?: number) =>
    fetch(`${stack.url}/api/runs/${id}/events`, after === undefined ? {} : { headers: { 'last-event-id': String(after) } })
  const parts = [await collectEvents(await stream(), (events) => events.length >= 6)]
  for (const enough of [4, 4]) parts.push(await collectEvents(await stream(parts.flat().at(-1)!.id), (events) => events.length >= enough))
  expect((await getRun(stack.url, id)).status).toBe('running')
  // A stream may also be closed on us when what is left of it has moved to the record: any client comes again with its last number.
  while (parts.flat().at(-1)!.event_type !== 'run_completed') parts.push(await collectEvents(await stream(parts.flat().at(-1)!.id)))
  await untilRecorded(stack.url, id)
  const recorded = await listEvents(stack.url, id)
  expect(recorded.map((event) => event.id)).toEqual(recorded.map((_, index) => index + 1))
  const seen = parts.flat()
  expect(seen.every((event, index) => index === 0 || event.id > seen[index - 1]!.id)).toBe(true)
  // A live stream joins neighbouring progress events under the last one's number; what they held must be the same, in the same order.
  const held = (events: typeof seen) =>
    events.flatMap(({ event_type, data }) =>
      event_type === 'benchmark_progress' ? (data.results as { ordinal: number }[]).map((one) => `trial ${one.ordinal}`) : [event_type],
    )
  expect(held(seen)).toEqual(held(recorded))
  expect(seen.at(-1)!.id).toBe(recorded.at(-1)!.id)
})

test('[END10] a private run does not exist for anybody but its owner', async () => {
  const run = await createRun(stack.url, { ...small, visibility: 'private', subset_count: 2 })
  await untilRecorded(stack.url, (await untilEnded(stack.url, run.id)).id)
  const paths = ['', '/events', '/export', '/benchmarks/mmlu_pro', '/items/mmlu_pro/0'].map((path) => `/api/runs/${run.id}${path}`)
  const made = await call(stack.url, 'POST', '/api/keys', {
    body: { name: 'stranger' },
    headers: { 'x-admin-secret': stack.adminSecret },
  })
  const stranger = { authorization: `Bearer ${((await made.json()) as { key: string }).key}` }
  for (const path of paths) {
    // Another name for this machine is not let in at all: it may be another site's.
    expect([path, (await foreign(path)).status]).toEqual([path, 421])
    expect([path, (await call(stack.url, 'GET', path, { headers: stranger })).status]).toEqual([path, 404])
  }
  expect((await foreign('/api/runs')).body).not.toContain(run.id)
  expect(await (await call(stack.url, 'GET', '/api/runs', { headers: stranger })).text()).not.toContain(run.id)
  expect((await call(stack.url, 'POST', `/api/runs/${run.id}/cancel`, { headers: stranger })).status).toBe(404)
  expect((await call(stack.url, 'GET', paths[0]!)).status).toBe(200)
})

/** A request under another host name than the loopback's: such a visitor is nobody. */
function foreign(path: string, method = 'GET'): Promise<{ status: number; body: string }> {
  return new Promise((done, fail) => {
    const sent = request(stack.url + path, { method, headers: { host: 'bench.example' } }, (response) => {
      let body = ''
      response.setEncoding('utf8').on('data', (text: string) => {
        body += text
      })
      response.once('end', () => done({ status: response.statusCode!, body }))
    })
    sent.once('error', fail)
    sent.end()
  })
}

test('[END11] trials that failed are tried again after the end, and only those', async () => {
  provider.setScript([{ fault: { kind: 'status', status: 400 }, from: 1, to: null, share: 0.4 }])
  const { id } = await createRun(stack.url, { ...small, subset_count: 60 })
  const first = await untilRecorded(stack.url, (await untilEnded(stack.url, id)).id)
  const { failed } = first.benchmarks[0]!
  expect(first.status).toBe('incomplete')
  expect(failed).toBeGreaterThan(5)
  provider.setScript([])
  const asked = provider.ledger.entries.length
  expect((await call(stack.url, 'POST', `/api/runs/${id}/retry-failed`)).status).toBe(200)
  const second = await untilRun(stack.url, id, (run) => run.status === 'succeeded')
  expect(second.benchmarks[0]).toMatchObject({ failed: 0, completed_items: 60 })
  expect(provider.ledger.entries.length - asked).toBe(failed)
  const recorded = await untilRecorded(stack.url, id)
  expect(recorded).toMatchObject({ status: 'succeeded', benchmarks: [{ failed: 0, estimates: { accuracy: { n: 60 } } }] })
  const rows = (await (await fetch(`${stack.url}/api/runs/${id}/export?format=jsonl`)).text()).trimEnd().split('\n')
  expect(rows.map((row) => JSON.parse(row)).filter((row) => row.attempt > 1)).toHaveLength(failed)
})
