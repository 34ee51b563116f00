import { createServer as createHttpServer, type Server as HttpServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { request } from 'undici'
import { afterEach, expect, test, vi } from 'vitest'
import { WebSocketServer } from 'ws'
import { processLink } from '../coordinator/link.ts'
import { createModelClient, defaultTimeouts } from '../model/model-client.ts'
import { createProxiedFetch } from './proxied-fetch.ts'
import { agentFor } from './proxy-route.ts'
import { openHttpProxy } from './testing/http-proxy.ts'

afterEach(() => vi.unstubAllEnvs())

const listening = async (server: Server): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port // a listening TCP server has an address record
}

const close = (server: HttpServer): void => {
  server.closeAllConnections()
  server.close()
}

/** A server on this machine that is known to the proxy as `box.test`. */
async function openBox(
  answer: (req: IncomingMessage, body: string) => { status?: number; headers?: Record<string, string>; body: string },
) {
  const heard: { url: string | undefined; host: string | undefined; authorization: string | undefined; body: string }[] = []
  const server = createHttpServer(async (req, res) => {
    let body = ''
    for await (const chunk of req) body += String(chunk)
    heard.push({ url: req.url, host: req.headers.host, authorization: req.headers.authorization, body })
    const { status = 200, headers = {}, body: said } = answer(req, body)
    res.writeHead(status, headers).end(said)
  })
  const port = await listening(server)
  return { heard, port, server, [Symbol.asyncDispose]: async () => close(server) }
}

const answered = 'data: {"choices":[{"index":0,"delta":{"content":"A"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'
const clientAt = (baseUrl: string) =>
  createModelClient({ baseUrl, apiKey: 'sk-1', model: 'm', kind: 'openai', connections: 1, timeouts: defaultTimeouts })
const params = { temperature: 0, top_p: null, max_tokens: 8, stop: null, seed: null, reasoning_effort: null }
const ask = { params, messages: [{ role: 'user' as const, content: 'Which?' }] }

test('[AGENT350] a model is asked through the proxy, by its whole address and with the credentials of the proxy', async () => {
  await using box = await openBox(() => ({ body: answered }))
  await using proxy = await openHttpProxy({ credentials: 'me:secret', routes: { 'box.test': box.port } })
  vi.stubEnv('HTTP_PROXY', proxy.url.replace('//', '//me:secret@'))
  const client = clientAt('http://box.test/v1?version=1')
  const result = await client.call(ask, null)
  expect(result).toMatchObject({ ok: true, value: { text: 'A', stream: { connect_ms: expect.any(Number) } } })
  await client.close()
  expect(proxy.asked).toEqual(['POST http://box.test/v1/chat/completions?version=1'])
  expect(box.heard).toMatchObject([{ url: '/v1/chat/completions?version=1', host: 'box.test', authorization: 'Bearer sk-1' }])
})

test('[AGENT350] a model on this machine, or named by NO_PROXY, is asked directly', async () => {
  await using box = await openBox(() => ({ body: answered }))
  await using proxy = await openHttpProxy()
  vi.stubEnv('http_proxy', proxy.url)
  const client = clientAt(`http://127.0.0.1:${box.port}/v1`)
  expect(await client.call(ask, null)).toMatchObject({ ok: true })
  await client.close()
  expect(proxy.asked).toEqual([])
})

test('[AGENT350] what is asked over TLS goes through a tunnel, with the name of the server within it', async () => {
  const first = Promise.withResolvers<Buffer>()
  const server = createServer((socket) => {
    socket.once('data', (bytes: Buffer) => {
      first.resolve(bytes)
      socket.destroy()
    })
  })
  const port = await listening(server)
  await using proxy = await openHttpProxy({ routes: { 'box.test:443': port } })
  vi.stubEnv('HTTPS_PROXY', proxy.url)
  const client = clientAt('https://box.test/v1')
  const failed = client.call(ask, null)
  const hello = await first.promise
  expect([hello[0], hello.includes('box.test'), hello.includes('sk-1')]).toEqual([0x16, true, false])
  expect(await failed).toMatchObject({ ok: false, failure: { reason: 'connection' } })
  await client.close()
  expect(proxy.asked).toEqual(['CONNECT box.test:443'])
  server.close()
})

test('[AGENT351] a failure on the way names the proxy and the address that was asked, and no password', async () => {
  await using unwilling = await openHttpProxy({ refusing: 503 })
  await using strict = await openHttpProxy({ credentials: 'me:other' })
  const failureOf = async (variable: string, proxy: string, baseUrl: string) => {
    vi.unstubAllEnvs()
    vi.stubEnv(variable, proxy)
    const client = clientAt(baseUrl)
    const result = await client.call(ask, null)
    await client.close()
    return result.ok ? null : result.failure
  }
  const dead = 'http://me:secret@127.0.0.1:9'
  for (const [scheme, variable] of [
    ['http', 'HTTP_PROXY'],
    ['https', 'HTTPS_PROXY'],
  ] as const) {
    const asked = `asked at ${scheme}://box.test/v1/chat/completions through the proxy http://127.0.0.1`
    expect(await failureOf(variable, dead, `${scheme}://box.test/v1`)).toMatchObject({
      reason: 'connection',
      detail: expect.stringMatching(
        new RegExp(`^the proxy http://127.0.0.1:9 of ${variable} cannot be reached \\(ECONNREFUSED\\).*${asked}(?!.*secret)`),
      ),
    })
    expect(await failureOf(variable, strict.url.replace('//', '//me:secret@'), `${scheme}://box.test/v1`)).toMatchObject({
      reason: 'forbidden',
      retryable: false,
      detail: expect.stringMatching(/407.*through the proxy(?!.*secret)/),
    })
    expect((await failureOf(variable, unwilling.url, `${scheme}://box.test/v1`))?.detail).toMatch(
      /503.*asked at http.*through the proxy http/,
    )
  }
})

