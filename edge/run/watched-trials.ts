import type { RunEvent } from '#shared/contract/event.ts'
import { type LiveMessage, type LiveTold, type LiveWait, mostLiveText, mostWatched, type Watched } from '#shared/contract/live.ts'
import { type Clock, every } from '#shared/run/clock.ts'
import { entriesOf, foldLive, type LiveTrial, nothingYet } from '#shared/run/live.ts'
import type { Trial } from '#shared/run/trial-store.ts'
import type { ViewerPipe } from './viewers.ts'

const heartbeatMs = 15_000
/** Viewers of one trial, at most. */
export const mostViewers = 20

type Viewer = { pipe: ViewerPipe; busy: boolean; behind: boolean }
/** A trial with viewers. `session` holds it now and tells of it under `watch`; `seen` is what it told, null while it has told nothing. */
type Seen = {
  ordinal: number
  attempt: number
  session: string | null
  watch: number
  seen: LiveTrial | null
  waiting: LiveWait
  viewers: Set<Viewer>
}

type Source = {
  /** How a trial stands; undefined where the run does not have it any more. */
  find(ordinal: number): Trial | undefined
  /** Whether the agent of this session is connected. */
  isConnected(session: string): boolean
  /** Says which trials of this session are watched now. */
  say(session: string, trials: Watched[]): void
}

const encoder = new TextEncoder()
const bytesOf = (message: LiveMessage): Uint8Array => encoder.encode(`data: ${JSON.stringify(message)}\n\n`)
const done = bytesOf({ type: 'done' })

/** Tells a viewer of a trial that has ended that there is nothing to come. */
export function endStream(pipe: ViewerPipe): void {
  for (const last of [pipe.write(done), pipe.close()]) last.catch(() => undefined) // the reader is gone already
}

/** Trials whose state these events change; undefined where it may be any. */
export function trialsIn(events: readonly RunEvent[]): Set<number> | undefined {
  const ordinals = new Set<number>()
  for (const event of events) {
    if (event.event_type.startsWith('run_')) return undefined
    if (event.event_type === 'trials_leased' || event.event_type === 'trials_released')
      for (const [ordinal] of event.data.leases) ordinals.add(ordinal)
    if (event.event_type === 'benchmark_progress') for (const { ordinal } of event.data.results) ordinals.add(ordinal)
  }
  return ordinals
}

/**
 * Trials of one run that somebody watches while they run. What their agents tell is kept in memory only, bounded, and handed to viewers as it
 * comes. A viewer that reads slowly is skipped while its last write is pending and told anew from what is kept, so it costs no memory.
 */
