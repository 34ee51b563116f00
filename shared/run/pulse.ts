import type { AgentPulse, ModelPulse, RunPulse } from '../contract/pulse.ts'
import type { RunHead } from '../contract/run.ts'
import { leaseMs } from './lease.ts'

/** An agent that was not heard for so long has missed a sign of life: it is shown as silent. */
export const silentMs = 15_000

/** An agent tells what it does for a run at most once in so many milliseconds, and again after `pulseAgainMs` although nothing has changed. */
export const pulseMs = 1000
export const pulseAgainMs = 5000

/** What an agent of a run said last, and when it was last heard at all; null: it never said what it does. */
export type HeardAgent = { pulse: AgentPulse | null; told_ms: number; heard_ms: number; until_ms: number; held(): number }

const sum = <T>(rows: readonly T[], of: (row: T) => number): number => rows.reduce((total, row) => total + of(row), 0)
const least = (values: readonly (number | null)[]): number | null =>
  values.reduce((min, value) => (value === null ? min : min === null ? value : Math.min(min, value)), null)

/** When each session of a run is taken to have been heard last, by its lease alone: what is left after the object forgot. */
export function heardByLease(head: Pick<RunHead, 'agents'>, session: string, nowMs: number): number {
  const agent = head.agents[session]
  return agent ? Math.min(nowMs, agent.until_ms - leaseMs) : nowMs
}

/** What the agents of a run do together at `nowMs`. What a silent agent said last is not repeated: nobody knows whether it still holds. */
export function joinPulses(agents: readonly HeardAgent[], nowMs: number): RunPulse {
  const silent = agents.filter((agent) => nowMs - agent.heard_ms >= silentMs)
  const holding = silent.filter((agent) => agent.held() > 0)
  const heard = agents.filter((agent) => !silent.includes(agent))
  const inStage = (stage: AgentPulse['stage']) => heard.filter((agent) => agent.pulse?.stage === stage).length
  const told = heard.flatMap(({ pulse, told_ms }) => pulse?.models.map((model) => aged(model, Math.max(0, nowMs - told_ms))) ?? [])
  const byModel = new Map<string, ModelPulse[]>()
  for (const one of told) {
    const key = JSON.stringify([one.provider, one.model])
    byModel.set(key, [...(byModel.get(key) ?? []), one])
  }
  return {
    agents: {
      joined: agents.length,
      preparing: inStage('preparing'),
      leaving: inStage('leaving'),
      silent: silent.length,
      silent_ms: silent.length ? Math.max(...silent.map((agent) => nowMs - agent.heard_ms)) : null,
      held: sum(holding, (agent) => agent.held()),
      freed_in_ms: least(holding.map(({ until_ms }) => Math.max(0, until_ms - nowMs))),
    },
    models: [...byModel.values()].map(joinModels),
  }
}

/** The same pulse after some time in which nothing was told. */
export function aged(model: ModelPulse, elapsedMs: number): ModelPulse {
  const { slowest, next_try_ms } = model
  return {
    ...model,
    next_try_ms: next_try_ms === null ? null : Math.max(0, next_try_ms - elapsedMs),
    slowest: slowest && { ...slowest, elapsed_ms: Math.min(slowest.limit_ms, slowest.elapsed_ms + elapsedMs) },
  }
}

/** One model as several agents see it. An agent that still gets answers does not hide another that does not: the worse hold counts. */
function joinModels(models: readonly ModelPulse[]): ModelPulse {
  const next = models.reduce((a, b) => ((b.next_try_ms ?? Number.POSITIVE_INFINITY) < (a.next_try_ms ?? Number.POSITIVE_INFINITY) ? b : a))
  const failing = models.reduce((a, b) => (b.failed > a.failed ? b : a))
  const held = models.reduce((a, b) => (rank(b) < rank(a) ? b : a))
  const near = models.reduce((a, b) => (nearness(b) > nearness(a) ? b : a))
  return {
    ...next,
    in_flight: sum(models, (one) => one.in_flight),
    waiting: sum(models, (one) => one.waiting),
    hold: held.hold,
    failed: sum(models, (one) => one.failed),
    failure: failing.failure,
    slowest: near.slowest,
  }
}

const order: readonly ModelPulse['hold'][] = ['circuit', 'cool-down', 'retry', 'pace', 'none']
const rank = ({ hold }: ModelPulse): number => order.indexOf(hold)
const nearness = ({ slowest }: ModelPulse): number => (slowest ? slowest.elapsed_ms / slowest.limit_ms : -1)

type Timed = { agents?: RunPulse['agents']; stage?: AgentPulse['stage']; models: readonly ModelPulse[] }

/**
 * What a pulse says to a reader, as a text to compare: counts and reasons as they are, durations as the moments they lead to or began at, to
 * the second. While only time passes it stays the same, and nothing has to be told again.
 */
export function pulseKey({ agents, stage, models }: Timed, nowMs: number): string {
  const ahead = (ms: number | null) => (ms === null ? null : Math.round((nowMs + ms) / 1000))
  const back = (ms: number | null) => (ms === null ? null : Math.round((nowMs - ms) / 1000))
  const timed = models.map(({ slowest, next_try_ms, ...rest }) => [
    rest,
    ahead(next_try_ms),
    slowest && [slowest.limit_ms, slowest.until, back(slowest.elapsed_ms)],
  ])
  return JSON.stringify([
    stage,
    agents && [{ ...agents, silent_ms: back(agents.silent_ms), freed_in_ms: ahead(agents.freed_in_ms) }],
    timed,
  ])
}
