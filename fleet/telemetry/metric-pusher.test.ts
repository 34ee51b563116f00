import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { handClock, settled } from '#shared/run/testing/hand-clock.ts'
import { createRegistry } from '#shared/telemetry/registry.ts'
import { createMetricPusher } from './metric-pusher.ts'

const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})
const target = { url: 'https://otlp.example/v1/metrics', headers: {}, intervalMs: 15_000 }
const resource = { 'service.name': 'bench-agent' }

test('[OBS11] metrics are pushed at their interval, one push at a time, and once more at the end; a failure is said once', async () => {
  const clock = handClock()
  const said: string[] = []
  const pushed: ((answer: { ok: boolean; status: number }) => void)[] = []
  const pusher = createMetricPusher({
    target,
    registry: createRegistry([]),
    resource,
    startMs: 0,
    log: (level, message) => void said.push(`${level} ${message}`),
    clock,
    now: () => 0,
    post: () => new Promise((resolve) => pushed.push(resolve)),
  })
  const answer = async (status: number) => {
    pushed.at(-1)!({ ok: status < 300, status })
    await settled()
  }
  await clock.to(14_999)
  expect(pushed).toHaveLength(0)
  await clock.to(45_000)
  expect(pushed).toHaveLength(1) // the first is not answered yet
  await answer(503)
  await clock.to(60_000)
  await answer(429)
  expect(said).toEqual(['warn metrics could not be pushed to https://otlp.example/v1/metrics (HTTP 503); tried again every 15 s'])
  await clock.to(75_000)
  await answer(200)
  expect(said.at(-1)).toBe('info metrics are pushed to https://otlp.example/v1/metrics again')
  const closed = pusher.close()
  expect(pushed).toHaveLength(4)
  await answer(200)
  await closed
  await clock.to(600_000)
  expect([pushed.length, said.length, clock.timers()]).toEqual([4, 2, 0])
})

test('[OBS11] a collector gets the body over HTTP with its headers, and nothing follows where it would send it on', async () => {
  const got: { url: string | undefined; key: string | undefined; body: { resourceMetrics: unknown[] } }[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    got.push({ url: request.url, key: request.headers['x-key'] as string, body: JSON.parse(text) })
    response.writeHead(307, { location: '/elsewhere' }).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  ends.push(() => server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/metrics`
  const said: string[] = []
  const registry = createRegistry(['bench_agent_halts_total'])
  const log = (_level: string, message: string) => void said.push(message)
  await createMetricPusher({ target: { ...target, url, headers: { 'x-key': 'k' } }, registry, resource, startMs: 0, log }).close()
  expect(got).toMatchObject([
    { url: '/v1/metrics', key: 'k', body: { resourceMetrics: [{ scopeMetrics: [{ metrics: [{ name: 'bench_agent_halts_total' }] }] }] } },
  ])
  expect(said).toEqual([expect.stringContaining('(HTTP 307)')])
})
