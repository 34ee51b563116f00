import { once } from 'node:events'
import type { AddressInfo, Server } from 'node:net'
import type { ModelTimeouts } from '#fleet/model/call-result.ts'
import { createModelClient, defaultTimeouts, type ModelClient } from '#fleet/model/model-client.ts'
import type { Fault } from './fault.ts'
import { type Provider, type ProviderOptions, startProvider } from './provider.ts'

type Closable = { close(): Promise<unknown> }
const key = 'cpk_secret.of.tests'
const params = { temperature: 0, top_p: null, max_tokens: 64, stop: null, seed: null, reasoning_effort: null }

/** A bench to try the client on: everything it opens is closed by `closeAll`, newest first. */
export function createBench() {
  const opened: Closable[] = []
  const open = (thing: Closable): number => opened.push(thing)

  async function closeAll(): Promise<void> {
    for (const thing of opened.splice(0).reverse()) await thing.close()
  }
  async function provider(options: ProviderOptions = {}): Promise<Provider> {
    const started = await startProvider(options)
    open(started)
    return started
  }
  function clientOf(baseUrl: string, timeouts: Partial<ModelTimeouts> = {}, connections = 4): ModelClient {
    const client = createModelClient({
      baseUrl,
      apiKey: key,
      model: 'org/model',
      kind: 'openai',
      connections,
      timeouts: { ...defaultTimeouts, ...timeouts },
    })
    open(client)
    return client
  }
  const ask = (client: ModelClient, content = 'Which?', signal: AbortSignal | null = null) =>
    client.call({ messages: [{ role: 'user', content }], params }, signal)

  async function withFault(fault: Fault, timeouts: Partial<ModelTimeouts> = {}, options: ProviderOptions = {}) {
    const { url, ledger } = await provider({ script: [{ fault, from: 1, to: null, share: 1 }], ...options })
    const result = await ask(clientOf(url, timeouts))
    return { result, ledger }
  }
  async function reasonFor(fault: Fault, timeouts: Partial<ModelTimeouts> = {}): Promise<string> {
    const { result } = await withFault(fault, timeouts)
    return result.ok ? 'answer' : result.failure.reason
  }
  /** Starts a TCP server that is closed together with its connections. */
  async function tcp(server: Server): Promise<number> {
    const sockets = new Set<{ destroy(): void }>()
    server.on('connection', (socket) => sockets.add(socket))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    open({
      async close() {
        for (const socket of sockets) socket.destroy()
        server.close()
        await once(server, 'close')
      },
    })
    return (server.address() as AddressInfo).port // a listening TCP server has an address record
  }
  return { ask, clientOf, closeAll, key, open, provider, reasonFor, tcp, withFault }
}
