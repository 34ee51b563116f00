import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type Server } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { ProblemBody } from '#shared/contract/problem.ts'
import { openDoor } from './door.ts'

type Behind = (message: IncomingMessage, response: import('node:http').ServerResponse) => void
let server: Server
let behind: Behind
let door: Awaited<ReturnType<typeof openDoor>>
const here = () => `127.0.0.1:${door.port}`

beforeAll(async () => {
  server = createServer((message, response) => behind(message, response)).listen(0, '127.0.0.1')
  const sockets = new WebSocketServer({ server })
  sockets.on('connection', (socket) => socket.on('message', (data) => socket.send(data)))
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  door = await openDoor({ host: '127.0.0.1', port: 0, hosts: [], secret: 's', upstream: () => ({ hostname: '127.0.0.1', port }) })
})
afterAll(async () => {
  await door.close()
  server.closeAllConnections()
  server.close()
})

/** What comes back for these very bytes. */
async function send(text: string): Promise<{ status: number; head: string; body: string }> {
  const socket = connect(door.port, '127.0.0.1')
  socket.write(text, 'latin1')
  const chunks: Buffer[] = []
  for await (const chunk of socket) {
    chunks.push(chunk as Buffer)
    const answer = Buffer.concat(chunks).toString('latin1')
    const length = /^content-length: (\d+)/im.exec(answer)?.[1]
    if (length && answer.length >= answer.indexOf('\r\n\r\n') + 4 + Number(length)) break
  }
  socket.destroy()
  const answer = Buffer.concat(chunks).toString('latin1')
  const end = answer.indexOf('\r\n\r\n')
  return { status: Number(answer.split(' ')[1]), head: answer.slice(0, end), body: answer.slice(end + 4) }
}

test('[START22] what is no HTTP for this service is a problem, never a 500 and never passed on', async () => {
  behind = () => expect.unreachable()
  const host = `Host: ${here()}\r\n`
  const cases: [string, number][] = [
    [`POST /api/runs HTTP/1.1\r\n${host}Content-Length: banana\r\n\r\n`, 400],
    [`POST /api/runs HTTP/1.1\r\n${host}Content-Length: -1\r\n\r\n`, 400],
    [`POST /api/runs HTTP/1.1\r\n${host}Content-Length: 1\r\nContent-Length: 2\r\n\r\nx`, 400],
    [`POST /api/runs HTTP/1.1\r\n${host}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\nx`, 400],
    [`POST /api/runs HTTP/1.1\r\n${host}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`, 400],
    [`GET http://evil.test/api/runs HTTP/1.1\r\n${host}\r\n`, 421],
    [`GET ftp://evil.test/ HTTP/1.1\r\n${host}\r\n`, 400],
    [`OPTIONS * HTTP/1.1\r\n${host}\r\n`, 400],
    [`CONNECT evil.test:443 HTTP/1.1\r\nHost: evil.test:443\r\n\r\n`, 405],
    [`CONNECT ${'127.0.0.1'}:1 HTTP/1.1\r\n${host}\r\n`, 405],
    [`TRACE / HTTP/1.1\r\n${host}\r\n`, 405],
    ['GET / HTTP/1.1\r\nHost: evil.test\r\n\r\n', 421],
    ['GET / HTTP/1.1\r\nHost: a b\r\n\r\n', 400],
    ['GET / HTTP/1.1\r\nHost: [\r\n\r\n', 400],
    ['GET / HTTP/1.1\r\nHost:\r\n\r\n', 400],
    ['GET / HTTP/1.1\r\n\r\n', 400],
    ['GET / HTTP/1.0\r\n\r\n', 400],
    [`GET / HTTP/1.1\r\n${host}${host}\r\n`, 400],
    [`GET /\u0000 HTTP/1.1\r\n${host}\r\n`, 400],
    [`GET /\u00e9 HTTP/1.1\r\n${host}\r\n`, 400],
    [`NOPE / HTTP/1.1\r\n${host}\r\n`, 400],
    ['\u0016\u0003\u0001\u0000\u0010\r\n\r\n', 400],
    [`GET / HTTP/1.1\r\n${host}X: ${'x'.repeat(70_000)}\r\n\r\n`, 431],
    [`GET /api/fleet/socket HTTP/1.1\r\nHost: evil.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`, 421],
  ]
  for (const [text, status] of cases) {
    const answer = await send(text)
    expect([text.slice(0, 90), answer.status]).toEqual([text.slice(0, 90), status])
    expect(answer.head).toMatch(/content-type: application\/problem\+json/i)
    expect(ProblemBody.parse(JSON.parse(answer.body)).status).toBe(status)
    expect(/^allow: /im.test(answer.head)).toBe(status === 405)
  }
})

