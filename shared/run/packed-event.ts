import type { EventOf, StreamedEvent } from '../contract/event.ts'
import { PackedBrief } from '../contract/packed.ts'
import type { TrialBrief } from '../contract/trial.ts'

/** A progress event's data as it is kept: earlier versions kept every brief by its names. */
type PackedData = Omit<EventOf<'benchmark_progress'>['data'], 'results'> & { results: (PackedBrief | TrialBrief)[] }

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

/** The event as it is streamed, of either form. */
export function unpackEvent(event: StreamedEvent): StreamedEvent {
  return withResults(event, unpackBrief)
}

function withResults(event: StreamedEvent, change: (brief: PackedBrief | TrialBrief) => PackedBrief | TrialBrief): StreamedEvent {
  if (event.event_type !== 'benchmark_progress' || !Array.isArray(event.data.results)) return event
  const { results, ...data } = event.data as unknown as PackedData // written by `toStreamed` from its event
  return { ...event, data: { ...data, results: results.map(change) } as unknown as StreamedEvent['data'] } // tuples of JSON are JSON
}

/** As it is where it lacks what every version since the first tells, or tells what only the first told. */
function packBrief(brief: PackedBrief | TrialBrief): PackedBrief | TrialBrief {
  if (Array.isArray(brief) || !brief.usage || brief.judge) return brief
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

function unpackBrief(brief: PackedBrief | TrialBrief): TrialBrief {
  if (!Array.isArray(brief)) return brief
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
