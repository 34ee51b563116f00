import type { EventOf, RunEvent } from '../contract/event.ts'
import { abortedClass, type Failure } from '../contract/failure.ts'
import { roleEntries, rolesOf } from '../contract/role.ts'
import { isTerminal, type RunHead } from '../contract/run.ts'
import type { TrialBrief } from '../contract/trial.ts'
import { openFor } from './ahead.ts'
import { stretchesOf } from './apply.ts'
import { affordable, budgetParked, budgetReason, budgetRefusal } from './budget.ts'
import type { Command, RunCommand, WorkCommand } from './command.ts'
import { graceMs, leaseMs, maxDeaths } from './lease.ts'
import { poisonBrief } from './poison-brief.ts'
import { isAtPreflight, isDue, preflightWaitMs, waitsForPreflight } from './preflight.ts'
import { leftText, retryCount } from './retry-count.ts'
import { reopenCanceled, retryFailed } from './retry-failed.ts'
import { grantSeats, type Wish } from './seats.ts'
import { type Batch, doneOf, settle } from './settle.ts'
import { coveredTrials, unlimited } from './spending.ts'
import { takeIn } from './take-in.ts'
import type { Trial, TrialView } from './trial-store.ts'
import { isTriedAgain } from './try-again.ts'
import { createTurn, type Turn } from './turn.ts'

const hasEnded = ({ status }: RunHead): string => `The run has ended already: it is ${status}.`

/** Why a person's command cannot be carried out in the run's present state; null when it can. */
export function refusal(head: RunHead, command: RunCommand): string | null {
  const ended = isTerminal(head.status)
  switch (command.type) {
    case 'cancel':
      return ended ? hasEnded(head) : null
    case 'pause':
      return head.status === 'running' || head.status === 'queued'
        ? null
        : `Only a queued or running run can be paused; this one is ${head.status}.`
    case 'resume':
      if (head.status !== 'paused') return `Only a paused run can be resumed; this one is ${head.status}.`
      return head.parked?.reason === budgetReason && affordable(head) === 0 ? budgetRefusal(head, head.budget_usd) : null
    case 'requeue':
      return head.status === 'canceled' ? null : refusal(head, { type: 'retry_failed' })
    case 'retry_failed': {
      if (head.status === 'canceled') return 'A canceled run cannot be retried; start a new one.'
      const failed = Object.values(head.benchmarks).reduce((sum, tally) => sum + tally.failed, 0)
      if (failed === 0) return 'No trial of this run has failed.'
      const retry = retryCount(head)
      return retry.again === 0 ? leftText(retry) : null
    }
    case 'set_concurrency':
    case 'prioritise':
      return ended ? hasEnded(head) : null
    case 'set_budget':
      return ended ? hasEnded(head) : budgetRefusal(head, command.budget_usd)
  }
}

/**
 * What follows from a command, as events; an empty list means that nothing changes. Pure: the same head, rows, command and time give the
 * same events. Whoever calls it stores the events and folds them with `apply` and `TrialStore.write` in one transaction.
 */
export function decide(head: RunHead, trials: TrialView, command: Command, nowMs: number): RunEvent[] {
  const turn = createTurn(head, trials, nowMs)
  if (command.type === 'tick') tick(turn)
  else if (command.type === 'import') takeIn(turn, command.results)
  else if ('session' in command) work(turn, command)
  else person(turn, command)
  return turn.events
}

function person(turn: Turn, command: RunCommand): void {
  if (refusal(turn.head, command) !== null) return
  switch (command.type) {
    case 'cancel':
      return turn.emit('run_canceled', {})
    case 'pause':
      return turn.emit('run_paused', {})
    case 'resume':
      return turn.emit('run_resumed', {})
    case 'retry_failed':
      return retryFailed(turn, command.ordinals)
    case 'requeue':
      return turn.head.status === 'canceled' ? reopenCanceled(turn) : retryFailed(turn)
    case 'set_concurrency':
      return turn.emit('run_concurrency_changed', { concurrency: command.concurrency })
    case 'prioritise':
      return turn.emit('run_reprioritised', { priority: command.priority })
    case 'set_budget':
      turn.emit('run_budget_changed', { budget_usd: command.budget_usd })
      // What the run was parked for is settled; a run that somebody paused stays paused.
      if (turn.head.parked?.reason === budgetReason) turn.emit('run_resumed', {})
  }
}

function work(turn: Turn, command: Exclude<WorkCommand, { type: 'tick' | 'import' }>): void {
  switch (command.type) {
    case 'hello':
      return hello(turn, command)
    case 'claim':
      return claim(turn, command)
    case 'renew':
      return renew(turn, command.session, turn.nowMs + leaseMs, widthOf(turn, command))
    case 'report':
      return report(turn, command)
    case 'begin':
      return begin(turn, stillHeld(turn, command.session, command.leases))
    case 'release':
      return release(turn, stillHeld(turn, command.session, command.leases), null)
    case 'halt':
      // Also before the first trial: data or a provider that is not there shows while an agent makes itself ready.
      if (turn.head.status !== 'running' && turn.head.status !== 'queued') return
      return park(turn, command.failure, command.until)
    case 'preflight':
      return preflight(turn, command)
    case 'leave':
      return lose(turn, command.session, 'drained', false)
    case 'closed': {
      const agent = turn.head.agents[command.session]
      return agent ? renew(turn, command.session, Math.min(agent.until_ms, turn.nowMs + graceMs)) : undefined
    }
  }
}