test('[START23] bodies, duplicate headers, statuses and errors pass the door as they are', async () => {
  behind = async (message, response) => {
    let body = ''
    for await (const chunk of message) body += chunk
    response.writeHead(
      418,
      'Odd',
      [
        ['set-cookie', 'a=1'],
        ['set-cookie', 'b=2'],
      ].flat(),
    )
    response.end(JSON.stringify({ method: message.method, url: message.url, body, secret: message.headers['x-bench-door'] }))
  }
  const response = await fetch(`http://${here()}/a%20b?c=%00`, { method: 'PATCH', body: 'x'.repeat(300_000) })
  expect([response.status, response.headers.getSetCookie()]).toEqual([418, ['a=1', 'b=2']])
  expect(await response.json()).toEqual({ method: 'PATCH', url: '/a%20b?c=%00', body: 'x'.repeat(300_000), secret: 's' })
  const empty = await (await fetch(`http://${here()}/`, { method: 'DELETE' })).json()
  expect(empty).toMatchObject({ method: 'DELETE', body: '' })
})

test('[START23] an answer is passed on while it comes, one that breaks off breaks off, and a reader who leaves is noticed', async () => {
  const left = Promise.withResolvers<void>()
  behind = (message, response) => {
    response.write('first')
    response.once('close', left.resolve)
    if (message.url === '/broken') setImmediate(() => response.destroy())
  }
  const broken = await fetch(`http://${here()}/broken`)
  await expect(broken.text()).rejects.toThrow()
  const asked = request(`http://${here()}/stays`).end()
  const [answer] = await once(asked, 'response')
  const [chunk] = await once(answer, 'data')
  expect(String(chunk)).toBe('first')
  asked.destroy()
  await left.promise
})

test('[START23] WebSockets pass in both directions; another site’s name does not open one', async () => {
  const socket = new WebSocket(`ws://${here()}/api/fleet/socket`)
  await once(socket, 'open')
  socket.send('x'.repeat(100_000))
  expect(String((await once(socket, 'message'))[0])).toHaveLength(100_000)
  socket.close()
  await once(socket, 'close')
  const refused = new WebSocket(`ws://${here()}/api/fleet/socket`, { headers: { host: `evil.test:${door.port}` } })
  expect(String((await once(refused, 'error'))[0])).toContain('421')
})

test('[START23] while the Worker is away the door says so', async () => {
  const closed = createServer().listen(0, '127.0.0.1')
  await once(closed, 'listening')
  const { port } = closed.address() as { port: number }
  closed.close()
  const alone = await openDoor({ host: '127.0.0.1', port: 0, hosts: [], secret: 's', upstream: () => ({ hostname: '127.0.0.1', port }) })
  const response = await fetch(`http://127.0.0.1:${alone.port}/api/runs`, { method: 'POST', body: '{}' })
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1'])
  expect(ProblemBody.parse(await response.json()).code).toBe('unavailable')
  const socket = new WebSocket(`ws://127.0.0.1:${alone.port}/`)
  expect(String((await once(socket, 'error'))[0])).toContain('503')
  await alone.close()
})
