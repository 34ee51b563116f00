import type { SeenSpec } from '../contract/api.ts'
import { RunEvent, type StreamedEvent } from '../contract/event.ts'
import { withholdForeign } from '../contract/foreign.ts'
import { RunPulse } from '../contract/pulse.ts'
import { RunHead, type RunSpec } from '../contract/run.ts'
import { openingHash } from './openings.ts'
import { fromStreamed, toStreamed } from './stream.ts'

/** For whom something is shown: the run's owner, the service's operator where the run is somebody else's, and everybody else. */
export const audiences = ['owner', 'operator', 'stranger'] as const
export type Audience = (typeof audiences)[number]

/** Benchmarks whose items this audience must not read: gated data, real rows, somebody else's run. */
export function withheldFrom(spec: Pick<RunSpec, 'benchmarks'>, audience: Audience): ReadonlySet<string> {
  const gated = spec.benchmarks.filter((one) => one.gated && one.data.source !== 'sample')
  return new Set(audience === 'owner' ? [] : gated.map((one) => one.name))
}

/** A run in the eyes of one audience. Every surface shows states and events through this and nothing else. */
export type RunView = {
  spec(): SeenSpec
  head(head: RunHead): RunHead
  event(event: StreamedEvent): StreamedEvent
  pulse(pulse: RunPulse): RunPulse
  /** Benchmarks of which only counts, times and outcomes are shown. */
  withheld: ReadonlySet<string>
}

/** Events that say which agent did something. */
const namesAgents = ['agent_joined', 'agent_lost', 'run_preflight']

const withoutWordsInHead = withholdForeign(RunHead)
const withoutWordsInEvent = withholdForeign(RunEvent)
const withoutWordsInPulse = withholdForeign(RunPulse)

/**
 * The view of a run. Of a run with a withheld benchmark no words of others are shown at all: a provider's error does not say which item
 * it quotes. Agents keep their names for the owner and the operator; strangers see that they are several, and which did what.
 */
export function viewFor(spec: RunSpec, audience: Audience): RunView {
  const withheld = withheldFrom(spec, audience)
  const named = audience !== 'stranger'
  return {
    withheld,
    spec: () => seenSpec(spec, named),
    head(head) {
      const words = withheld.size > 0 ? withoutWordsInHead(head) : head
      return named ? words : { ...words, agents: unnamed(spec, head.agents), preflight: unnamedPreflight(spec, words.preflight) }
    },
    pulse: (pulse) => (withheld.size > 0 ? withoutWordsInPulse(pulse) : pulse),
    event(event) {
      if (withheld.size === 0 && (named || !namesAgents.includes(event.event_type))) return event
      if (withheld.size > 0 && isProgress(event) && !withheld.has(event.benchmark_name ?? '')) return event
      return rebuilt(event, (known) => {
        const words = withheld.size > 0 ? withoutWordsInEvent(known) : known
        return named ? words : withoutAgent(spec, words)
      })
    },
  }
}

/** Results of one benchmark say nothing of another. */
const isProgress = (event: StreamedEvent): boolean => event.event_type === 'benchmark_progress'

/** The event as its contract names it, with a sentence made anew; of a kind that this version does not know only the kind remains. */
function rebuilt(event: StreamedEvent, change: (event: RunEvent) => RunEvent): StreamedEvent {
  const known = fromStreamed(event)
  return known ? toStreamed(event.id, change(known)) : { ...event, message: '', data: {} }
}

function withoutAgent(spec: RunSpec, event: RunEvent): RunEvent {
  if (event.event_type === 'agent_joined') return { ...event, data: { ...event.data, ...aliasOf(spec, event.data.session) } }
  if (event.event_type === 'agent_lost') return { ...event, data: { ...event.data, ...aliasOf(spec, event.data.session) } }
  if (event.event_type === 'run_preflight') return { ...event, data: { ...event.data, ...aliasOf(spec, event.data.session) } }
  return event
}

function unnamed(spec: RunSpec, agents: RunHead['agents']): RunHead['agents'] {
  return Object.fromEntries(
    Object.entries(agents).map(([session, { until_ms }]) => {
      const alias = aliasOf(spec, session)
      return [alias.session, { agent_id: alias.agent_id, until_ms }]
    }),
  )
}

function unnamedPreflight(spec: RunSpec, state: RunHead['preflight']): RunHead['preflight'] {
  return state && { ...state, taken: null, found: state.found && { ...state.found, ...aliasOf(spec, state.found.session) } }
}

/** Another name for a session of this run, the same in every event, state and record; nobody can tell the session from it. */
export function aliasOf({ run_id }: { run_id: string }, session: string): { agent_id: string; session: string } {
  const alias = openingHash(`${run_id}|${session}`).slice(0, 12)
  return { agent_id: `agent-${alias.slice(0, 4)}`, session: alias }
}

/** Named one by one, so that a field that is added is not shown before somebody has thought about it. */
function seenSpec(spec: RunSpec, named: boolean): SeenSpec {
  return {
    run_id: spec.run_id,
    owner_id: named ? spec.owner_id : null,
    visibility: spec.visibility,
    model: spec.model,
    own_credential: spec.own_credential,
    price: spec.price,
    benchmarks: spec.benchmarks,
    subset: spec.subset,
    concurrency: spec.concurrency,
    priority: spec.priority,
    max_failure_share: spec.max_failure_share,
    budget_usd: spec.budget_usd,
    preflight: spec.preflight,
    regrade: spec.regrade,
    created_at: spec.created_at,
  }
}
