import { type EventOf, isPublic, type RunEvent } from '../contract/event.ts'
import { type HelperRole, helperRoles, roleEntries, rolesOf } from '../contract/role.ts'
import { isTerminal, type RunHead, type RunSpec, type Tally } from '../contract/run.ts'
import type { TrialBrief } from '../contract/trial.ts'
import { addSpent, noUsage, type Spent } from '../contract/usage.ts'
import { heldFor } from './budget.ts'
import { trialCount } from './plan.ts'
import { foundPreflight, nextRound, plannedPreflight, withoutTaker } from './preflight.ts'
import { reservedCalls, reserveUsd } from './reserve.ts'

const emptyTally = (total: number): Tally => ({ total, right: 0, wrong: 0, failed: 0, score_sum: 0, flags: {}, items: 0 })

const benchmarkState = { status: 'pending' as const, started_at: null, completed_at: null }

/** State of a run before its first event. */
export function initialHead(spec: RunSpec): RunHead {
  return {
    run_id: spec.run_id,
    status: 'queued',
    seq: 0,
    total: spec.benchmarks.reduce((sum, benchmark) => sum + trialCount(benchmark), 0),
    leased: 0,
    lost: 0,
    done: 0,
    order: spec.benchmarks.map((benchmark) => benchmark.name),
    benchmarks: Object.fromEntries(
      spec.benchmarks.map((benchmark) => [
        benchmark.name,
        { ...emptyTally(trialCount(benchmark)), ...benchmarkState, reserved_calls: reservedCalls(benchmark) },
      ]),
    ),
    groups: Object.fromEntries(spec.benchmarks.map((benchmark) => [benchmark.name, {}])),
    failures: {},
    usage: noUsage,
    cost_usd: spec.price ? 0 : null,
    roles: plannedRoles(spec),
    retried: 0,
    concurrency: spec.concurrency,
    priority: spec.priority,
    max_failure_share: spec.max_failure_share,
    budget_usd: spec.budget_usd,
    reserve_usd: reserveUsd(spec),
    parked: null,
    preflight: plannedPreflight(spec),
    agents: {},
    created_at: spec.created_at,
    started_at: null,
    completed_at: null,
  }
}

/** Nothing spent yet by any helper of the run; the cost of a role is unknown from the beginning where one of its prices is. */
function plannedRoles(spec: RunSpec): Partial<Record<HelperRole, Spent>> {
  const planned = spec.benchmarks.flatMap((benchmark) => roleEntries(rolesOf(benchmark)))
  return Object.fromEntries(
    helperRoles.flatMap((role) => {
      const mine = planned.filter(([name]) => name === role)
      const cost_usd = mine.every(([, { price }]) => price) ? 0 : null
      return mine.length === 0 ? [] : [[role, { usage: noUsage, cost_usd }]]
    }),
  )
}

/** The benchmark whose stretch of the plan holds this ordinal. */
export function benchmarkAt(head: Pick<RunHead, 'order' | 'benchmarks'>, ordinal: number): string {
  let end = 0
  for (const name of head.order) {
    end += head.benchmarks[name]!.total
    if (ordinal < end) return name
  }
  throw new RangeError(`ordinal ${ordinal} is outside the plan`)
}

/** The stretches of the plan that hold the trials of these benchmarks, from the first ordinal to before the last; neighbours are one. */
export function stretchesOf(head: Pick<RunHead, 'order' | 'benchmarks'>, names: readonly string[]): { from: number; to: number }[] {
  const stretches: { from: number; to: number }[] = []
  let from = 0
  for (const name of head.order) {
    const to = from + head.benchmarks[name]!.total
    const last = stretches.at(-1)
    if (names.includes(name) && last?.to === from) last.to = to
    else if (names.includes(name)) stretches.push({ from, to })
    from = to
  }
  return stretches
}

