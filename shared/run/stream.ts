import { RunEvent, type RunEventType, type StreamedEvent } from '../contract/event.ts'
import type { RunHead } from '../contract/run.ts'
import { apply } from './apply.ts'
import { preflightText } from './preflight-text.ts'

const percent = (value: number | null): string => (value === null ? 'nothing scored yet' : `${(value * 100).toFixed(1)} % right`)

/** One plain sentence about an event, for logs, the CLI and predecessor clients. */
export function describe(event: RunEvent): string {
  switch (event.event_type) {
    case 'run_created':
      return `Run created for ${event.data.model_slug}`
    case 'run_started':
      return 'Run started'
    case 'run_preflight':
      return preflightText(event.data)
    case 'run_paused':
      return 'Run paused'
    case 'run_parked':
      return `Run parked: ${event.data.detail}`
    case 'run_resumed':
      return 'Run resumed'
    case 'run_requeued':
      if (event.data.retried.length === 0) return 'The run goes on after its cancellation'
      return `${event.data.retried.length} failed trials will be tried again`
    case 'run_reprioritised':
      return `Priority is now ${event.data.priority}`
    case 'run_concurrency_changed':
      return `Concurrency is now ${event.data.concurrency}`
    case 'run_budget_changed':
      return event.data.budget_usd === null ? 'The run has no budget any more' : `The budget is now $${event.data.budget_usd}`
    case 'run_canceled':
      return 'Run canceled'
    case 'run_completed':
      return `Run ${event.data.status}: ${percent(event.data.overall_score)}`
    case 'run_failed':
      return 'Run failed: no trial could be scored'
    case 'benchmark_started':
      return `${event.benchmark_name} started`
    case 'benchmark_resumed':
      return `${event.benchmark_name} resumed at ${event.data.completed} of ${event.data.total}`
    case 'benchmark_progress':
      return `${event.benchmark_name}: ${event.data.completed} of ${event.data.total}, ${percent(event.data.current_accuracy)}`
    case 'benchmark_completed':
      return `${event.benchmark_name} ${event.data.status}: ${percent(event.data.metrics.accuracy)}`
    case 'benchmark_failed':
      return `${event.benchmark_name} failed: no trial could be scored`
    case 'agent_joined':
      return `Agent ${event.data.agent_id} joined`
    case 'agent_lost':
      return `Agent ${event.data.agent_id} left (${event.data.reason})`
    case 'attempt_refused':
      return event.data.failure === undefined
        ? `What a given-up attempt at trial ${event.data.ordinal} took is counted`
        : `Trial ${event.data.ordinal} is tried again after ${event.data.failure}`
    case 'agent_renewed':
    case 'preflight_taken':
    case 'trials_leased':
    case 'trials_begun':
    case 'trials_released':
      return ''
  }
}

/** The public form of a numbered event. */
export function toStreamed(id: number, event: RunEvent): StreamedEvent {
  const { event_type, benchmark_name, at, data } = event
  return { id, event_type, benchmark_name, message: describe(event), data: data as StreamedEvent['data'], created_at: at } // every event's data is JSON
}

/** Parses a streamed event back; undefined for kinds this version does not know, which a viewer skips. */
export function fromStreamed(streamed: StreamedEvent): RunEvent | undefined {
  const { event_type, benchmark_name, created_at, data } = streamed
  const parsed = RunEvent.safeParse({ event_type: event_type as RunEventType, benchmark_name, at: created_at, data })
  return parsed.success ? parsed.data : undefined
}

/** Folds a streamed event, possibly a coalesced one, into a viewer's state. Events at or below the state's number change nothing. */
export function applyStreamed(head: RunHead, streamed: StreamedEvent): RunHead {
  if (streamed.id <= head.seq) return head
  const event = fromStreamed(streamed)
  return { ...(event ? apply(head, event) : head), seq: streamed.id }
}

type ProgressData = Extract<RunEvent, { event_type: 'benchmark_progress' }>['data']

/** Joins neighbouring progress events of one benchmark into one, so that a fast run costs a viewer few messages; folding gives the same state. */
export function coalesce(events: readonly StreamedEvent[]): StreamedEvent[] {
  const joined: StreamedEvent[] = []
  for (const event of events) {
    const last = joined.at(-1)
    if (last?.event_type !== 'benchmark_progress' || event.event_type !== last.event_type || event.benchmark_name !== last.benchmark_name) {
      joined.push(event)
      continue
    }
    const a = last.data as unknown as ProgressData // written by toStreamed from this very type
    const b = event.data as unknown as ProgressData
    const data: ProgressData = {
      ...b,
      unleased: a.unleased + b.unleased,
      recovered: a.recovered + b.recovered,
      results: [...a.results, ...b.results],
    }
    joined[joined.length - 1] = { ...event, data: data as unknown as StreamedEvent['data'] }
  }
  return joined
}
