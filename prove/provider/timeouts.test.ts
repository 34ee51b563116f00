import { createServer } from 'node:http'
import { createServer as createTcpServer } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { createBench } from './client-bench.ts'

const { ask, clientOf, closeAll, reasonFor, tcp } = createBench()
afterEach(closeAll)

test('[MODEL15] each silence has its own timeout: connect, first token, idle, total', async () => {
  const silent = await tcp(createTcpServer())
  expect(await ask(clientOf(`https://127.0.0.1:${silent}/v1`, { connectMs: 50 }))).toMatchObject({
    ok: false,
    failure: { reason: 'connect-timeout' },
  })
  expect(await ask(clientOf(`http://127.0.0.1:${silent}/v1`, { firstTokenMs: 50 }))).toMatchObject({
    ok: false,
    failure: { reason: 'first-token-timeout' },
  })
  expect(await reasonFor({ kind: 'hang', when: 'headers' }, { firstTokenMs: 50 })).toBe('first-token-timeout')
  expect(await reasonFor({ kind: 'hang', when: 'body' }, { firstTokenMs: 50 })).toBe('first-token-timeout')
  expect(await reasonFor({ kind: 'hang', when: 'body' }, { idleMs: 50 })).toBe('idle-timeout')
  expect(await reasonFor({ kind: 'hang', when: 'middle' }, { idleMs: 50 })).toBe('idle-timeout')
  expect(await reasonFor({ kind: 'hang', when: 'middle' }, { totalMs: 80 })).toBe('total-timeout')
  expect(await reasonFor({ kind: 'slow', bytes: 1, every_ms: 5 }, { idleMs: 2000, firstTokenMs: 2000, totalMs: 150 })).toBe('total-timeout')
})

test('[MODEL15] keep-alive comments hold the connection but do not stand for a first token', async () => {
  const port = await tcp(
    createServer((_, res) => {
      res.writeHead(200, { 'content-type': 'text/event-stream' })
      const timer = setInterval(() => res.write(': ping\n\n'), 10)
      res.on('close', () => clearInterval(timer))
    }),
  )
  const result = await ask(clientOf(`http://127.0.0.1:${port}/v1`, { idleMs: 5000, firstTokenMs: 100 }))
  expect(result).toMatchObject({ ok: false, failure: { reason: 'first-token-timeout', retryable: true } })
})
