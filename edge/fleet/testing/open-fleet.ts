import type { FleetDown, FleetUp } from '#shared/contract/frame.ts'
import { spoken } from '#shared/contract/protocol.ts'
import { type MatchPart, type MatchRun, slotsOf } from '#shared/run/match/fleet.ts'
import { openSqliteStorage } from '../../objects/testing/sqlite-storage.ts'
import type { AgentSocket } from '../../run/agent-socket.ts'
import { FleetShell } from '../fleet-shell.ts'

export const alpha: MatchPart = { benchmarks: ['alpha'], open: 100, sandbox: null, alone: false, typical_seconds: 20 }
export const run = (n: number, more: Partial<MatchRun> = {}): MatchRun => ({
  run_id: `00000000-0000-4000-8000-00000000000${n}`,
  owner_id: 'o',
  visibility: 'private',
  priority: 0,
  created_at: `2026-01-0${n}T00:00:00Z`,
  needs: ['llm'],
  concurrency: 10,
  parts: [alpha],
  ...more,
})
type Agent = AgentSocket & { opened: number; told: FleetDown[]; closed: number | null; kept: unknown }

/** A fleet in virtual time; `restart` builds its object anew over the same rows. */
export function openFleet() {
  const { sql } = openSqliteStorage()
  const sockets = new Set<Agent>()
  const due: { at: number; run: () => void }[] = []
  const saved: string[] = []
  let now = 1_000_000
  const build = () =>
    new FleetShell({
      sql,
      clock: {
        now: () => now,
        after(ms, work) {
          const one = { at: now + ms, run: work }
          due.push(one)
          return () => void due.splice(due.indexOf(one), 1)
        },
      },
      store: { saveAgent: async (row) => void saved.push(`${row.agent_id} ${row.connected}`), listOpenRuns: async () => [] },
      providers: [],
      sockets: () => [...sockets],
      openedMs: (socket) => (socket as Agent).opened,
      plan: async () => undefined,
      ask: async () => undefined,
      passes: { passOf: ({ run_id, session }) => `${run_id} ${session}` },
      later: () => undefined,
      log: () => undefined,
    })
  let shell = build()
  const pass = (ms: number): void => {
    const end = now + ms
    for (;;) {
      const next = due.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0]
      if (!next) break
      due.splice(due.indexOf(next), 1)
      now = next.at
      next.run()
    }
    now = end
  }
  const join = async (name: string, more: Partial<Extract<FleetUp, { type: 'hello' }>> = {}, opened = now) => {
    const socket: Agent = {
      opened,
      told: [],
      closed: null,
      kept: null,
      send: (text) => void socket.told.push(JSON.parse(text)),
      close: (code) => {
        socket.closed = code
        sockets.delete(socket)
      },
      serializeAttachment(kept) {
        socket.kept = structuredClone(kept)
      },
      deserializeAttachment: () => structuredClone(socket.kept),
    }
    sockets.add(socket)
    const hello = {
      type: 'hello',
      ...spoken,
      agent_id: name,
      session: `session-${name}`,
      host: 'h',
      version: '1',
      capabilities: ['llm'],
      slots: 10,
    }
    await shell.onMessage(socket, JSON.stringify({ ...hello, secret: `the secret of agent ${name}`, ...more }))
    const said = (frame: FleetUp) => shell.onMessage(socket, JSON.stringify(frame))
    return {
      socket,
      say: said,
      beat: (draining = false, more: Partial<Extract<FleetUp, { type: 'heartbeat' }>> = {}) =>
        said({ type: 'heartbeat', free_slots: 10, running: 0, draining, ...more }),
      leave(code: number) {
        sockets.delete(socket)
        shell.onClose(socket, code)
      },
      /** Slots by the last digit of the run, as they were told last. */
      slots() {
        const last = socket.told.filter((frame) => frame.type === 'assign').at(-1)
        return Object.fromEntries((last?.runs ?? []).map(({ run_id, shares }) => [run_id.at(-1), slotsOf(shares)]))
      },
    }
  }
  return {
    join,
    pass,
    saved,
    update: (one: MatchRun, ended = false) => shell.update(one, ended),
    overview: () => shell.overview(),
    drain: (name: string, on: boolean) => shell.drain(name, on),
    ops: () => shell.ops,
    restart(): void {
      due.length = 0
      shell = build()
    },
    cut(): void {
      sockets.clear()
    },
  }
}