function park(turn: Turn, failure: Failure, until: string | null): void {
  turn.emit('run_parked', { reason: `${failure.at}/${failure.reason}`, detail: failure.detail, until })
}

/** Takes what was found by whoever was to look, once; a run that cannot go on is parked as one that is halted. */
function preflight(turn: Turn, { session, round, found, failure, until }: Extract<WorkCommand, { type: 'preflight' }>): void {
  const agent = turn.head.agents[session]
  if (!agent || isTerminal(turn.head.status) || !isDue(turn.head) || turn.head.preflight?.round !== round) return
  turn.emit('run_preflight', { ...found, round, agent_id: agent.agent_id, session })
  if (failure && (turn.head.status === 'running' || turn.head.status === 'queued')) park(turn, failure, until)
}

function hello(turn: Turn, command: Extract<WorkCommand, { type: 'hello' }>): void {
  if (isTerminal(turn.head.status)) return
  for (const [session, agent] of Object.entries(turn.head.agents)) {
    if (agent.agent_id === command.agent_id && session !== command.session) lose(turn, session, 'replaced', true)
  }
  const holding = new Set(command.holding.map(([ordinal, attempt]) => `${ordinal}:${attempt}`))
  const forgotten = turn.trials.leasedTo(command.session).filter((trial) => !holding.has(`${trial.ordinal}:${trial.attempt}`))
  release(turn, forgotten, null)
  const until_ms = turn.nowMs + leaseMs
  if (turn.head.agents[command.session]) turn.emit('agent_renewed', { session: command.session, until_ms })
  else turn.emit('agent_joined', { agent_id: command.agent_id, session: command.session, until_ms })
}

function renew(turn: Turn, session: string, until_ms: number, width?: number): void {
  if (turn.head.agents[session]) turn.emit('agent_renewed', { session, until_ms, ...(width !== undefined && { width }) })
}

/** What an agent takes of the concurrency from now on: its grant, and what it still works on beyond that; undefined where it does not say. */
function widthOf(turn: Turn, command: { session: string } & Wish): number | undefined {
  if (command.width === undefined) return undefined
  return Math.max(grantSeats(turn.head, turn.trials.held(), command.session, command), command.working ?? 0)
}

function claim(turn: Turn, command: Extract<WorkCommand, { type: 'claim' }>): void {
  const { head } = turn
  if (!head.agents[command.session] || (head.status !== 'running' && head.status !== 'queued')) return
  const looks = command.checks === true && isDue(head)
  const waits = looks && waitsForPreflight(head, command.session, turn.nowMs)
  const granted = waits ? 0 : grantSeats(head, turn.trials.held(), command.session, command)
  const among = command.benchmarks && stretchesOf(head, command.benchmarks)
  const allowance = command.allowance ?? unlimited
  const covered = Math.min(affordable(head), coveredTrials(head, allowance))
  const open = granted === 0 ? [] : openFor(turn.trials, Math.min(command.count, covered), among, command.told)
  if (open.length === 0) {
    if (covered === 0 && head.leased === 0 && head.done < head.total) {
      if (affordable(head) === 0) turn.emit('run_parked', budgetParked(head))
      else if (allowance.park) turn.emit('run_parked', allowance.park)
    }
    const width = widthOf(turn, command)
    if (width !== head.agents[command.session]!.width) renew(turn, command.session, turn.nowMs + leaseMs, width)
    return
  }
  if (head.status === 'queued') turn.emit('run_started', {})
  for (const name of new Set(open.map((trial) => trial.benchmark))) {
    const tally = head.benchmarks[name]!
    if (tally.status === 'pending') turn.emit('benchmark_started', { completed: doneOf(tally), total: tally.total }, name)
  }
  const width = widthOf(turn, command)
  if (looks && !isAtPreflight(head, command.session))
    turn.emit('preflight_taken', { session: command.session, until_ms: turn.nowMs + preflightWaitMs })
  const leases = open.map((trial): [number, number] => [trial.ordinal, trial.attempt + 1])
  turn.emit('trials_leased', { session: command.session, leases, ...(command.begins && { begun: true as const }) })
  renew(turn, command.session, turn.nowMs + leaseMs, width)
}

