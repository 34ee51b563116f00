import { expect, test } from 'vitest'
import { MetricsAddress, serveMetrics } from './serve-metrics.ts'

test.each([
  ['9464', { host: '127.0.0.1', port: 9464 }],
  ['127.0.0.1:9464', { host: '127.0.0.1', port: 9464 }],
  ['0.0.0.0:0', { host: '0.0.0.0', port: 0 }],
  ['[::1]:9464', { host: '::1', port: 9464 }],
  ['box-1.lan:80', { host: 'box-1.lan', port: 80 }],
])('[OBS5] metrics at %s are asked for by port, or by address and port', (text, address) => {
  expect(MetricsAddress.parse(text)).toEqual(address)
})

test.each(['', 'x', '65536', ':80', '::1', '::1:80', 'http://127.0.0.1:80', '127.0.0.1:', '80 ', '-1'])(
  '[OBS5] "%s" is no address for metrics',
  (text) => {
    expect(MetricsAddress.safeParse(text).success).toBe(false)
  },
)

test('[OBS5] only /metrics and /health are there, to read', async () => {
  let ok = true
  const { url, close } = await serveMetrics(
    { host: '127.0.0.1', port: 0 },
    { metrics: () => 'bench_agent_slots 8\n', health: () => ({ ok, detail: ok ? 'connected' : 'it cannot reach the service' }) },
  )
  const ask = async (path: string, method = 'GET') => {
    const answer = await fetch(`${url}${path}`, { method })
    return [answer.status, await answer.text()]
  }
  expect(await ask('/metrics')).toEqual([200, 'bench_agent_slots 8\n'])
  expect(await ask('/metrics?x=1')).toEqual([200, 'bench_agent_slots 8\n'])
  expect(await ask('/metrics', 'HEAD')).toEqual([200, ''])
  expect(await ask('/health')).toEqual([200, '{"ok":true,"detail":"connected"}\n'])
  ok = false
  expect(await ask('/health')).toEqual([503, '{"ok":false,"detail":"it cannot reach the service"}\n'])
  expect((await ask('/'))[0]).toBe(404)
  expect((await ask('/metrics', 'POST'))[0]).toBe(405)
  close()
})
