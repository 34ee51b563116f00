import { expect, test, vi } from 'vitest'
import { ProblemBody } from '#shared/contract/problem.ts'
import { edgeLog } from './edge-log.ts'
import { nameRequest } from './request-id.ts'
import { openApp } from './testing/call-app.ts'

const ray = '8f3a1b2c4d5e6f70-FRA'

test("[OBS7] a request has the id its client gave it, else Cloudflare's ray, else a new one; answers and problems say it", async () => {
  const { call } = openApp()
  const named = async (headers: Record<string, string>) => {
    const answer = await call('GET', '/api/nothing', { headers })
    const { request_id } = ProblemBody.parse(await answer.json())
    expect(answer.headers.get('x-request-id')).toBe(request_id)
    return request_id
  }
  expect(await named({ 'cf-ray': ray })).toBe(ray)
  expect(await named({ 'cf-ray': ray, 'x-request-id': 'mine-1' })).toBe('mine-1')
  const made = await named({})
  for (const strange of ['<b>', '8f3a1b2c4d5e6f70-FRA; x', 'x'.repeat(65)]) {
    const other = await named({ 'cf-ray': strange, 'x-request-id': strange })
    expect(other).toMatch(/^[0-9a-f-]{36}$/)
    expect(other).not.toBe(made)
  }
})

test('[OBS7] a page and what it asks of the API go by one id', async () => {
  const { app } = openApp()
  const asked: (string | null)[] = []
  const page = await nameRequest(
    new Request('https://bench.example/runs', { headers: { 'cf-ray': ray } }),
    () => 'made',
    async (named) => {
      for (const path of ['/api/status', '/api/nothing'])
        asked.push((await app.fetch(named(new Request(`https://bench.example${path}`)))).headers.get('x-request-id'))
      return new Response('<p>', { status: 404, headers: { 'content-type': 'text/html' } })
    },
  )
  expect(asked).toEqual([ray, ray])
  expect([page.status, page.headers.get('x-request-id'), page.headers.get('content-type')]).toEqual([404, ray, 'text/html'])
  const other = await nameRequest(
    new Request('https://bench.example/'),
    () => 'made',
    async () => new Response(''),
  )
  expect(other.headers.get('x-request-id')).toBe('made')
})

test('[OBS7] the log of the Worker is one object a line at its level, without keys', () => {
  const key = `cbr_${'a1'.repeat(20)}`
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  edgeLog('warn', 'fleet not told', { run_id: 'r1', error: new Error(`refused ${key}`) })
  const line = String(warn.mock.calls[0]![0])
  warn.mockRestore()
  expect(JSON.parse(line)).toMatchObject({
    level: 'warn',
    message: 'fleet not told',
    run_id: 'r1',
    error: expect.stringContaining('refused [redacted]'),
  })
  expect(line).not.toContain(key)
})
