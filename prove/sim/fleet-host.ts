import type { RunSpec } from '#shared/contract/run.ts'
import { leaseMs, renewMs } from '#shared/run/lease.ts'
import { type Assignment, type MatchRun, slotsOf } from '#shared/run/match/fleet.ts'
import { createPasses } from '../../edge/objects/passes.ts'
import type { Sql } from '../../edge/run/run-storage.ts'
import { openSqliteStorage } from '../../edge/run/testing/sqlite-storage.ts'
import type { VirtualClock } from './clock.ts'
import type { Listener, Network, ServerEnd } from './network.ts'
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
  onBreach(id: string, text: string): void
}

type Places = ReadonlyMap<string, number>

/** The fleet's object: its real shell over SQLite that outlives it, and whether it moves more work than it must. */
export function hostFleet({ clock, network, store, secret, rateLimit, plan, onBreach }: Options) {
  const { sql } = openSqliteStorage()
  const lives = createLives(clock)
  const slots = new Map<string, number>()
  const heard = new Map<string, number>()
  const draining = new Set<string>()
  let up = true
  let steadyMs = clock.now()
  let shell: Fleet
  let places: Places = new Map()
  let dealt = false

  const wrong = (error: unknown): void => onBreach('I0', error instanceof Error ? (error.stack ?? error.message) : String(error))
  const isThere = (session: string): boolean => !draining.has(session) && clock.now() - (heard.get(session) ?? 0) < leaseMs
  const placesNow = (): Places =>
    new Map(
      sql
        .exec<{ session: string; given: string }>('SELECT session, given FROM agent')
        .toArray()
        .map(({ session, given }) => [session, (JSON.parse(given) as Assignment[]).reduce((sum, { shares }) => sum + slotsOf(shares), 0)]),
    )
  /** After a deal: whoever is there loses no more than what newcomers are due, and what nobody has any more. */
  const compare = (): void => {
    dealt = false
    const now = placesNow()
    const sum = (all: Places): number => [...all.values()].reduce((total, each) => total + each, 0)
    const room = [...now.keys()].reduce((total, session) => total + (slots.get(session) ?? 0), 0)
    let lost = 0
    // Busy agents may give an idle one a slot each.
    let due = Math.max(0, sum(places) - sum(now)) + now.size
    for (const [session, has] of now) {
      const had = places.get(session) ?? 0
      if (had > has && isThere(session)) lost += had - has
      if (had === 0 && has > 0) due += Math.ceil(sum(now) * Math.max(1 / now.size, (slots.get(session) ?? 0) / room))
    }
    if (lost > due)
      onBreach('I11', `${lost} slots were moved, ${due} had to: ${JSON.stringify([...places])} became ${JSON.stringify([...now])}`)
    places = now
  }
  const tapped: Sql = {
    exec(query, ...bindings) {
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
      plan,
      passes: createPasses(secret),
      later: () => undefined,
      log: { warn: () => undefined },
    })
  }
  const sessions = new WeakMap<ServerEnd, string>()
  const listener: Listener = {
    isUp: () => up,
    accept: () => undefined,
    message(socket, text) {
      if (text.startsWith('{"type":"hello"')) {
        const hello = JSON.parse(text) as { session: string; slots: number }
        sessions.set(socket, hello.session)
        slots.set(hello.session, hello.slots)
      }
      const session = sessions.get(socket)
      if (session && !text.startsWith('{"type":"rate"')) heard.set(session, clock.now())
      if (session && text.includes('"draining":true')) draining.add(session)
      shell.onMessage(socket, text).catch(wrong)
    },
    gone(socket, code) {
      if (up) shell.onClose(socket, code)
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
      if (![...heard.values()].some((ms) => nowMs - ms < renewMs)) return
      for (const [session, has] of placesNow()) {
        const silentMs = nowMs - (heard.get(session) ?? steadyMs)
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
