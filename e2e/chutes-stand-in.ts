import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type ChutesStandIn = {
  url: string
  catalogue: string
  /** The token of each call, and whether the token was valid at that time. */
  asked: { token: string; good: boolean }[]
  /** Origin of the identity provider that checks the tokens; set by the test. */
  idp: string
  close(): Promise<void>
}

/** Starts a Chutes API with one model. A call with a valid token gets an answer; any other call gets 401. */
export async function startChutes(latency_ms: number): Promise<ChutesStandIn> {
  const asked: ChutesStandIn['asked'] = []
  const server = createServer((request, response) => {
    request.resume().on('end', () => void (request.method === 'GET' ? catalogue(request, response) : chat(request, response)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // a listening TCP server has an address record
  const origin = `http://127.0.0.1:${port}`
  const stand: ChutesStandIn = {
    ...{ url: `${origin}/v1`, catalogue: origin, asked, idp: '' },
    async close() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
  const chat = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const token = (request.headers.authorization ?? '').replace('Bearer ', '')
    const good = (await fetch(`${stand.idp}/idp/userinfo`, { headers: { authorization: `Bearer ${token}` } })).ok
    asked.push({ token, good })
    await new Promise((resolve) => setTimeout(resolve, latency_ms))
    if (!good) return void response.writeHead(401, { 'content-type': 'application/json' }).end('{"detail":"Invalid token"}')
    const text = {
      choices: [{ delta: { content: 'The answer is (A)' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 9, completion_tokens: 5 },
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`data: ${JSON.stringify(text)}\n\ndata: [DONE]\n\n`)
  }
  return stand
}

function catalogue(request: IncomingMessage, response: ServerResponse): void {
  const price = { per_million_tokens: { input: { usd: 1 }, output: { usd: 1 } } }
  const chute = {
    chute_id: 'one-chute',
    name: 'chutes/one',
    public: true,
    hot: true,
    standard_template: 'vllm',
    current_estimated_price: price,
  }
  const listed = { data: [{ id: 'chutes/one', chute_id: 'one-chute', pricing: { prompt: 1, completion: 1 } }] }
  const answer = request.url?.includes('/chutes/')
    ? { total: 1, items: [chute] }
    : request.url?.endsWith('/models')
      ? listed
      : { user_id: 'operator' }
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
}
