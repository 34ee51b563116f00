import type { StreamedEvent } from '#shared/contract/event.ts'
import type { RunPulse } from '#shared/contract/pulse.ts'
import type { RunHead } from '#shared/contract/run.ts'
import type { Snapshot } from '#shared/contract/snapshot.ts'
import type { Audience, RunView } from '#shared/run/audience.ts'
import { type Clock, every } from '#shared/run/clock.ts'
import { pulseKey, pulseMs } from '#shared/run/pulse.ts'
import { coalesce } from '#shared/run/stream.ts'

const flushMs = 100
const heartbeatMs = 15_000
const pageSize = 200

/** Where a viewer reads: what was written has been read when its promise resolves; it rejects when the reader is gone. */
export type ViewerPipe = { write(bytes: Uint8Array): Promise<void>; close(): Promise<void> }

/** From where a viewer follows: from the beginning (null), from now on (`latest`), or everything after an event's number; with pulses or without. */
export type Follow = { cursor: string | null; audience: Audience; pulses: boolean }

/** `told` is the pulse this viewer knows; null for one who did not ask for pulses. */
type Viewer = {
  pipe: ViewerPipe
  audience: Audience
  sent: number
  busy: boolean
  told: string | null
}
type Source = {
  events(after: number, limit: number): StreamedEvent[]
  /** Number of the first event that is still here; undefined where all have left for the record. */
  first(): number | undefined
  /** Number of the newest event, and whether the run has ended. */
  last(): { seq: number; ended: boolean }
  see(audience: Audience): RunView
  /** What the run's agents do now; null when it has ended. */
  pulse?(): RunPulse | null
}

const encoder = new TextEncoder()
/** Keeps a connection open. `named` is for pages with pulses: a browser shows no comment to its page. */
const heartbeats = { comment: encoder.encode(': heartbeat\n\n'), named: encoder.encode('event: heartbeat\ndata: {}\n\n') }
const frame = (event: StreamedEvent): string => `id: ${event.id}\ndata: ${JSON.stringify(event)}\n\n`

/** The first message of a stream. It has the fields of an event: clients of the predecessor list every message with its time. */
function opened(head: RunHead, nowMs: number): string {
  const message = `The run is ${head.status}: ${head.done} of ${head.total} trials are done`
  const told: Snapshot = { event_type: 'snapshot', id: head.seq, message, created_at: new Date(nowMs).toISOString(), head }
  return `id: ${head.seq}\ndata: ${JSON.stringify(told)}\n\n`
}

/**
 * Live viewers of one run: at most ten messages a second each, the same bytes for all of one audience who are level. A viewer that reads slowly is skipped
 * while its last write is pending and caught up from storage afterwards, so it costs no memory and misses nothing.
 */
