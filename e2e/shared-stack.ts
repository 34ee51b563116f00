import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inject } from 'vitest'
import { claimPort } from '../edge/local/settings.ts'
import { newDataDir, type Stack, startStack } from './stack.ts'

/**
 * A service that several test files use at the same time. It has the runs and tasks of all these
 * files, and no file stops it.
 */
export type SharedStack = Pick<Stack, 'url' | 'dataDir' | 'pid'>

type Models = { id: string; price?: { input_per_million_usd: number; output_per_million_usd: number } }[]

/** Providers of the second service, with their models. The file that names one listens on its port. */
const providers = {
  judged: [{ id: 'sim' }, { id: 'strict-judge' }],
  large: [{ id: 'sim' }],
  troubled: [{ id: 'sim' }],
  refusing: [{ id: 'sim' }],
  dialogue: [
    { id: 'agent', price: { input_per_million_usd: 1, output_per_million_usd: 4 } },
    { id: 'gpt-4.1-2025-04-14', price: { input_per_million_usd: 3, output_per_million_usd: 12 } },
  ],
} satisfies Record<string, Models>
type SimulatedProvider = keyof typeof providers
type Ports = Record<string, number>

declare module 'vitest' {
  interface ProvidedContext {
    /** Where `offerStacks` answers. */
    sharedStacks: string
  }
}

/**
 * Offers two services to all test files: `/demo` with the demo model, and `/simulated`, which knows
 * the simulated providers. The first file that asks for one starts it. Returns the address to ask
 * and the function that stops them.
 */
export async function offerStacks(): Promise<{ url: string; stop(): Promise<void> }> {
  const started = new Map<string, { stack: Promise<Stack>; ports: Ports; remove(): void }>()
  const start = (name: string, ports: Ports) => {
    const dir = newDataDir()
    const known = Object.entries(ports).map(([id, port]) => {
      const models: Models = providers[id as SimulatedProvider]
      return { id, label: id, kind: 'openai', base_url: `http://127.0.0.1:${port}/v1`, models }
    })
    const stack = startStack(dir.path, name === 'demo' ? {} : { BENCH_PROVIDERS: JSON.stringify(known) })
    started.set(name, { stack, ports, remove: dir.remove })
  }
  const ports: Ports = {}
  for (const id of Object.keys(providers)) ports[id] = await claimPort(0)
  const server = createServer((request, response) => {
    const name = request.url!.slice(1)
    if (!started.has(name)) start(name, name === 'demo' ? {} : ports)
    const { stack, ports: of } = started.get(name)!
    stack.then(
      ({ url, dataDir, pid }) => response.end(JSON.stringify({ url, dataDir, pid, ports: of } satisfies SharedStack & { ports: Ports })),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.close()
      await Promise.all([...started.values()].map(({ stack, remove }) => stack.then((one) => one.stop()).finally(remove)))
    },
  }
}

async function ask(name: 'demo' | 'simulated'): Promise<SharedStack & { ports: Ports }> {
  const answer = await fetch(`${inject('sharedStacks')}/${name}`)
  if (!answer.ok) throw new Error(await answer.text())
  return (await answer.json()) as SharedStack & { ports: Ports }
}

/** The shared service with the demo model. Throws with the output of a service that did not start. */
export const sharedStack = (): Promise<SharedStack> => ask('demo')

/**
 * The shared service that knows the simulated providers, and the port on which the caller starts the
 * named one. Throws with the output of a service that did not start.
 */
export async function simulatedStack(provider: SimulatedProvider): Promise<SharedStack & { port: number }> {
  const { ports, ...stack } = await ask('simulated')
  return { ...stack, port: ports[provider]! }
}
