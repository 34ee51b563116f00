import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { openSocket } from './socket.ts'

/** Why a socket is tried again that was answered with this status and body. */
async function whyRetried(status: number, body: string): Promise<string> {
  const server = createServer((socket) => {
    socket.once('data', () => socket.end(`HTTP/1.1 ${status} No\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`))
    socket.on('error', () => undefined)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // a listening TCP server has an address record
  const { promise, resolve } = Promise.withResolvers<string>()
  const nothing = () => undefined
  const socket = openSocket(`ws://127.0.0.1:${port}/`, 'agt_12345678', {
    onOpen: nothing,
    onFrame: nothing,
    onClosed: nothing,
    onRetry: resolve,
  })
  const why = await promise
  socket.close()
  server.close()
  return why
}

test('[AGENT352] a refusal is said with the sentence of its body', async () => {
  const detail = 'This service answers at localhost:8787; set PUBLIC_URL to let in others.'
  expect(await whyRetried(421, JSON.stringify({ title: 'Misdirected', detail }))).toBe(`HTTP 421: ${detail}`)
  expect(await whyRetried(503, JSON.stringify({ title: 'Under\u001b[31m maintenance' }))).toBe('HTTP 503: Under [31m maintenance')
  for (const body of ['', '<html>', '[]', '{"detail":7}', JSON.stringify({ detail: 'x'.repeat(30_000) })])
    expect([body.slice(0, 20), await whyRetried(502, body)]).toEqual([body.slice(0, 20), 'HTTP 502'])
})