export function createWatchedTrials(source: Source, clock: Clock) {
  const trials = new Map<number, Seen>()
  /** What each session was told last that it is to tell of. */
  const said = new Map<string, string>()
  let lastWatch = 0
  let heartbeat: (() => void) | undefined

  const messageOf = ({ seen, attempt, waiting }: Seen, gap: boolean): LiveMessage =>
    seen ? { type: 'reset', attempt, gap, entries: entriesOf(seen) } : { type: 'waiting', why: waiting }
  const write = (trial: Seen, viewer: Viewer, bytes: Uint8Array): void => {
    viewer.busy = true
    viewer.pipe.write(bytes).then(
      () => {
        viewer.busy = false
        if (!viewer.behind || !trial.viewers.has(viewer)) return
        viewer.behind = false
        write(trial, viewer, bytesOf(messageOf(trial, true)))
      },
      () => leave(trial, viewer),
    )
  }
  const tell = (trial: Seen, message: LiveMessage): void => {
    const bytes = bytesOf(message)
    for (const viewer of trial.viewers) {
      if (viewer.busy) viewer.behind = true
      else write(trial, viewer, bytes)
    }
  }
  const leave = (trial: Seen, viewer: Viewer): void => {
    if (!trial.viewers.delete(viewer)) return
    viewer.pipe.close().catch(() => undefined) // the reader is gone already
    if (trial.viewers.size > 0) return
    trials.delete(trial.ordinal)
    if (trial.session) reach(trial.session)
    if (trials.size > 0) return
    heartbeat?.()
    heartbeat = undefined
  }
  const end = (trial: Seen): void => {
    for (const viewer of [...trial.viewers]) {
      viewer.pipe.write(done).catch(() => undefined) // the reader is gone already
      leave(trial, viewer)
    }
  }
  /** Says to a session which trials it is to tell of, where that has changed. */
  const reach = (session: string): void => {
    const mine = [...trials.values()].filter((trial) => trial.session === session)
    const watched = mine.map(({ ordinal, attempt, watch }): Watched => ({ ordinal, attempt, watch }))
    const text = JSON.stringify(watched)
    if ((said.get(session) ?? '[]') === text) return
    if (mine.length > 0) said.set(session, text)
    else said.delete(session)
    source.say(session, watched)
  }
  const wait = (trial: Seen, why: LiveWait): void => {
    const before = trial.session
    const told = trial.seen === null && trial.waiting === why
    Object.assign(trial, { session: null, seen: null, waiting: why })
    if (!told) tell(trial, { type: 'waiting', why })
    if (before) reach(before)
  }
  /** Looks how a watched trial stands, and has it told by whoever holds it now. */
  const look = (trial: Seen): void => {
    const now = source.find(trial.ordinal)
    if (!now || now.state === 'done') return end(trial)
    if (now.state === 'pending') return wait(trial, 'not-begun')
    if (!source.isConnected(now.session)) return wait(trial, 'agent-away')
    if (trial.session === now.session && trial.attempt === now.attempt) return
    wait(trial, 'not-begun')
    // By the time, so that an object that lost its memory gives no number again that an agent still tells under.
    lastWatch = Math.max(lastWatch + 1, clock.now())
    Object.assign(trial, { session: now.session, attempt: now.attempt, watch: lastWatch })
    reach(now.session)
  }

  return {
    /** Writes what comes of a trial to the pipe, until it has ended or the reader is gone; false where too many watch already. */
    follow(pipe: ViewerPipe, ordinal: number): boolean {
      const now = source.find(ordinal)
      if (!now || now.state === 'done') {
        endStream(pipe)
        return true
      }
      const known = trials.get(ordinal)
      if (known ? known.viewers.size >= mostViewers : trials.size >= mostWatched) return false
      const trial: Seen = known ?? { ordinal, attempt: 0, session: null, watch: 0, seen: null, waiting: 'not-begun', viewers: new Set() }
      const viewer = { pipe, busy: false, behind: false }
      trials.set(ordinal, trial)
      if (!known) look(trial)
      trial.viewers.add(viewer)
      write(trial, viewer, encoder.encode(`retry: 2000\ndata: ${JSON.stringify(messageOf(trial, false))}\n\n`))
      heartbeat ??= every(clock, heartbeatMs, () => {
        for (const each of trials.values())
          for (const one of each.viewers) if (!one.busy) write(each, one, encoder.encode(': heartbeat\n\n'))
      })
      return true
    },
    /** What an agent tells of a trial. One that nobody watches any more is told no longer. */
    told(session: string, { watch, from_start, entries }: LiveTold): void {
      const trial = [...trials.values()].find((one) => one.watch === watch && one.session === session)
      if (!trial) return source.say(session, JSON.parse(said.get(session) ?? '[]') as Watched[]) // written by `reach`
      if (!trial.seen && !from_start) return
      const before = from_start || !trial.seen ? nothingYet : trial.seen
      trial.seen = entries.reduce((seen, entry) => foldLive(seen, entry, mostLiveText), before)
      tell(trial, from_start ? messageOf(trial, false) : { type: 'entries', entries })
    },
    /** Something has happened to the run: trials that are watched and have changed their state by it are looked at. */
    changed(events: readonly RunEvent[]): void {
      if (trials.size === 0) return
      const changed = trialsIn(events)
      for (const trial of [...trials.values()]) if (!changed || changed.has(trial.ordinal)) look(trial)
    },
    /** The last connection of a session is gone. */
    gone(session: string): void {
      for (const trial of [...trials.values()]) if (trial.session === session) wait(trial, 'agent-away')
    },
    /** A session has said hello: it knows of no trial that is watched. */
    greeted(session: string): void {
      said.delete(session)
      for (const trial of [...trials.values()]) {
        if (trial.session === session) trial.session = null
        look(trial)
      }
    },
    /** Ends all streams without a word: those who may still watch come again. */
    endAll(): void {
      for (const trial of [...trials.values()]) for (const viewer of [...trial.viewers]) leave(trial, viewer)
    },
    size: () => trials.size,
  }
}
