import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { exampleSpec } from '#db/example-run.ts'
import { type FleetDown, FleetUp, type RunDown, RunUp } from '#shared/contract/frame.ts'
import type { Resources } from '#shared/contract/resources.ts'
import { agentMetrics } from '#shared/telemetry/agent-metrics.ts'
import { namesOf } from '#shared/telemetry/metrics.ts'
import { renderPrometheus } from '#shared/telemetry/prometheus.ts'
import { createRegistry } from '#shared/telemetry/registry.ts'
import { type AgentOptions, startAgent } from '../agent.ts'

type Line<Up, Down> = {
  heard: Up[]
  say(frame: Down): void
  next<T extends string>(type: T): Promise<Extract<Up, { type: T }>>
  cut(): void
  closed: Promise<unknown>
}
export const spec = exampleSpec()
export const resources = { machine: { cpus: 8, memory_mb: 16_384, disk_mb: 100_000 }, sandboxes: [], proofs: [] }
const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

/** One connection of the agent, as the edge hears it. */
function lineOf<Up extends { type: string }, Down>(socket: WebSocket, parse: (value: unknown) => Up): Line<Up, Down> {
  const heard: Up[] = []
  const waiting: (() => void)[] = []
  socket.on('message', (data) => {
    heard.push(parse(JSON.parse(String(data))))
    for (const look of waiting) look()
  })
  let read = 0
  return {
    heard,
    say: (frame) => socket.send(JSON.stringify(frame)),
    cut: () => socket.terminate(),
    closed: once(socket, 'close'),
    /** The next frame of a type after those that were asked for before. */
    next: (type) =>
      new Promise((resolve) => {
        const look = () => {
          const at = heard.findIndex((frame, place) => place >= read && frame.type === type)
          if (at === -1) return
          read = at + 1
          waiting.splice(waiting.indexOf(look), 1)
          resolve(heard[at] as never) // of the type that was asked for
        }
        waiting.push(look)
        look()
      }),
  }
}

/** An agent of eight slots and the edge it dials; connections to the fleet and to runs come as they are made. Its runs never get ready. */
export async function startStage(found?: Promise<Resources>, listItems?: AgentOptions['listItems']) {
  const http = createServer()
  const edge = new WebSocketServer({ server: http })
  const fleets: Line<FleetUp, FleetDown>[] = []
  const runs: (Line<RunUp, RunDown> & { path: string })[] = []
  const arrived: (() => void)[] = []
  edge.on('connection', (socket, request) => {
    if (request.url === '/api/fleet/socket') fleets.push(lineOf<FleetUp, FleetDown>(socket, (value) => FleetUp.parse(value)))
    else runs.push({ path: request.url!, ...lineOf<RunUp, RunDown>(socket, (value) => RunUp.parse(value)) })
    for (const look of arrived) look()
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const log: string[] = []
  const registry = createRegistry(namesOf(agentMetrics))
  let equipped = 0
  const widths: number[] = []
  const agent = startAgent({
    edgeUrl: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    token: 'agt_12345678',
    agentId: 'box',
    secret: 'secret-of-this-box',
    host: 'host',
    version: '1',
    capabilities: ['llm'],
    slots: 8,
    resources,
    ...(listItems && { listItems }),
    ...(found && { onFound: (hear: (one: Resources) => void) => void found.then(hear) }),
    equip: () => (_spec, _credential, width) => {
      equipped++
      widths.push(width)
      for (const look of arrived) look()
      return new Promise(() => undefined)
    },
    telemetry: {
      ...registry,
      log(_level, line) {
        log.push(line)
        for (const look of arrived) look()
      },
    },
  })
  ends.push(() => {
    void agent.drain()
    edge.close()
    http.closeAllConnections()
    http.close()
  })
  const until = <T>(find: () => T | undefined) =>
    new Promise<T>((resolve) => {
      const look = () => {
        const found = find()
        if (found !== undefined) resolve(found)
      }
      arrived.push(look)
      look()
    })
  const fleet = await until(() => fleets[0])
  const hello = await fleet.next('hello')
  /** Welcomes the agent to a run and waits until it works there. */
  const welcomed = async (line: Line<RunUp, RunDown>) => {
    const before = equipped
    line.say({ type: 'welcome', protocol: 7, spec, status: 'running', lease_ms: 30_000, renew_ms: 10_000, pulse_ms: 1000 })
    await until(() => (equipped > before ? true : undefined))
  }
  const metrics = () => renderPrometheus(registry.read()).split('\n')
  return { agent, fleet, hello, runs, log, metrics, widths, until, welcomed }
}
export const assign = (...runs: [string, number][]): FleetDown => ({
  type: 'assign',
  runs: runs.map(([run_id, slots]) => ({
    run_id: run_id as never,
    pass: `pass for ${run_id}`,
    shares: [{ benchmarks: [], slots }],
  })),
})
export const [first, second] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'] as const