/** Folds one event into the state. The object, the simulator and the browser use this same function, so they cannot disagree. */
export function apply(before: RunHead, event: RunEvent): RunHead {
  const head = isPublic(event) ? { ...before, seq: before.seq + 1 } : before
  switch (event.event_type) {
    case 'run_created':
      return head
    case 'run_started':
      return { ...head, status: 'running', started_at: head.started_at ?? event.at }
    case 'run_preflight':
      return { ...head, preflight: foundPreflight(head.preflight, event) }
    case 'preflight_taken':
      return head.preflight ? { ...head, preflight: { ...head.preflight, taken: event.data } } : head
    case 'run_paused':
      return { ...head, status: 'paused' }
    case 'run_parked':
      return { ...head, status: 'paused', parked: event.data }
    case 'run_resumed':
      return { ...head, status: head.started_at ? 'running' : 'queued', parked: null, preflight: nextRound(head.preflight) }
    case 'run_requeued':
      return requeue(head, event)
    case 'run_reprioritised':
      return { ...head, priority: event.data.priority }
    case 'run_concurrency_changed':
      return { ...head, concurrency: event.data.concurrency }
    case 'run_budget_changed':
      return { ...head, budget_usd: event.data.budget_usd }
    case 'run_canceled':
      return {
        ...cancelBenchmarks(head),
        status: 'canceled',
        leased: 0,
        lost: head.lost + head.leased,
        agents: {},
        parked: null,
        completed_at: event.at,
      }
    case 'run_completed':
    case 'run_failed':
      return { ...head, status: event.data.status, agents: {}, parked: null, completed_at: event.at }
    case 'benchmark_started':
    case 'benchmark_resumed':
      return withBenchmark(head, event.benchmark_name!, { status: 'running', started_at: event.at })
    case 'benchmark_progress':
      return progress(head, event)
    case 'benchmark_completed':
      return withBenchmark(head, event.benchmark_name!, { status: event.data.status, completed_at: event.at })
    case 'benchmark_failed':
      return withBenchmark(head, event.benchmark_name!, { status: 'failed', completed_at: event.at })
    case 'agent_joined': {
      const { session, agent_id, until_ms } = event.data
      return { ...head, agents: { ...head.agents, [session]: { agent_id, until_ms } } }
    }
    case 'agent_lost': {
      const { [event.data.session]: _gone, ...agents } = head.agents
      return { ...head, agents, preflight: withoutTaker(head.preflight, event.data.session) }
    }
    case 'agent_renewed': {
      const agent = head.agents[event.data.session]
      if (!agent) return head
      const { session, until_ms, width = agent.width } = event.data
      return { ...head, agents: { ...head.agents, [session]: { ...agent, until_ms, ...(width !== undefined && { width }) } } }
    }
    case 'attempt_refused':
      return {
        ...spend(head, event.data),
        ...holdFor(head, benchmarkAt(head, event.data.ordinal), [event.data]),
        lost: head.lost - (event.data.lost ? 1 : 0),
      }
    case 'trials_leased':
      return { ...head, leased: head.leased + event.data.leases.length }
    case 'trials_begun':
      return head
    case 'trials_released':
      return release(head, event)
  }
}

function release(head: RunHead, { data }: EventOf<'trials_released'>): RunHead {
  const count = data.leases.length
  return { ...head, leased: head.leased - count, lost: head.lost + (data.death || data.lost ? count : 0) }
}

function withBenchmark(head: RunHead, name: string, change: Partial<RunHead['benchmarks'][string]>): RunHead {
  const benchmark = head.benchmarks[name]!
  const started_at = benchmark.started_at ?? change.started_at ?? null
  return { ...head, benchmarks: { ...head.benchmarks, [name]: { ...benchmark, ...change, started_at } } }
}

function cancelBenchmarks(head: RunHead): RunHead {
  const benchmarks = Object.fromEntries(
    Object.entries(head.benchmarks).map(([name, benchmark]) => [
      name,
      benchmark.status === 'pending' || benchmark.status === 'running' ? { ...benchmark, status: 'skipped' as const } : benchmark,
    ]),
  )
  return { ...head, benchmarks }
}

/** Benchmarks that the cancellation skipped are open again. */
function reopenBenchmarks(head: RunHead): RunHead['benchmarks'] {
  return Object.fromEntries(
    Object.entries(head.benchmarks).map(([name, benchmark]) => [
      name,
      benchmark.status === 'skipped'
        ? { ...benchmark, status: benchmark.started_at ? ('running' as const) : ('pending' as const) }
        : benchmark,
    ]),
  )
}

type Spending = Spent & Pick<TrialBrief, 'roles'>
type Sum = Spent & Pick<RunHead, 'roles'>

