import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { WebSocketServer } from 'ws'
import { isUnseen, processLink } from './link.ts'
import { openSocket } from './socket.ts'

/** A link that waits as short as it may. */
const prompt = { ...processLink, random: () => 0 }

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
          prompt,
        )
        expect(last.send('too early')).toBe(false)
      },
      onClosed: (code, reason) => closed.resolve([code, reason]),
    },
    prompt,
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

/** An edge that answers upgrades with these statuses in turn, then takes the connection. */
async function answering(...statuses: number[]) {
  const http = createServer()
  const edge = new WebSocketServer({ noServer: true })
  const offered: (string | undefined)[] = []
  http.on('upgrade', (request, socket, head) => {
    offered.push(request.headers['sec-websocket-extensions'])
    const status = statuses.shift()
    if (status) socket.end(`HTTP/1.1 ${status} No\r\nContent-Length: 0\r\n\r\n`)
    else edge.handleUpgrade(request, socket, head, (opened) => edge.emit('connection', opened, request))
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const closed = Promise.withResolvers<[number, string]>()
  const opened = Promise.withResolvers<void>()
  const retries: string[] = []
  const frames: string[] = []
  let heard = Promise.withResolvers<string>()
  const socket = openSocket(
    `ws://127.0.0.1:${(http.address() as AddressInfo).port}`,
    'token',
    {
      onOpen: () => opened.resolve(),
      onFrame(text) {
        frames.push(text)
        heard.resolve(text)
        heard = Promise.withResolvers()
      },
      onClosed: (code, reason) => closed.resolve([code, reason]),
      onRetry: (why) => void retries.push(why),
    },
    prompt,
  )
  return {
    ...{ edge, socket, offered, retries, closed: closed.promise, opened: opened.promise, next: () => heard.promise },
    /** The connection is gone on both sides, and what follows from that has happened. */
    async hungUp() {
      await new Promise((gone) => http.close(gone))
      for (let turn = 0; turn < 10; turn++) await new Promise((next) => setImmediate(next))
    },
    close() {
      socket.close()
      edge.close()
      http.closeAllConnections()
      http.close()
    },
  }
}

test.each([
  [401, 4011, 'The edge does not accept this agent token.'],
  [403, 4011, 'The edge does not accept this agent token.'],
  [404, 4012, 'The edge knows no such run.'],
])('[AGENT8] an answer of HTTP %i is final', async (status, code, sentence) => {
  const edge = await answering(status)
  expect(await edge.closed).toEqual([code, sentence])
  expect([edge.offered.length, edge.retries]).toEqual([1, []])
  edge.close()
})

test('[AGENT7] any other answer is said and tried again; what comes then may be large, and nothing is compressed', async () => {
  const edge = await answering(503, 429)
  const large = 'x'.repeat(1_000_000)
  edge.edge.on('connection', (socket) => socket.send(large))
  const came = edge.next()
  await edge.opened
  expect(edge.retries).toEqual(['HTTP 503', 'HTTP 429'])
  expect(edge.offered).toEqual([undefined, undefined, undefined])
  expect(await came).toBe(large)
  edge.close()
})

test('[AGENT7] a connection that its agent has closed says nothing more, whatever code it ends with', async () => {
  const edge = await answering()
  const ended: unknown[] = []
  void edge.closed.then((end) => ended.push(end))
  const connected = once(edge.edge, 'connection')
  await edge.opened
  const [server] = (await connected) as [import('ws').WebSocket]
  const gone = once(server, 'close')
  server.close(4009, 'replaced')
  edge.socket.close()
  await gone
  await new Promise((next) => setImmediate(next))
  expect([ended, edge.retries, edge.socket.send('late')]).toEqual([[], [], false])
  edge.close()
})

test('[AGENT7] an agent that hangs up does not come back by itself', async () => {
  const edge = await answering()
  await edge.opened
  edge.socket.close()
  await edge.hungUp()
  expect([edge.retries, edge.offered.length]).toEqual([[], 1])
  edge.close()
})

test('[AGENT7] frames go unmasked where nobody between can see them: over TLS, or on this machine', () => {
  const unseen = ['wss://bench.example.org/api', 'ws://localhost:8787', 'ws://127.0.0.1:1', 'ws://127.9.9.9', 'ws://[::1]:8787']
  expect(unseen.filter(isUnseen)).toEqual(unseen)
  const seen = ['ws://bench.example.org', 'ws://10.0.0.1', 'ws://127.example.org', 'ws://[2001:db8::1]']
  expect(seen.filter(isUnseen)).toEqual([])
})
