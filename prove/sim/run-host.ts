import type { StreamedEvent } from '#shared/contract/event.ts'
import type { RunHead, RunSpec } from '#shared/contract/run.ts'
import type { RunCommand } from '#shared/run/command.ts'
import type { MatchRun } from '#shared/run/match/fleet.ts'
import { readEvent } from '#shared/run/packed-event.ts'
import type { RunPorts } from '../../edge/run/run-ports.ts'
import { RunShell } from '../../edge/run/run-shell.ts'
import type { AlarmPort, RunStorage, Sql } from '../../edge/run/run-storage.ts'
import { openSqliteStorage } from '../../edge/run/testing/sqlite-storage.ts'
import type { ViewerPipe } from '../../edge/run/viewers.ts'
import { noBudgets } from '../../edge/testing/memory-budgets.ts'
import type { VirtualClock } from './clock.ts'
import type { Listener, Network, ServerEnd } from './network.ts'
import { createLives } from './process.ts'

/** The object was killed while this went on: whoever did it is no more. */
class Dead extends Error {}

export type RunWatch = {
  /** What one transaction stored, and the state after it. */
  onCommit(events: StreamedEvent[], head: RunHead): void
  onMessage(session: string | null, text: string): void
  onSaid(session: string | null, text: string): void
  /** Something that must never happen. */
  onWrong(text: string): void
}

type Options = {
  clock: VirtualClock
  network: () => Network
  store: RunPorts['store']
  passes: RunPorts['passes']
  fleet: (run: MatchRun, ended: boolean) => Promise<void>
  watch: RunWatch
}

const sessionOf = (socket: ServerEnd): string | null => (socket.deserializeAttachment() as { session: string } | null)?.session ?? null

/** A run's object: the real shell over SQLite that outlives it, with the alarm as the platform has it (one at a time, kept over a crash). */
export function hostRun(options: Options) {
  const { clock, network, store, passes, fleet, watch } = options
  const storage = openSqliteStorage()
  const lives = createLives(clock)
  let up = true
  let alarmAt: number | null = null
  let ringing = false
  let shell: RunShell

  const wrong = (error: unknown): void => {
    if (!(error instanceof Dead)) watch.onWrong(error instanceof Error ? (error.stack ?? error.message) : String(error))
  }
  /** What was asked in this life is answered in this life only. */
  const owned = <T>(work: () => Promise<T>): Promise<T> => {
    const alive = lives.alive()
    return new Promise((resolve, reject) => {
      work().then(
        (value) => alive() && resolve(value),
        (error: unknown) => alive() && reject(error),
      )
    })
  }
  const ring = (): void => {
    if (ringing || alarmAt === null) return
    const at = alarmAt
    const bound = lives.binder()
    clock.after(
      at - clock.now(),
      bound(() => {
        if (ringing || alarmAt !== at || !up) return
        alarmAt = null
        ringing = true
        const alive = lives.alive()
        const done = (): void => {
          if (!alive()) return
          ringing = false
          ring()
        }
        shell.onAlarm().then(done, (error: unknown) => {
          wrong(error)
          done()
        })
      }),
    )
  }
  /** The storage as one life of the object has it, and what is written through it. */
  const ported = (alive: () => boolean): RunStorage & AlarmPort => {
    let written: StreamedEvent[] = []
    let head: RunHead | undefined
    const check = (): void => {
      if (!alive()) throw new Dead()
    }
    const exec: Sql['exec'] = (query, ...bindings) => {
      check()
      if (query.startsWith('INSERT INTO event')) written.push(readEvent({ text: bindings[1] as string }))
      else if (bindings[0] === 'head' && query.startsWith('INSERT INTO meta')) head = JSON.parse(bindings[1] as string)
      return storage.sql.exec(query, ...bindings)
    }
    return {
      sql: { exec },
      transactionSync<T>(work: () => T): T {
        check()
        written = []
        head = undefined
        const done = storage.transactionSync(work)
        if (head) watch.onCommit(written, head)
        return done
      },
      async deleteAll() {
        check()
        alarmAt = null
        await storage.deleteAll()
      },
      async setAlarm(at) {
        check()
        alarmAt = at
        ring()
      },
      async deleteAlarm() {
        check()
        alarmAt = null
      },
    }
  }
  const boot = (): void => {
    const alive = lives.alive()
    const away = <K extends keyof RunPorts['store']>(name: K) =>
      ((...given: unknown[]) => owned(() => (store[name] as (...all: unknown[]) => Promise<unknown>)(...given))) as RunPorts['store'][K]
    shell = new RunShell({
      storage: ported(alive),
      store: {
        drain: away('drain'),
        findCredential: away('findCredential'),
        useProviderKey: away('useProviderKey'),
        listMetricRows: away('listMetricRows'),
        saveMetrics: away('saveMetrics'),
      },
      clock: lives.clock(0),
      sockets: () => network().at(listener),
      openedMs: (socket) => (socket as ServerEnd).openedMs, // the network's own
      fleet: { update: (run, ended) => owned(() => fleet(run, ended)), tell: async () => undefined },
      passes,
      seal: { open: async (sealed) => sealed },
      sessions: { token: async () => ({ is: 'gone' }) },
      mayAsk: () => true,
      budgets: noBudgets,
      log: (level, text, fields) => void (level === 'error' && wrong(fields?.error ?? text)),
    })
    ring()
  }
  const listener: Listener = {
    isUp: () => up,
    accept(socket) {
      if (!shell.head()) socket.close(4012, 'This object holds no such run.')
    },
    message(socket, text) {
      watch.onMessage(sessionOf(socket), text)
      shell.onMessage(socket, text).catch(wrong)
    },
    gone(socket, code) {
      try {
        if (up) shell.onClose(socket, code)
      } catch (error) {
        wrong(error)
      }
    },
    said: (socket, text) => watch.onSaid(sessionOf(socket), text),
  }
  boot()

  return {
    listener,
    head: (): RunHead | null => shell.head(),
    rows: <T extends Record<string, string | number | null>>(query: string): T[] => storage.sql.exec<T>(query).toArray(),
    create: (spec: RunSpec): Promise<unknown> => shell.create(spec).catch(wrong),
    announce: (): Promise<unknown> => (shell.head() ? shell.announce().catch(wrong) : Promise.resolve()),
    command(command: RunCommand): void {
      if (up) shell.command(command).catch(wrong)
    },
    follow: (pipe: ViewerPipe, cursor: string | null): boolean => up && shell.follow(pipe, cursor, 'owner', false),
    isUp: () => up,
    /** Put to sleep and woken again: memory is gone, connections stay. */
    evict(): void {
      if (!up) return
      lives.end()
      ringing = false
      boot()
    },
    /** kill -9: connections break; what was stored stays. */
    crash(awayMs: number): void {
      if (!up) return
      lives.end()
      ringing = false
      up = false
      network().crash(listener)
      clock.after(awayMs, () => {
        up = true
        boot()
      })
    },
  }
}
export type RunHost = ReturnType<typeof hostRun>
