import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'

export type Counts = { requests: number; inARow: number }
export type CountingEndpoint = {
  url: string
  /** What came since the last look: requests, and how many of them had to wait for one another. */
  take(): Counts
  stop(): Promise<void>
}

/**
 * Stands before a Neon endpoint and counts. A request that came after another's answer had left counts as waiting for it; answers are held back
 * by `hold` (a delay, or turns of the event loop), so that requests sent at once are seen to come at once.
 */
export async function startCountingEndpoint(target: string, hold: () => Promise<unknown>): Promise<CountingEndpoint> {
  let counts: Counts = { requests: 0, inARow: 0 }
  let deepest = 0
  const answer = async (text: Buffer, headers: Record<string, string>, response: ServerResponse) => {
    const level = deepest + 1
    const own = counts
    own.requests += 1
    own.inARow = Math.max(own.inARow, level)
    const [passed] = await Promise.all([fetch(target, { method: 'POST', headers, body: new Uint8Array(text) }), hold()])
    const body = Buffer.from(await passed.arrayBuffer())
    if (own === counts) deepest = Math.max(deepest, level)
    response.writeHead(passed.status, { 'content-type': 'application/json', 'content-length': body.length }).end(body)
  }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const neon = Object.entries(request.headers).filter(([name]) => name.startsWith('neon-')) as [string, string][]
      answer(Buffer.concat(chunks), Object.fromEntries(neon), response).catch(() => response.writeHead(503).end('{"message":"away"}'))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the endpoint has no port')
  return {
    url: `http://127.0.0.1:${address.port}/sql`,
    take() {
      const taken = counts
      counts = { requests: 0, inARow: 0 }
      deepest = 0
      return taken
    },
    async stop() {
      server.close()
      server.closeAllConnections()
    },
  }
}
