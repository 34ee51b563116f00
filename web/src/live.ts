import { StreamedEvent } from '#shared/contract/event.ts'
import { PulseMessage } from '#shared/contract/pulse.ts'
import { RunHead } from '#shared/contract/run.ts'
import { apply } from '#shared/run/apply.ts'
import { fromStreamed } from '#shared/run/stream.ts'
import { type Live, windowMs } from './live-state.ts'

const feedSize = 200

/**
 * Folds one message of the stream. A snapshot replaces the head, an event already folded changes nothing, an event of a
 * kind this page does not know only counts. Numbers may jump: the stream joins neighbouring progress events.
 */
export function foldMessage(live: Live, message: unknown, nowMs: number): Live {
  const type = (message as { event_type?: unknown }).event_type
  if (type === 'done') return { ...live, connection: 'ended', pulse: null }
  if (type === 'pulse') return { ...live, connection: 'live', pulse: { pulse: PulseMessage.parse(message).pulse, at_ms: nowMs } }
  if (type === 'snapshot') {
    const head = RunHead.parse((message as { head: unknown }).head)
    return head.seq < live.head.seq ? live : sampled({ ...live, head, connection: 'live' }, nowMs)
  }
  const streamed = StreamedEvent.parse(message)
  if (streamed.id <= live.fed) return live
  const event = fromStreamed(streamed)
  const folded = { ...live, fed: streamed.id, connection: 'live' as const }
  // A snapshot may be ahead of the events that follow it: those are shown in the feed, but are already counted.
  if (streamed.id > live.head.seq) folded.head = { ...(event ? apply(live.head, event) : live.head), seq: streamed.id }
  const next = sampled(folded, nowMs)
  if (event?.event_type !== 'benchmark_progress') return next
  const rows = event.data.results.map((brief) => ({ ...brief, benchmark: event.benchmark_name!, at: event.at, seq: streamed.id })).reverse()
  return { ...next, feed: [...rows, ...live.feed].slice(0, feedSize) }
}

function sampled(live: Live, nowMs: number): Live {
  const { samples } = live
  let keep = 0
  // The last sample older than the window stays: the rate is measured from it.
  while (keep + 1 < samples.length && samples[keep + 1]![0] <= nowMs - windowMs) keep++
  return { ...live, samples: [...samples.slice(keep), [nowMs, live.head.done]] }
}
