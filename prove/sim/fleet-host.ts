import type { RunSpec } from '#shared/contract/run.ts'
import { leaseMs, renewMs } from '#shared/run/lease.ts'
import type { MatchRun } from '#shared/run/match/fleet.ts'
import { createPasses } from '../../edge/objects/passes.ts'
import type { Sql } from '../../edge/run/run-storage.ts'
import { openSqliteStorage } from '../../edge/run/testing/sqlite-storage.ts'
import type { VirtualClock } from './clock.ts'
import type { Listener, Network, ServerEnd } from './network.ts'
import { isThere, rowsIn, type Sign, wantedIn, wrongDeal } from './places.ts'
import { createLives } from './process.ts'
import { type Fleet, FleetShell } from './real-fleet.ts'
import type { RunStore } from './virtual-store.ts'

type Options = {
  clock: VirtualClock
  network: () => Network
  store: RunStore
  secret: string
  rateLimit: number | null
  plan(spec: RunSpec): Promise<void>
  ask(): Promise<void>
  onBreach(id: string, text: string): void
}

/** The fleet's object: its real shell over SQLite that outlives it, and whether it moves more work than it must. */
export function hostFleet({ clock, network, store, secret, rateLimit, plan, ask, onBreach }: Options) {
  const { sql } = openSqliteStorage()
  const lives = createLives(clock)
  /** What the object knows of each agent, as far as it has kept it in memory or with a connection. */
  const signs = new Map<string, Sign>()
  let up = true
  let steadyMs = clock.now()
  let shell: Fleet
  let dealt = false
  let given = new Map<string, number>()
  /** The agent that leaves just now, or comes as another session. */
  let over: string | undefined

  const wrong = (error: unknown): void => onBreach('I0', error instanceof Error ? (error.stack ?? error.message) : String(error))
  /** Takes up how the agents are that are connected now, and who is not any more. */
  const see = (): void => {
    const kept = network()
      .at(listener)
      .map((socket) => socket.deserializeAttachment() as (Sign & { session: string }) | null)
    const here = new Map(kept.flatMap((sign) => (sign ? [[sign.session, sign]] : [])))
    for (const sign of signs.values()) sign.left_ms ??= clock.now()
    for (const [session, sign] of here) signs.set(session, { ...sign, left_ms: null })
  }
  const compare = (): void => {
    dealt = false
    see()
    const rows = rowsIn(sql)
    const wrongly = wrongDeal(
      rows
        .filter(({ session }) => isThere(signs.get(session)!, clock.now()))
        .map(({ session, slots, after }) => ({ session, slots, after, before: given.get(session) ?? 0 })),
      wantedIn(sql),
    )
    if (wrongly) onBreach('I11', wrongly)
    given = new Map(rows.map(({ session, after }) => [session, after]))
  }
  /** Who is forgotten has nothing when it comes again: rightly where it was away for too long, left, or began anew (FLEET94). */
  const forgotten = (session: string): void => {
    const sign = signs.get(session)!
    const had = given.get(session) ?? 0
    if (had > 0 && isThere(sign, clock.now()) && sign.agent_id !== over) onBreach('I11', `${session} was forgotten with ${had} slots`)
    given.delete(session)
  }
  /** Does what may end the session of an agent. */
  const ending = <T>(agent_id: string | undefined, work: () => T): T => {
    over = agent_id
    try {
      return work()
    } finally {
      over = undefined
    }
  }
  const tapped: Sql = {
    exec(query, ...bindings) {
      if (query.startsWith('DELETE FROM agent ')) forgotten(bindings[0] as string)
      if (query.startsWith('UPDATE agent SET given') && !dealt) {
        dealt = true
        queueMicrotask(compare)
      }
      return sql.exec(query, ...bindings)
    },
  }
  const boot = (): void => {
    steadyMs = clock.now()
    shell = new FleetShell({
      sql: tapped,
      clock: lives.clock(0),
      store,
      providers: [{ id: 'demo', label: 'Demo', kind: 'demo', base_url: 'http://demo.test/v1', models: [], rate_limit: rateLimit }],
      sockets: () => network().at(listener),
      openedMs: (socket: ServerEnd) => socket.openedMs,
      plan,
      ask,
      passes: createPasses(secret),
      later: () => undefined,
      log: () => undefined,
    })
    signs.clear()
    for (const { session, agent_id, left_ms } of rowsIn(sql)) {
      const leftMs = left_ms ?? steadyMs
      signs.set(session, { agent_id, draining: false, heard_ms: leftMs, left_ms: leftMs })
    }
    see()
  }
  const listener: Listener = {
    isUp: () => up,
    accept: () => undefined,
    message(socket, text) {
      ending(/^\{"type":"hello",.*?"agent_id":"([^"]+)"/.exec(text)?.[1], () => shell.onMessage(socket, text)).catch(wrong)
      see()
    },
    gone(socket, code) {
      if (!up) return
      const leaver = code === 1000 ? (socket.deserializeAttachment() as Sign | null)?.agent_id : undefined
      ending(leaver, () => shell.onClose(socket, code))
      see()
    },
  }
  boot()
  return {
    listener,
    async update(run: MatchRun, ended: boolean): Promise<void> {
      if (!up) throw new Error('the fleet is away')
      shell.update(run, ended)
    },
    /** Looked at every now and then: nobody who is silent keeps a place while another could have it. */
    look(): void {
      const nowMs = clock.now()
      if (!up || nowMs - steadyMs < leaseMs + 2 * renewMs) return
      if (![...signs.values()].some(({ heard_ms }) => nowMs - heard_ms < renewMs)) return
      for (const { session, after: has } of rowsIn(sql)) {
        const silentMs = nowMs - signs.get(session)!.heard_ms
        if (has > 0 && silentMs > leaseMs + 2 * renewMs) onBreach('I12', `${session} keeps ${has} slots, silent for ${silentMs} ms`)
      }
    },
    evict(): void {
      if (!up) return
      lives.end()
      boot()
    },
    crash(awayMs: number): void {
      if (!up) return
      lives.end()
      up = false
      network().crash(listener)
      clock.after(awayMs, () => {
        up = true
        boot()
      })
    },
  }
}
export type FleetHost = ReturnType<typeof hostFleet>
