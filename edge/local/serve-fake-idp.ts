import { createServer } from 'node:http'
import { createFakeIdp } from './fake-idp.ts'

/** Serves the fake identity provider on loopback: a child process of `BENCH_FAKE_IDP=1 npm start`. */
const idp = createFakeIdp({
  client_id: process.env.CHUTES_CLIENT_ID ?? '',
  client_secret: process.env.BENCH_FAKE_IDP_SECRET ?? '',
  ...(process.env.BENCH_FAKE_IDP_ACCESS_S && { access_s: Number(process.env.BENCH_FAKE_IDP_ACCESS_S) }),
})
const port = Number(process.env.BENCH_FAKE_IDP_PORT ?? 0)
const url = `http://127.0.0.1:${port}`
const server = createServer(async (incoming, outgoing) => {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  const { method = 'GET' } = incoming
  const request = new Request(new URL(incoming.url ?? '/', url), {
    method,
    headers: Object.entries(incoming.headers).map(([name, value]) => [name, String(value)] as [string, string]),
    ...(method !== 'GET' && method !== 'HEAD' && { body: Buffer.concat(chunks) }),
  })
  const answer = await idp.answer(request)
  outgoing.writeHead(answer.status, Object.fromEntries(answer.headers)).end(Buffer.from(await answer.arrayBuffer()))
}).listen(port, '127.0.0.1', () => process.send?.({ type: 'ready', url, detail: 'a stand-in for Chutes that asks for no password' }))
process.on('SIGTERM', () => {
  server.close(() => process.exit(0))
  server.closeAllConnections()
})
