import type { EventOf, StreamedEvent } from '../contract/event.ts'
import { PackedBrief } from '../contract/packed.ts'
import type { TrialBrief } from '../contract/trial.ts'

/** The data of a progress event, with packed or unpacked results. */
type DataWith<Brief> = Omit<EventOf<'benchmark_progress'>['data'], 'results'> & { results: Brief[] }

/** An event as the JSON text in which it is kept. */
export type WrittenEvent = { text: string }

/** The text in which an event is kept. */
export const writeEvent = (event: StreamedEvent | WrittenEvent): string => ('text' in event ? event.text : JSON.stringify(packEvent(event)))

/** What the text of an event says. */
export const readEvent = (event: StreamedEvent | WrittenEvent): StreamedEvent =>
  'text' in event ? unpackEvent(JSON.parse(event.text)) : event // written by `writeEvent`

/** The event as it is kept, in the object's storage and in the record: without the names of what it says of each trial. */
function packEvent(event: StreamedEvent): StreamedEvent {
  return withResults(event, packBrief)
}

/** Returns the event with unpacked results, as it is streamed. */
export function unpackEvent(event: StreamedEvent): StreamedEvent {
  return withResults(event, unpackBrief)
}

function withResults<From, To>(event: StreamedEvent, change: (brief: From) => To): StreamedEvent {
  if (event.event_type !== 'benchmark_progress' || !Array.isArray(event.data.results)) return event
  const { results, ...data } = event.data as unknown as DataWith<From> // written by `toStreamed` from its event
  return { ...event, data: { ...data, results: results.map(change) } as unknown as StreamedEvent['data'] } // tuples of JSON are JSON
}

function packBrief(brief: TrialBrief): PackedBrief {
  const { usage } = brief
  return [
    brief.ordinal,
    brief.attempt,
    brief.item_id,
    brief.epoch,
    brief.group,
    brief.outcome,
    brief.score,
    brief.answer,
    brief.expected,
    brief.failure,
    brief.retryable,
    brief.flags,
    brief.latency_ms,
    brief.ttft_ms,
    usage.untold_calls === undefined
      ? [usage.input_tokens, usage.output_tokens, usage.cached_tokens, usage.reasoning_tokens]
      : [usage.input_tokens, usage.output_tokens, usage.cached_tokens, usage.reasoning_tokens, usage.untold_calls],
    brief.cost_usd,
    brief.roles ?? null,
    ...(brief.cause === undefined ? [] : [brief.cause]),
  ]
}

function unpackBrief(brief: PackedBrief): TrialBrief {
  const [ordinal, attempt, item_id, epoch, group, outcome, score, answer, expected, failure, retryable, flags, ...rest] =
    PackedBrief.parse(brief)
  const [latency_ms, ttft_ms, [input_tokens, output_tokens, cached_tokens, reasoning_tokens, untold_calls], cost_usd, roles, cause] = rest
  return {
    ...{ ordinal, attempt, item_id, epoch, group, outcome, score, answer, expected, failure, retryable, flags, latency_ms, ttft_ms },
    usage: { input_tokens, output_tokens, cached_tokens, reasoning_tokens, ...(untold_calls !== undefined && { untold_calls }) },
    cost_usd,
    ...(roles && { roles }),
    ...(typeof cause === 'string' && { cause }),
  }
}
