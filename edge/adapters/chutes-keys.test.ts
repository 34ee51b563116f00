import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { readAccess } from '../access-config.ts'
import { asAdmin, bearer, chutesKey, openApp } from '../testing/call-app.ts'
import { exampleModel } from '../testing/example-records.ts'
import { createChutesKeys } from './chutes-keys.ts'

/** A Chutes of our own that knows one key, on a free port; `says` changes what it answers. */
async function startChutes() {
  const asked: string[] = []
  let says: { status: number; body: string } | undefined
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers.authorization}`)
    const good = request.headers.authorization === `Bearer ${chutesKey}`
    const answer = says ?? (good ? { status: 200, body: '{"user_id":"u"}' } : { status: 401, body: '{"detail":"Invalid authentication"}' })
    response.writeHead(answer.status).end(answer.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return {
    asked,
    say: (status: number, body: string) => (says = { status, body }),
    url: `http://127.0.0.1:${port}`,
    stop: () => server.close(),
  }
}

async function openChecked() {
  const chutes = await startChutes()
  const app = openApp({ config: { access: readAccess({ CHUTES_KEY_URL: `${chutes.url}/users/me`, CHUTES_ANY_KEY: 'true' }) } })
  let now = 0
  const keys = createChutesKeys({ ...app.deps, now: () => new Date(now), fetch: (url, init) => fetch(url, init) })
  app.deps.chutesKeys.check = keys.check
  app.record.models.set(exampleModel().id, exampleModel())
  const start = (token: string) =>
    app.call('POST', '/api/runs', { headers: bearer(token), body: { model_id: exampleModel().id, selected_benchmarks: ['mmlu_pro'] } })
  return { ...app, chutes, keys, start, pass: (ms: number) => (now += ms) }
}
const invented = chutesKey.replaceAll('a', 'e')

test('[AUTH21] an invented Chutes key owns nothing and starts nothing; a key Chutes knows does', async () => {
  const { start, record, chutes } = await openChecked()
  expect((await start(invented)).status).toBe(401)
  expect([record.runs.size, record.owners.size]).toEqual([0, 0])
  expect((await start(chutesKey)).status).toBe(201)
  expect(chutes.asked.at(-1)).toBe(`GET /users/me Bearer ${chutesKey}`)
  chutes.stop()
})

test('[AUTH21] a verdict is kept for a bounded time: good for five minutes, bad for one', async () => {
  const { keys, chutes, pass } = await openChecked()
  for (let index = 0; index < 5; index++) expect(await keys.check(chutesKey)).toEqual({ is: 'good', account: 'u' })
  for (let index = 0; index < 5; index++) expect(await keys.check(invented)).toEqual({ is: 'bad' })
  expect(chutes.asked).toHaveLength(2)
  pass(61_000)
  await keys.check(chutesKey)
  await keys.check(invented)
  expect(chutes.asked).toHaveLength(3)
  pass(5 * 60_000)
  await keys.check(chutesKey)
  expect(chutes.asked).toHaveLength(4)
  chutes.stop()
})

test('[AUTH21] while Chutes says nothing, its keys are 503 with who must act, it is left alone for a while, and others go on', async () => {
  const { start, call, chutes, keys, pass } = await openChecked()
  chutes.say(502, 'bad gateway')
  const response = await start(chutesKey)
  const problem = (await response.json()) as { code: string; detail: string }
  expect([response.status, problem.code]).toEqual([503, 'unavailable'])
  expect(problem.detail).toMatch(/answered 502.*operator/)
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
  for (let index = 0; index < 20; index++) expect((await keys.check(`${invented}${index}`)).is).toBe('away')
  expect(chutes.asked).toHaveLength(1)
  expect((await call('GET', '/api/runs', { headers: asAdmin })).status).toBe(200)
  pass(6_000)
  chutes.say(403, '<html>wall</html>')
  expect((await keys.check(chutesKey)).is).toBe('away')
  pass(6_000)
  chutes.say(403, '{"detail":"This key may not read accounts"}')
  expect(await keys.check(chutesKey)).toEqual({ is: 'good', account: null })
  chutes.stop()
})

test('[AUTH21] a key of another form is checked with Chutes only where the operator says so; an own one never is', async () => {
  const { call, chutes } = await openChecked()
  expect((await call('GET', '/api/runs', { headers: bearer('cak_0123.abc') })).status).toBe(401)
  expect(chutes.asked).toEqual(['GET /users/me Bearer cak_0123.abc'])
  expect((await call('GET', '/api/runs', { headers: bearer('cbr_mistyped') })).status).toBe(401)
  const strict = openApp()
  expect((await strict.call('GET', '/api/runs', { headers: bearer('cak_0123.abc') })).status).toBe(401)
  expect([chutes.asked.length, strict.fetched.length]).toEqual([1, 0])
  const without = openApp({ config: { providers: [] } })
  expect((await without.call('GET', '/api/runs', { headers: bearer(chutesKey) })).status).toBe(401)
  expect(without.fetched).toEqual([])
  chutes.stop()
})