export function createViewers(source: Source, clock: Clock) {
  const viewers = new Set<Viewer>()
  let timer: (() => void) | undefined
  let heartbeat: (() => void) | undefined
  let beat: (() => void) | undefined

  const drop = (viewer: Viewer): void => {
    viewers.delete(viewer)
    viewer.pipe.close().catch(() => undefined) // the reader is gone already
    if (viewers.size > 0) return
    heartbeat?.()
    beat?.()
    heartbeat = undefined
    beat = undefined
  }
  const send = (viewer: Viewer, bytes: Uint8Array, sent: number): void => {
    viewer.busy = true
    viewer.sent = sent
    viewer.pipe.write(bytes).then(
      () => {
        viewer.busy = false
        schedule()
      },
      () => drop(viewer),
    )
  }
  const flush = (): void => {
    timer = undefined
    const { seq, ended } = source.last()
    const pages = new Map<string, { bytes: Uint8Array; sent: number }>()
    for (const viewer of viewers) {
      if (viewer.busy) continue
      if (viewer.sent >= seq) {
        if (ended) {
          viewer.pipe.write(encoder.encode('event: done\ndata: {}\n\n')).catch(() => undefined) // the reader is gone already
          drop(viewer)
        }
        continue
      }
      const level = `${viewer.audience} ${viewer.sent}`
      let page = pages.get(level)
      if (!page) {
        const next = source.events(viewer.sent, pageSize)
        // What has left for the record is read there, also where newer events are here: the viewer comes again with the last number it has.
        if (next[0]?.id !== viewer.sent + 1) {
          drop(viewer)
          continue
        }
        const events = coalesce(next).map(source.see(viewer.audience).event)
        page = { bytes: encoder.encode(events.map(frame).join('')), sent: events.at(-1)!.id }
        pages.set(level, page)
      }
      send(viewer, page.bytes, page.sent)
    }
  }
  const schedule = (): void => {
    const { seq, ended } = source.last()
    const waiting = [...viewers].some((viewer) => viewer.sent < seq || ended)
    if (waiting && timer === undefined) timer = clock.after(flushMs, flush)
  }

  /** Time alone changes what is to be told (an agent that is silent tells nothing), so it is looked at by the clock while somebody wants it. */
  const tellPulse = (): void => {
    const waiting = [...viewers].filter((viewer) => viewer.told !== null && !viewer.busy)
    const pulse = waiting.length > 0 ? source.pulse?.() : null
    if (!pulse) return
    const key = pulseKey(pulse, clock.now())
    const texts = new Map<Audience, Uint8Array>()
    for (const viewer of waiting) {
      if (viewer.told === key) continue
      viewer.told = key
      const seen = { event_type: 'pulse', pulse: source.see(viewer.audience).pulse(pulse) }
      const bytes = texts.get(viewer.audience) ?? encoder.encode(`event: pulse\ndata: ${JSON.stringify(seen)}\n\n`)
      texts.set(viewer.audience, bytes)
      send(viewer, bytes, viewer.sent)
    }
  }

  /** Opens a stream: the state the viewer starts from, then every event after it. */
  const open = (pipe: ViewerPipe, snapshot: RunHead | null, audience: Audience, after: number, pulses: boolean): void => {
    const viewer: Viewer = { pipe, audience, sent: after, busy: false, told: pulses ? '' : null }
    viewers.add(viewer)
    const opening = snapshot ? opened(source.see(audience).head(snapshot), clock.now()) : ': connected\n\n'
    send(viewer, encoder.encode(`retry: 1000\n${opening}`), after)
    heartbeat ??= every(clock, heartbeatMs, () => {
      for (const each of viewers) if (!each.busy) send(each, each.told === null ? heartbeats.comment : heartbeats.named, each.sent)
    })
    if (pulses) beat ??= every(clock, pulseMs, tellPulse)
  }

  return {
    schedule,
    /** Hands on what is there at once: before events leave the object, so that no viewer who keeps up has to come again. */
    flush(): void {
      timer?.()
      flush()
    },
    /**
     * Writes the stream of one viewer to its pipe until the run ends or the reader is gone. A run that was opened again holds what it did before in the record only: the state as it is now stands for that.
     */
    follow(pipe: ViewerPipe, { cursor, audience, pulses }: Follow, head: RunHead, initial: RunHead): void {
      const after = cursor === 'latest' ? head.seq : Number(cursor ?? 0)
      const isHere = after >= head.seq || after + 1 >= (source.first() ?? head.seq + 1)
      if (cursor === 'latest' || !isHere) return open(pipe, head, audience, head.seq, pulses)
      open(pipe, cursor === null ? initial : null, audience, after, pulses)
    },
    /** Ends the streams of those who neither own the run nor operate the service: they come again and are refused, if they may not read it any more. */
    endStrangers(): void {
      for (const viewer of [...viewers]) if (viewer.audience === 'stranger') drop(viewer)
    },
    /** Ends all streams. Viewers who may still read the run connect again. */
    endAll(): void {
      for (const viewer of [...viewers]) drop(viewer)
    },
    count: () => viewers.size,
  }
}
