import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { WebSocketServer } from 'ws'
import { openSocket } from './socket.ts'

/** An edge that does with each connection, in turn, what the script says. */
async function serve(script: ((socket: import('ws').WebSocket) => void)[]) {
  const http = createServer((_request, response) => response.writeHead(401).end())
  const edge = new WebSocketServer({ server: http })
  let connections = 0
  edge.on('connection', (socket) => script[Math.min(connections++, script.length - 1)]!(socket))
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  return {
    url: `ws://127.0.0.1:${(http.address() as AddressInfo).port}`,
    connections: () => connections,
    close() {
      edge.close()
      http.close()
    },
  }
}

test('[AGENT7] a connection that breaks is made again, and a final close code is not', async () => {
  const edge = await serve([(socket) => socket.terminate(), (socket) => socket.send('hello'), (socket) => socket.close(4009, 'replaced')])
  const frames: string[] = []
  const opened: number[] = []
  const closed = Promise.withResolvers<[number, string]>()
  const socket = openSocket(
    edge.url,
    'token',
    {
      onOpen: () => opened.push(1),
      onFrame(text) {
        frames.push(text)
        socket.close()
        const last = openSocket(
          edge.url,
          'token',
          { onOpen: () => undefined, onFrame: () => undefined, onClosed: (code, reason) => closed.resolve([code, reason]) },
          () => 0,
        )
        expect(last.send('too early')).toBe(false)
      },
      onClosed: (code, reason) => closed.resolve([code, reason]),
    },
    () => 0,
  )
  expect(await closed.promise).toEqual([4009, 'replaced'])
  expect(frames).toEqual(['hello'])
  expect(opened.length).toBe(2)
  expect(edge.connections()).toBe(3)
  edge.close()
})

test('[AGENT8] a token the edge does not accept ends the agent with a sentence', async () => {
  const http = createServer()
  http.on('upgrade', (_request, socket) => socket.end('HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n'))
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const closed = Promise.withResolvers<[number, string]>()
  openSocket(`ws://127.0.0.1:${(http.address() as AddressInfo).port}`, 'wrong', {
    onOpen: () => undefined,
    onFrame: () => undefined,
    onClosed: (code, reason) => closed.resolve([code, reason]),
  })
  expect(await closed.promise).toEqual([4011, 'The edge does not accept this agent token.'])
  http.close()
})
