import type { Clock } from '#shared/run/clock.ts'
import { createSandy } from '../open-sandy.ts'
import { type Fault, type Route, type SandyServerOptions, startSandyServer } from './sandy-server.ts'

export const apiKey = 'the-operators-own-key-0123456789'

/** The same fault for those requests of a route whose place is among these. */
export const only = (route: Route, which: readonly number[], fault: Fault) => (one: Route, before: number) =>
  one === route && which.includes(before) ? fault : undefined
export const answer = (status: number, body: unknown = { error: 'not now' }): Fault => ({ type: 'answer', status, body })

/** Milliseconds of the shortest time limit; every wait between tries is shorter. */
const shortestLimit_ms = 30_000

/** A clock whose waits take no time and are kept; time limits come only when `late` is called. */
function startClock() {
  const waits: number[] = []
  const limits = new Set<{ ms: number; run(): void }>()
  const clock: Clock = {
    now: () => 0,
    after(ms, run) {
      if (ms >= shortestLimit_ms) {
        const limit = { ms, run }
        limits.add(limit)
        return () => void limits.delete(limit)
      }
      waits.push(ms)
      const soon = setImmediate(run)
      return () => clearImmediate(soon)
    },
  }
  const late = (): void => {
    for (const { run } of limits) run()
  }
  return { clock, waits, limits: () => [...limits].map(({ ms }) => ms), late }
}

/** A service of this kind, and an agent with the key `apiKey` that uses it. */
export async function startSandy(service: SandyServerOptions) {
  const server = await startSandyServer(service)
  const time = startClock()
  const told: string[] = []
  const options = {
    base_url: server.url,
    api_key: apiKey,
    clock: time.clock,
    random: () => 1,
    tell: (line: string) => void told.push(line),
  }
  const sandy = await createSandy(options)
  const close = async (): Promise<void> => {
    await sandy.close()
    await server.close()
  }
  return { server, sandy, told, options, asked: (route: Route) => server.asked.filter((one) => one.route === route).length, close, ...time }
}