test('[AGENT350] fetch goes through the proxy: bodies, streams, redirects without credentials to elsewhere, aborts', async () => {
  await using box = await openBox((req, body) =>
    req.url === '/moved' ? { status: 302, headers: { location: 'http://other.test/end' }, body: '' } : { body: `${req.method} ${body}` },
  )
  await using proxy = await openHttpProxy({ routes: { 'box.test': box.port, 'other.test': box.port } })
  const asked: string[] = []
  const direct = (async (input: URL | string) => {
    asked.push(String(input))
    return new Response('direct')
  }) as typeof fetch
  const proxied = createProxiedFetch(direct, { HTTP_PROXY: proxy.url, NO_PROXY: 'near.test' })
  const posted = await proxied('http://box.test/x?y=1', { method: 'POST', body: 'bytes', headers: { authorization: 'Bearer k' } })
  expect([posted.status, posted.url, await posted.text()]).toEqual([200, 'http://box.test/x?y=1', 'POST bytes'])
  const manual = await proxied('http://box.test/moved', { redirect: 'manual' })
  expect([manual.status, manual.headers.get('location')]).toEqual([302, 'http://other.test/end'])
  const moved = await proxied('http://box.test/moved', { headers: { authorization: 'Bearer k' } })
  expect([moved.url, await moved.text()]).toEqual(['http://other.test/end', 'GET '])
  expect(box.heard.at(-1)).toMatchObject({ host: 'other.test', authorization: undefined })
  await expect(proxied('http://box.test/moved', { redirect: 'error' })).rejects.toThrow(TypeError)
  const head = await proxied('http://box.test/', { method: 'HEAD' })
  expect([head.status, await head.text()]).toEqual([200, ''])
  expect(await (await proxied('http://near.test/')).text()).toBe('direct')
  expect(await (await proxied(`http://127.0.0.1:${box.port}/`)).text()).toBe('direct')
  const reason = new Error('enough')
  await expect(proxied('http://box.test/', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  expect(asked).toEqual(['http://near.test/', `http://127.0.0.1:${box.port}/`])
  const lost = createProxiedFetch(direct, { HTTP_PROXY: 'http://127.0.0.1:9' })
  const why: unknown = await lost('http://box.test/').catch((error: Error) => error.cause)
  expect(String(why)).toContain('the proxy http://127.0.0.1:9 of HTTP_PROXY cannot be reached (ECONNREFUSED)')
})

test('[AGENT350] an agent’s socket goes through a tunnel', async () => {
  const sockets = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await new Promise((resolve) => sockets.once('listening', resolve))
  sockets.on('connection', (socket) => socket.on('message', (data) => socket.send(`heard ${String(data)}`)))
  await using proxy = await openHttpProxy({ routes: { 'edge.test:80': (sockets.address() as AddressInfo).port } })
  vi.stubEnv('HTTP_PROXY', proxy.url)
  const said = Promise.withResolvers<string>()
  const wire = processLink.dial('ws://edge.test/api/fleet/socket', 'agt_12345678', {
    onOpen: () => wire.send('hello'),
    onMessage: (text) => said.resolve(text),
    onRefused: (status) => said.resolve(`refused ${status}`),
    onGone: (_code, _reason, why) => said.resolve(`gone ${why}`),
  })
  expect(await said.promise).toBe('heard hello')
  expect(proxy.asked).toEqual(['CONNECT edge.test:80'])
  wire.cut()
  sockets.close()
  vi.stubEnv('HTTP_PROXY', 'http://127.0.0.1:9')
  const lost = Promise.withResolvers<string | undefined>()
  const nothing = () => undefined
  processLink.dial('ws://edge.test/', 'agt_12345678', {
    onOpen: nothing,
    onMessage: nothing,
    onRefused: nothing,
    onGone: (_c, _r, why) => lost.resolve(why),
  })
  expect(await lost.promise).toBe('the proxy http://127.0.0.1:9 of HTTP_PROXY cannot be reached (ECONNREFUSED)')
})

test('[AGENT350] what an agent sends with undici, such as artifacts, goes through the proxy', async () => {
  await using box = await openBox((_, body) => ({ status: 201, body }))
  await using proxy = await openHttpProxy({ routes: { 'edge.test:8080': box.port } })
  vi.stubEnv('HTTP_PROXY', proxy.url)
  const dispatcher = agentFor(new URL('http://edge.test:8080'), {}, 5_000)
  const { statusCode, body } = await request('http://edge.test:8080/api/artifacts/1?x=2', {
    ...{ dispatcher, method: 'PUT', body: 'bytes' },
    headers: { authorization: 'Bearer agt' },
  })
  expect([statusCode, await body.text(), proxy.asked]).toEqual([201, 'bytes', ['PUT http://edge.test:8080/api/artifacts/1?x=2']])
  expect(box.heard).toMatchObject([{ host: 'edge.test:8080', authorization: 'Bearer agt' }])
  await dispatcher.close()
})