function report(turn: Turn, command: Extract<WorkCommand, { type: 'report' }>): void {
  const accepted = new Map<string, Batch>()
  const taken = new Set<string>()
  for (const brief of command.results) {
    const trial = turn.trials.find(brief.ordinal)
    const key = `${brief.ordinal}:${brief.attempt}`
    if (!trial || taken.has(key)) continue
    taken.add(key)
    const current = trial.attempt === brief.attempt && !isTerminal(turn.head.status)
    // A report that comes again of an attempt that was given up must not end the trial.
    const open = trial.state === 'leased' || (trial.state === 'pending' && !turn.trials.refused(brief.ordinal, brief.attempt))
    if (brief.failure === abortedClass) {
      release(turn, stillHeld(turn, command.session, [[brief.ordinal, brief.attempt]]), null)
      if (isUncounted(turn, trial, brief.attempt)) refuse(turn, brief)
    } else if (open && current && isTriedAgain(brief, trial.deaths)) {
      const held = trial.state === 'leased' ? [trial] : [] // else it is open already
      release(turn, held, 'death')
      const lost = held.length > 0 || turn.trials.lost(brief.ordinal, brief.attempt)
      refuse(turn, brief, { lost, failure: brief.failure! }) // a failure is what it is tried again for
    } else if (open && current) {
      const batch = accepted.get(trial.benchmark) ?? { unleased: 0, recovered: 0, results: [] }
      if (trial.state === 'pending') batch.unleased++
      if (turn.head.lost > 0 && turn.trials.lost(brief.ordinal, brief.attempt)) batch.recovered++
      batch.results.push(brief)
      accepted.set(trial.benchmark, batch)
    } else if (isUncounted(turn, trial, brief.attempt)) refuse(turn, brief)
  }
  for (const [name, batch] of accepted) settle(turn, name, batch)
  renew(turn, command.session, turn.nowMs + leaseMs)
}

/** Counts what an attempt took, and nothing else of it. `lost`: whether it has been given up as lost by now. */
function refuse(
  turn: Turn,
  brief: TrialBrief,
  why: { lost: boolean; failure?: string } = { lost: turn.trials.lost(brief.ordinal, brief.attempt) },
): void {
  const { ordinal, attempt, usage, cost_usd } = brief
  const roles = rolesOf(brief)
  const helped = roleEntries(roles).length > 0 && { roles }
  turn.emit('attempt_refused', { ordinal, attempt, ...why, usage, cost_usd, ...helped })
}

/** Whether what this attempt cost is not in the run's sum yet: it is stale, or was given up before it reported. */
function isUncounted(turn: Turn, trial: Trial, attempt: number): boolean {
  const stands = trial.state === 'done' && trial.attempt === attempt && !turn.trials.lost(trial.ordinal, attempt)
  return !stands && !turn.trials.refused(trial.ordinal, attempt)
}

function stillHeld(turn: Turn, session: string, leases: readonly (readonly [number, number])[]): Trial[] {
  return [...new Map(leases)]
    .map(([ordinal, attempt]) => ({ trial: turn.trials.find(ordinal), attempt }))
    .filter(({ trial, attempt }) => trial?.state === 'leased' && trial.session === session && trial.attempt === attempt)
    .map(({ trial }) => trial!)
}

/** Notes which leases an agent is at work on; said again, it changes nothing. */
function begin(turn: Turn, held: Trial[]): void {
  const fresh = held.filter((trial) => trial.state === 'leased' && !trial.begun)
  if (fresh.length > 0) turn.emit('trials_begun', { leases: fresh.map((trial) => [trial.ordinal, trial.attempt]) })
}

/**
 * Gives trials back. `lost`: their agent may have spent money on them, which the budget goes on covering; `death`: that, and the attempt came to
 * nothing. After its third death a trial is ended as a failure instead of being handed to a fourth agent.
 */
function release(turn: Turn, held: Trial[], why: 'death' | 'lost' | null): void {
  if (held.length === 0) return
  const death = why === 'death'
  turn.emit('trials_released', {
    leases: held.map((trial) => [trial.ordinal, trial.attempt]),
    death,
    ...(why === 'lost' && { lost: true }),
  })
  const poisoned = death ? held.filter((trial) => trial.deaths + 1 >= maxDeaths) : []
  for (const name of new Set(poisoned.map((trial) => trial.benchmark))) {
    const results = poisoned.filter((trial) => trial.benchmark === name).map(poisonBrief)
    settle(turn, name, { results, unleased: results.length, recovered: 0 })
  }
}

/**
 * Takes an agent off the run and gives its trials back. One that vanished counts against the trials it had begun, and against no others: what was
 * only leased ahead was never asked.
 */
function lose(turn: Turn, session: string, reason: EventOf<'agent_lost'>['data']['reason'], death: boolean): void {
  const agent = turn.head.agents[session]
  if (!agent) return
  turn.emit('agent_lost', { agent_id: agent.agent_id, session, reason })
  const held = turn.trials.leasedTo(session)
  if (!death) return release(turn, held, null)
  const isBegun = (trial: Trial): boolean => trial.state === 'leased' && trial.begun
  // What an agent began may have got lost on its way: the budget covers all of its leases.
  const ahead = held.filter((trial) => !isBegun(trial))
  release(turn, ahead, 'lost')
  release(turn, held.filter(isBegun), 'death')
}

function tick(turn: Turn): void {
  for (const [session, agent] of Object.entries(turn.head.agents)) {
    if (agent.until_ms <= turn.nowMs) lose(turn, session, 'silent', true)
  }
  const until = turn.head.parked?.until
  if (turn.head.status === 'paused' && until && Date.parse(until) <= turn.nowMs) turn.emit('run_resumed', {})
}
