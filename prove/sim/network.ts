import type { AgentSocket } from '../../edge/run/agent-socket.ts'
import type { Wire, WireEvents } from '../../fleet/coordinator/link.ts'
import type { VirtualClock } from './clock.ts'
import type { Lives } from './process.ts'

/** What the network does to a message or a connection. */
export type Weather = {
  delayMs(): number
  cuts(): boolean
  duplicates(): boolean
  echoes(): boolean
  halfOpens(): boolean
  lingerMs(): number
}

/** Something at the edge that connections come to. */
export type Listener = {
  isUp(): boolean
  accept(socket: ServerEnd): void
  message(socket: ServerEnd, text: string): void
  gone(socket: ServerEnd, code: number): void
  /** Sees what leaves over a socket. */
  said?(socket: ServerEnd, text: string): void
}

/** The edge's end of a connection, as an object has it. */
export class ServerEnd implements AgentSocket {
  #kept = 'null'
  #closed = false
  readonly openedMs: number
  readonly #said: (text: string) => void
  readonly #ended: (code: number, reason: string) => void

  constructor(openedMs: number, said: (text: string) => void, ended: (code: number, reason: string) => void) {
    this.openedMs = openedMs
    this.#said = said
    this.#ended = ended
  }

  send(text: string): void {
    if (this.#closed) throw new Error('send() after close()')
    this.#said(text)
  }

  close(code: number, reason: string): void {
    if (this.#closed) return
    this.#closed = true
    this.#ended(code, reason)
  }

  serializeAttachment(kept: unknown): void {
    this.#kept = JSON.stringify(kept)
  }

  deserializeAttachment(): unknown {
    return JSON.parse(this.#kept)
  }
}

/** One direction of a connection: in order, each message after its delay, and what is under way is lost with it but for a beginning. */
class Lane {
  #lastMs = 0
  #endsMs = Number.POSITIVE_INFINITY
  readonly #clock: VirtualClock
  readonly #weather: Weather

  constructor(clock: VirtualClock, weather: Weather) {
    this.#clock = clock
    this.#weather = weather
  }

  pass(deliver: () => void): void {
    const at = Math.max(this.#clock.now() + this.#weather.delayMs(), this.#lastMs)
    this.#lastMs = at
    this.#clock.after(at - this.#clock.now(), () => at <= this.#endsMs && deliver())
  }

  /** Nothing that arrives later than `afterMs` from now arrives any more. */
  end(afterMs: number): void {
    this.#endsMs = Math.min(this.#endsMs, this.#clock.now() + afterMs)
  }
}

/**
 * Connections between agents and the edge: in order, but late, cut at any moment, or half open (nothing passes and nobody is told). A report or
 * a renewal may be said twice, as by an agent that did not hear the answer; behind a faulty gateway every frame may, in both directions.
 */
export function createNetwork(clock: VirtualClock, weather: Weather, listenerAt: (path: string) => Listener | undefined) {
  type Connection = { server: ServerEnd; listener: Listener; crash(): void; cut(): void; isOpen(): boolean; owner: Lives }
  const connections = new Set<Connection>()

  const dial = (lives: Lives, url: string, events: WireEvents): Wire => {
    let state: 'dialing' | 'open' | 'gone' = 'dialing'
    const up = new Lane(clock, weather)
    const down = new Lane(clock, weather)
    let deaf = false
    let connection: Connection | undefined
    const here = lives.binder()
    const alive = lives.alive()
    const goneHere = (code: number, reason: string, why?: string): void => {
      if (state === 'gone') return
      state = 'gone'
      if (code === 1006) lives.trouble()
      events.onGone(code, reason, why)
    }
    const goneThere = (code: number): void => {
      if (!connection || !connections.delete(connection)) return
      connection.listener.gone(connection.server, code)
    }
    const cut = (): void => {
      lives.trouble()
      up.end(weather.delayMs())
      down.end(weather.delayMs())
      clock.after(
        weather.delayMs(),
        here(() => goneHere(1006, '')),
      )
      clock.after(weather.delayMs(), () => goneThere(1006))
    }
    const arrive = (): void => {
      const listener = listenerAt(new URL(url).pathname)
      if (!listener)
        return void clock.after(
          weather.delayMs(),
          here(() => state === 'dialing' && events.onRefused(404)),
        )
      if (!listener.isUp())
        return void clock.after(
          weather.delayMs(),
          here(() => goneHere(1006, '', 'ECONNREFUSED')),
        )
      const server = new ServerEnd(
        clock.now(),
        (text) => {
          listener.said?.(server, text)
          if (deaf) return
          for (let copy = weather.echoes() ? 0 : 1; copy < 2; copy++) down.pass(here(() => state === 'open' && events.onMessage(text)))
        },
        (code, reason) => {
          if (deaf) return
          down.pass(here(() => goneHere(code, reason)))
          down.pass(() => goneThere(code))
        },
      )
      connection = {
        server,
        listener,
        owner: lives,
        cut,
        isOpen: () => alive() && state === 'open' && !deaf,
        crash() {
          connections.delete(connection!)
          lives.trouble()
          up.end(0)
          down.end(weather.delayMs())
          if (!deaf)
            clock.after(
              weather.delayMs(),
              here(() => goneHere(1006, '')),
            )
        },
      }
      connections.add(connection)
      down.pass(
        here(() => {
          if (state !== 'dialing') return
          state = 'open'
          events.onOpen()
        }),
      )
      listener.accept(server)
    }
    clock.after(weather.delayMs(), arrive)
    return {
      isOpen: () => state === 'open',
      send(said) {
        const text = said.toString()
        if (deaf || !connection) return
        if (weather.cuts()) return cut()
        if (weather.halfOpens()) {
          deaf = true
          lives.trouble()
          up.end(0)
          down.end(0)
          return void clock.after(weather.lingerMs(), () => goneThere(1006)) // at last the edge's own system finds out
        }
        const { server, listener } = connection
        const twice = (/^\{"type":"(?:report|renew)"/.test(text) && weather.duplicates()) || weather.echoes()
        for (let copy = 0; copy < (twice ? 2 : 1); copy++) up.pass(() => connections.has(connection!) && listener.message(server, text))
      },
      close() {
        if (state === 'gone') return
        state = 'gone'
        if (!deaf) up.pass(() => goneThere(1000))
        else clock.after(weather.lingerMs(), () => goneThere(1006))
      },
      cut() {
        if (state === 'gone') return
        if (!deaf) up.pass(() => goneThere(1006))
        goneHere(1006, '')
      },
    }
  }

  return {
    dial,
    /** Ends of connections to a listener that stand there. */
    at: (listener: Listener): ServerEnd[] => [...connections].filter((each) => each.listener === listener).map(({ server }) => server),
    /** Everything that leads to a listener breaks: it was killed. */
    crash(listener: Listener): void {
      for (const each of [...connections]) if (each.listener === listener) each.crash()
    },
    /** Cuts what leads from a program, all of it; with `silently` nobody at the edge is told for long: its machine lost power. */
    leave(lives: Lives, silently: boolean): void {
      for (const each of [...connections]) {
        if (each.owner !== lives) continue
        if (!silently) clock.after(weather.delayMs(), () => connections.delete(each) && each.listener.gone(each.server, 1006))
        else clock.after(weather.lingerMs(), () => connections.delete(each) && each.listener.gone(each.server, 1006))
      }
    },
    cutOne(lives: Lives): void {
      const mine = [...connections].filter((each) => each.owner === lives)
      mine[Math.floor(mine.length / 2)]?.cut()
    },
    /** Connections to a listener that an agent holds open. */
    held: (listener: Listener): ServerEnd[] =>
      [...connections].filter((each) => each.listener === listener && each.isOpen()).map(({ server }) => server),
  }
}
export type Network = ReturnType<typeof createNetwork>