/** The reservations that count as spent with these attempts besides; nothing where every call told its tokens. */
function holdFor(head: RunHead, benchmark: string, attempts: readonly Spending[]): { held_usd?: number } {
  let held = 0
  for (const attempt of attempts) held += heldFor(head, benchmark, attempt)
  return held > 0 ? { held_usd: (head.held_usd ?? 0) + held } : {}
}

/** Adds what one attempt took: the model's part and each helper's, which are never mixed. */
function spend<T extends Sum>(head: T, one: Spending): T {
  const roles = { ...rolesOf(head) }
  for (const [role, spent] of roleEntries(rolesOf(one))) if (roles[role]) roles[role] = addSpent(roles[role], spent)
  return { ...head, ...addSpent(head, one), roles }
}

function count<T extends Tally>(tally: T, brief: TrialBrief, step: 1 | -1): T {
  const next = { ...tally, [brief.outcome]: tally[brief.outcome] + step }
  if (brief.outcome === 'failed') return next
  next.score_sum = tally.score_sum + step * (brief.score ?? 0)
  if (tally.items !== undefined && brief.epoch === 0) next.items = tally.items + step
  if (brief.flags.length) {
    next.flags = { ...tally.flags }
    for (const flag of brief.flags) next.flags[flag] = (next.flags[flag] ?? 0) + step
  }
  return next
}

function progress(head: RunHead, event: EventOf<'benchmark_progress'>): RunHead {
  const name = event.benchmark_name!
  const failures = { ...head.failures }
  let causes = head.causes
  const groups = { ...head.groups[name] }
  let benchmark = head.benchmarks[name]!
  let spent: Sum = { usage: head.usage, cost_usd: head.cost_usd, roles: rolesOf(head) }
  for (const brief of event.data.results) {
    benchmark = count(benchmark, brief, 1)
    if (brief.group !== null) {
      const group = groups[brief.group] ?? emptyTally(0)
      groups[brief.group] = { ...count(group, brief, 1), total: group.total + 1 }
    }
    if (brief.failure) {
      causes = withCause(causes, brief.failure, brief.cause, failures[brief.failure] ?? 0)
      failures[brief.failure] = (failures[brief.failure] ?? 0) + 1
    }
    spent = spend(spent, brief)
  }
  return {
    ...head,
    ...spent,
    ...holdFor(head, name, event.data.results),
    failures,
    ...(causes && { causes }),
    done: head.done + event.data.results.length,
    leased: head.leased - (event.data.results.length - event.data.unleased),
    lost: head.lost - event.data.recovered,
    benchmarks: { ...head.benchmarks, [name]: benchmark },
    groups: { ...head.groups, [name]: groups },
  }
}

/** Keeps the sentence of a class while all of its failures say the same; `before` of them were counted already. */
function withCause(causes: RunHead['causes'], failure: string, cause: string | undefined, before: number): RunHead['causes'] {
  if (before === 0) return cause === undefined ? causes : { ...causes, [failure]: cause }
  const known = causes?.[failure]
  return known === undefined || known === null || known === cause ? causes : { ...causes, [failure]: null }
}

function requeue(head: RunHead, event: EventOf<'run_requeued'>): RunHead {
  const benchmarks = head.status === 'canceled' ? reopenBenchmarks(head) : { ...head.benchmarks }
  const groups = { ...head.groups }
  const failures = { ...head.failures }
  const causes = head.causes && { ...head.causes }
  for (const { ordinal, failure, group } of event.data.retried) {
    const name = benchmarkAt(head, ordinal)
    const benchmark = benchmarks[name]!
    benchmarks[name] = { ...benchmark, failed: benchmark.failed - 1, status: 'running', completed_at: null }
    if (group !== null) {
      const tally = groups[name]![group]!
      groups[name] = { ...groups[name], [group]: { ...tally, failed: tally.failed - 1, total: tally.total - 1 } }
    }
    failures[failure] = (failures[failure] ?? 1) - 1
    if (failures[failure] === 0) {
      delete failures[failure]
      delete causes?.[failure]
    }
  }
  const retried = event.data.retried.length
  return {
    ...head,
    benchmarks,
    groups,
    failures,
    ...(causes && { causes }),
    status: !isTerminal(head.status) ? head.status : head.started_at ? 'running' : 'queued',
    done: head.done - retried,
    retried: head.retried + retried,
    completed_at: null,
  }
}
