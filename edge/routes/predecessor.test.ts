import { expect, test } from 'vitest'
import { readAccess } from '../access-config.ts'
import { belongsToApi } from '../app.ts'
import { bearer, chutesKey, openApp } from '../testing/call-app.ts'
import { exampleModel } from '../testing/example-records.ts'
import { formerPages } from './predecessor.ts'

const ui = 'https://ui.example'
const body = { model_id: exampleModel().id, selected_benchmarks: ['mmlu_pro'] }

test('[API114] what clients of the predecessor ask outside its runs is answered, or refused by name', async () => {
  const { call } = openApp()
  expect(await (await call('GET', '/')).json()).toEqual({ name: 'Chutes Bench Runner', version: '0.1.0', docs: '/docs' })
  expect(await (await call('GET', '/api/auth/status')).json()).toMatchObject({ authenticated: false, idp_configured: false })
  expect(await (await call('GET', '/openapi.json')).text()).toBe(await (await call('GET', '/api/openapi.json')).text())
  for (const path of ['/api/auth/login']) {
    const response = await call('GET', path)
    expect([path, response.status]).toEqual([path, 501])
    expect(await response.json()).toMatchObject({ code: 'not-offered', detail: expect.stringMatching(/\.$/) })
  }
  expect((await call('GET', '/api/auth/me')).status).toBe(401)
  expect((await call('GET', '/api/runs?status=needs_setup')).status).toBe(200)
  expect(await (await call('GET', '/api/runs?status=nothing')).json()).toEqual({ runs: [], total: 0 })
})

test('[API114] pages of the predecessor lead to those that took their place', async () => {
  const { call } = openApp()
  for (const [path, place] of Object.entries(formerPages)) {
    const answer = await call('GET', path)
    expect([path, answer.status, answer.headers.get('location')]).toEqual([path, 302, place])
    expect(belongsToApi(new Request(`https://bench.example${path}`, { headers: { accept: 'text/html' } }))).toBe(true)
  }
})

test('[API114] the start page goes to browsers, JSON to who asks for it', () => {
  const asks = (path: string, accept?: string) =>
    belongsToApi(new Request(`https://bench.example${path}`, accept ? { headers: { accept } } : {}))
  expect(asks('/', 'application/json')).toBe(true)
  expect(asks('/', 'application/json, text/plain, */*')).toBe(true)
  expect(asks('/', 'text/html,application/xhtml+xml,application/json;q=0.9')).toBe(false)
  expect(asks('/', '*/*')).toBe(false)
  expect(asks('/')).toBe(false)
  expect(asks('/runs', 'application/json')).toBe(false)
  expect(asks('/openapi.json')).toBe(true)
  expect(asks('/api/nothing')).toBe(true)
})

test('[API114] the key address wants a key, also from the owner of this machine', async () => {
  const app = openApp({ config: { local: true } })
  app.record.models.set(exampleModel().id, exampleModel())
  const host = 'http://localhost:8787'
  expect((await app.call('POST', '/api/runs/api', { body, host })).status).toBe(401)
  expect((await app.call('POST', '/api/runs', { body, host })).status).toBe(201)
  expect((await app.call('POST', '/api/runs/api', { body, host, headers: bearer(chutesKey) })).status).toBe(201)
})

test('[API115] front ends at configured origins call the API from a browser; pages of other origins get no permission', async () => {
  const { call } = openApp({ config: { access: readAccess({ CORS_ORIGINS: `${ui}/, http://localhost:3000` }) } })
  const preflight = (origin: string, method = 'POST') =>
    call('OPTIONS', '/api/runs', {
      headers: { origin, 'access-control-request-method': method, 'access-control-request-headers': 'content-type' },
    })
  const allowed = await preflight(ui)
  expect([allowed.status, allowed.headers.get('access-control-allow-origin')]).toEqual([204, ui])
  expect(allowed.headers.get('access-control-allow-methods')).toContain('POST')
  expect(allowed.headers.get('access-control-allow-headers')).toContain('Content-Type')
  const read = await call('GET', '/api/runs', { headers: { origin: 'http://localhost:3000', 'sec-fetch-site': 'cross-site' } })
  expect(read.headers.get('access-control-allow-origin')).toBe('http://localhost:3000')
  expect(read.headers.get('access-control-allow-credentials')).toBe('true')
  const missing = await call('GET', '/api/runs/17', { headers: { origin: ui } })
  expect([missing.status, missing.headers.get('access-control-allow-origin')]).toEqual([404, ui])
  for (const origin of ['https://evil.example', 'https://ui.example.evil.example', 'null', 'http://ui.example'])
    for (const answer of [await preflight(origin), await call('GET', '/api/runs', { headers: { origin } })])
      expect([origin, answer.headers.get('access-control-allow-origin')]).toEqual([origin, null])
  const act = (origin: string) => call('POST', '/api/runs/plan', { body: {}, headers: { origin, 'sec-fetch-site': 'cross-site' } })
  expect([(await act(ui)).status, (await act('https://evil.example')).status]).toEqual([422, 403])
})
