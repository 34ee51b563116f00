import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { build } from 'esbuild'
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from 'miniflare'
import WebSocket from 'ws'
import type { FleetDown } from '#shared/contract/frame.ts'
import { spoken } from '#shared/contract/protocol.ts'
import { renewMs } from '#shared/run/lease.ts'
import { type MatchRun, slotsOf } from '#shared/run/match/fleet.ts'
import { descendants } from './process-cost.ts'

/** One fleet's object in workerd, with a record that counts what is written to it. */
export async function startFleet() {
  const bundled = await build({
    entryPoints: [join(import.meta.dirname, '../../edge/objects/testing/fleet-worker.ts')],
    ...{ bundle: true, write: false, format: 'esm', target: 'es2024', conditions: ['workerd', 'worker', 'browser'] },
    external: ['cloudflare:*', 'node:*'],
  })
  const record = { queries: 0 }
  const database = createServer((request, response) => {
    record.queries++
    request.resume().on('end', () => {
      response
        .setHeader('content-type', 'application/json')
        .end('{"command":"SELECT","rowCount":0,"rows":[],"fields":[],"rowAsArray":true}')
    })
  })
  database.keepAliveTimeout = 600_000
  database.listen(0, '127.0.0.1')
  await once(database, 'listening')
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      ...{ host: '127.0.0.1', port: 0, cf: false, log: new Log(LogLevel.ERROR), logRequests: false, telemetry: { enabled: false } },
      workers: [
        {
          name: 'fleet',
          modules: [{ type: 'ESModule', path: 'worker.js', contents: bundled.outputFiles[0]!.text }],
          compatibilityDate: '2026-10-01',
          compatibilityFlags: ['nodejs_compat'],
          durableObjects: {
            FLEET: { className: 'FleetObject', useSQLite: true },
            RUN: { className: 'RunObject', useSQLite: true },
          },
          bindings: {
            DATABASE_URL: 'postgres://u:p@127.0.0.1/db',
            NEON_ENDPOINT: `http://127.0.0.1:${(database.address() as AddressInfo).port}/sql`,
            MASTER_KEY: `v1:${'A'.repeat(43)}=`,
          },
        },
      ],
    }),
  )
  const url = await miniflare.ready
  return {
    url: url.origin,
    record,
    /** Processes that are neither this one nor its own helpers: workerd. */
    pids: () => descendants(process.pid),
    async update(runs: { run: MatchRun; ended: boolean }[]): Promise<void> {
      await fetch(url, { method: 'POST', body: JSON.stringify(runs) })
    },
    async stop(): Promise<void> {
      await miniflare.dispose()
      database.close()
    },
  }
}

/** An agent that only listens: what it was given, and what of that was taken from it while the run was still open. */
export async function joinFleet(url: string, name: string, slots: number, onAssign: (before: Slots, next: Slots, bytes: number) => void) {
  const socket = await dial(url.replace('http', 'ws'))
  let given: Slots = new Map()
  let bytes = 0
  socket.on('message', (data) => {
    const text = data.toString()
    bytes += text.length
    const frame = JSON.parse(text) as FleetDown
    if (frame.type !== 'assign') return
    const next: Slots = new Map(frame.runs.map((run) => [run.run_id as string, slotsOf(run.shares)]))
    onAssign(given, next, text.length)
    given = next
  })
  const say = (frame: object): void => socket.send(JSON.stringify(frame))
  const hello = { type: 'hello', ...spoken, agent_id: name, session: randomUUID(), host: 'h', version: '1', capabilities: ['llm'], slots }
  say({ ...hello, secret: `the secret of ${name}` })
  const beats = setInterval(() => say({ type: 'heartbeat', free_slots: 0, running: slots, draining: false }), renewMs)
  return {
    name,
    slots,
    given: () => given,
    bytes: () => bytes,
    leave(): void {
      clearInterval(beats)
      socket.close(1000)
    },
  }
}

/** A connection, tried again as an agent would: a busy machine may cut some of a thousand. */
async function dial(url: string): Promise<WebSocket> {
  for (let tries = 1; ; tries++) {
    const socket = new WebSocket(url, { perMessageDeflate: false })
    const opened = await once(socket, 'open').catch((error: unknown) => error)
    if (Array.isArray(opened)) return socket
    if (tries === 10) throw opened
  }
}

export type Slots = Map<string, number>
export type Listener = Awaited<ReturnType<typeof joinFleet>>
