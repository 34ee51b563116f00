import type { StreamedEvent } from '#shared/contract/event.ts'
import type { RunHead } from '#shared/contract/run.ts'
import type { Audience, RunView } from '#shared/run/audience.ts'
import { coalesce } from '#shared/run/stream.ts'

const flushMs = 100
const heartbeatMs = 15_000
const pageSize = 200

type Viewer = { writer: WritableStreamDefaultWriter<Uint8Array>; audience: Audience; sent: number; busy: boolean }
type Source = {
  events(after: number, limit: number): StreamedEvent[]
  /** Number of the newest event, and whether the run has ended. */
  last(): { seq: number; ended: boolean }
  see(audience: Audience): RunView
}

const encoder = new TextEncoder()
const frame = (event: StreamedEvent): string => `id: ${event.id}\ndata: ${JSON.stringify(event)}\n\n`

/**
 * Live viewers of one run: at most ten messages a second each, the same bytes for all of one audience who are level. A viewer that reads slowly is skipped
 * while its last write is pending and caught up from storage afterwards, so it costs no memory and misses nothing.
 */
export function createViewers(source: Source) {
  const viewers = new Set<Viewer>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let heartbeat: ReturnType<typeof setInterval> | undefined

  const drop = (viewer: Viewer): void => {
    viewers.delete(viewer)
    viewer.writer.close().catch(() => undefined) // the reader is gone already
    if (viewers.size === 0 && heartbeat !== undefined) {
      clearInterval(heartbeat)
      heartbeat = undefined
    }
  }
  const send = (viewer: Viewer, bytes: Uint8Array, sent: number): void => {
    viewer.busy = true
    viewer.sent = sent
    viewer.writer.write(bytes).then(
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
          viewer.writer.write(encoder.encode('event: done\ndata: {}\n\n')).catch(() => undefined) // the reader is gone already
          drop(viewer)
        }
        continue
      }
      const level = `${viewer.audience} ${viewer.sent}`
      let page = pages.get(level)
      if (!page) {
        const events = coalesce(source.events(viewer.sent, pageSize)).map(source.see(viewer.audience).event)
        // What has left for the record is read there: the viewer comes again with the last number it has.
        if (events.length === 0) {
          drop(viewer)
          continue
        }
        page = { bytes: encoder.encode(events.map(frame).join('')), sent: events.at(-1)!.id }
        pages.set(level, page)
      }
      send(viewer, page.bytes, page.sent)
    }
  }
  const schedule = (): void => {
    const { seq, ended } = source.last()
    const waiting = [...viewers].some((viewer) => viewer.sent < seq || ended)
    if (waiting && timer === undefined) timer = setTimeout(flush, flushMs)
  }

  /** Opens a stream: the state the viewer starts from, then every event after it. */
  const open = (snapshot: RunHead | null, audience: Audience, after: number): Response => {
    const { readable, writable } = new IdentityTransformStream()
    const viewer: Viewer = { writer: writable.getWriter(), audience, sent: after, busy: false }
    viewers.add(viewer)
    const opening = snapshot
      ? `id: ${snapshot.seq}\ndata: ${JSON.stringify({ event_type: 'snapshot', head: source.see(audience).head(snapshot) })}\n\n`
      : ': connected\n\n'
    send(viewer, encoder.encode(`retry: 1000\n${opening}`), after)
    heartbeat ??= setInterval(() => {
      for (const each of viewers) if (!each.busy) send(each, encoder.encode(': heartbeat\n\n'), each.sent)
    }, heartbeatMs)
    return new Response(readable, {
      headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
    })
  }

  return {
    schedule,
    /** Hands on what is there at once: before events leave the object, so that no viewer who keeps up has to come again. */
    flush(): void {
      if (timer !== undefined) clearTimeout(timer)
      flush()
    },
    /** The stream for a cursor: from the beginning, from now on, or everything after an event's number. */
    answer(cursor: string | null, audience: Audience, head: RunHead, initial: RunHead): Response {
      if (cursor === null) return open(initial, audience, 0)
      return cursor === 'latest' ? open(head, audience, head.seq) : open(null, audience, Number(cursor))
    },
    count: () => viewers.size,
  }
}
