import { isPublic, type RunEvent, type StreamedEvent } from '#shared/contract/event.ts'
import { isTerminal, type RunHead, type RunSpec } from '#shared/contract/run.ts'
import type { TrialBrief } from '#shared/contract/trial.ts'
import { apply, initialHead } from '#shared/run/apply.ts'
import type { Command } from '#shared/run/command.ts'
import { isStranger } from '#shared/run/lease.ts'
import { slotsOf as allSlots } from '#shared/run/match/fleet.ts'
import { matchFleet } from '#shared/run/match/match-fleet.ts'
import { matchRunOf } from '#shared/run/match/match-run.ts'
import { planTrials } from '#shared/run/plan.ts'
import { noShares } from '#shared/run/rate-share.ts'
import { toStreamed } from '#shared/run/stream.ts'
import { createMemoryTrials } from '#shared/run/trial-store.ts'
import { nextWake } from '#shared/run/wake.ts'
import type { Clock } from './clock.ts'
import type { Database, Row } from './database.ts'
import { decideWith, type Mutant, shareWith } from './mutants.ts'
import type { Random } from './random.ts'

export type Up =
  | { type: 'hello'; agent_id: string; session: string; holding: [number, number][] }
  | { type: 'claim'; count: number }
  | { type: 'report'; id: number; results: TrialBrief[]; sent_at_ms: number }
  | { type: 'release'; leases: [number, number][] }
  | { type: 'renew'; sent_at_ms: number }
  | { type: 'leave' }
  | { type: 'rate'; ask: number; want: number }
export type Down =
  | { type: 'welcome' }
  | { type: 'leases'; leases: [number, number][] }
  | { type: 'ack'; id: number }
  | { type: 'state'; status: RunHead['status'] }
  | { type: 'assign'; slots: number }
  | { type: 'rate'; ask: number; permits: number | null }
  | { type: 'closed' }
export type Connection = { open: boolean; session: string | null; agent_id: string | null; deliver(frame: Down): void }

export type EdgeWatch = {
  onHeard(session: string): void
  onAssign(slots: readonly number[], concurrency: number): void
  onCommit(events: RunEvent[], before: RunHead, after: RunHead, command: Command): void
}
type Faults = { agentSlots: number; rateLimit: number | null; databaseUp(): boolean; random: Random; calm(): boolean }

/** The run's object with its storage: a shell around decide and apply like the real one. What is in `stored` survives a crash, nothing else does. */
export function createEdge(spec: RunSpec, clock: Clock, database: Database, faults: Faults, watch: EdgeWatch, mutant: Mutant | null) {
  const trials = createMemoryTrials(planTrials(spec))
  const stored = {
    head: initialHead(spec),
    log: [] as StreamedEvent[],
    results: [] as (Row & { event_id: number })[],
    mark: { result: 0, event: 0, head: -1 },
    shares: noShares(faults.rateLimit ?? 0),
  }
  const connections = new Set<Connection>()
  let life = 0
  let draining = false
  let alarmAt = Number.POSITIVE_INFINITY

  const commit = (command: Command): RunEvent[] => {
    const before = stored.head
    const events = decideWith(mutant, before, trials, command, clock.now())
    for (const event of events) {
      stored.head = apply(stored.head, event)
      trials.write(event)
      if (isPublic(event)) stored.log.push(toStreamed(stored.head.seq, event))
      if (event.event_type !== 'benchmark_progress') continue
      for (const brief of event.data.results)
        stored.results.push({ ordinal: brief.ordinal, attempt: brief.attempt, payload: payloadOf(brief), event_id: stored.head.seq })
    }
    watch.onCommit(events, before, stored.head, command)
    arm()
    return events
  }
  const pending = (): boolean =>
    stored.mark.result < stored.results.length || stored.mark.event < stored.log.length || stored.mark.head !== stored.head.seq
  const arm = (): void => {
    const wake = nextWake(stored.head, pending(), clock.now())
    if (wake === null || wake >= alarmAt) return
    alarmAt = wake
    const mine = life
    clock.after(wake - clock.now(), () => {
      if (mine !== life || wake !== alarmAt) return
      alarmAt = Number.POSITIVE_INFINITY
      if (!isTerminal(stored.head.status)) commit({ type: 'tick' })
      drain()
      arm()
    })
  }
  const drain = (): void => {
    if (draining || !pending()) return
    draining = true
    const { mark } = stored
    const rows = stored.results.slice(mark.result, mark.result + 50)
    const events = stored.log.slice(mark.event, mark.event + 50)
    const head = stored.head
    const next = { result: mark.result + rows.length, event: mark.event + events.length, head: head.seq }
    if (mutant === 'skip-drain-marker') stored.mark = next
    const mine = life
    clock.after(faults.random.int(1, 20), () => {
      const written = faults.databaseUp()
      if (written) database.write({ rows, events, head })
      const answered = written && (faults.calm() || !faults.random.chance(0.2))
      clock.after(faults.random.int(1, 20), () => {
        if (mine !== life) return
        draining = false
        if (answered) stored.mark = next
        if (answered) drain()
        else clock.after(500, () => mine === life && drain())
      })
    })
  }
  /** What the fleet does with this one run: deals its concurrency out to the agents that are connected, and tells each its slots. */
  const assign = (): void => {
    const { head } = stored
    const run = { ...matchRunOf(spec, head), needs: [] }
    const known = [...connections].filter((connection) => connection.session !== null)
    const assigned = matchFleet(
      [run],
      known.map((connection) => ({ session: connection.session!, capabilities: [], slots: faults.agentSlots, sandboxes: [] })),
    )
    const slotsOf = (connection: Connection): number => allSlots(assigned.get(connection.session!)?.[0]?.shares ?? [])
    watch.onAssign(known.map(slotsOf), head.concurrency)
    for (const connection of known) connection.deliver({ type: 'assign', slots: slotsOf(connection) })
  }
  const close = (connection: Connection): void => {
    if (!connections.delete(connection)) return
    connection.open = false
    connection.deliver({ type: 'closed' })
  }
  const announce = (): void => {
    for (const connection of connections) if (connection.session) connection.deliver({ type: 'state', status: stored.head.status })
    assign()
  }

  const receive = (connection: Connection, frame: Up): void => {
    if (!connections.has(connection)) return // a frame of a connection that was replaced or closed comes too late
    if (frame.type === 'hello') {
      for (const other of [...connections]) if (other !== connection && other.agent_id === frame.agent_id) close(other)
      connection.session = frame.session
      connection.agent_id = frame.agent_id
      watch.onHeard(frame.session)
      commit(frame)
      connection.deliver({ type: 'welcome' })
      assign()
      return connection.deliver({ type: 'state', status: stored.head.status })
    }
    const { session } = connection
    if (!session) return
    // Asked over the fleet's socket: it says nothing about the agent's hold on this run's trials.
    if (frame.type === 'rate') {
      if (faults.rateLimit === null) return connection.deliver({ type: 'rate', ask: frame.ask, permits: null })
      const { shares, permits } = shareWith(mutant, stored.shares, session, frame.want, clock.now())
      stored.shares = shares
      return connection.deliver({ type: 'rate', ask: frame.ask, permits })
    }
    if (isStranger(stored.head, session, frame.type)) return close(connection)
    watch.onHeard(session)
    if (frame.type === 'claim') {
      const leased = commit({ type: 'claim', session, count: frame.count }).find((event) => event.event_type === 'trials_leased')
      return connection.deliver({ type: 'leases', leases: leased?.event_type === 'trials_leased' ? leased.data.leases : [] })
    }
    if (frame.type === 'report') {
      if (mutant === 'ack-before-commit') {
        connection.deliver({ type: 'ack', id: frame.id })
        const mine = life
        return clock.after(40, () => mine === life && void commit({ type: 'report', session, results: frame.results }))
      }
      commit({ type: 'report', session, results: frame.results })
      connection.deliver({ type: 'ack', id: frame.id })
      return isTerminal(stored.head.status) ? announce() : undefined
    }
    if (frame.type === 'renew' && mutant === 'absolute-deadline') {
      const agent = stored.head.agents[session]
      if (agent)
        stored.head = { ...stored.head, agents: { ...stored.head.agents, [session]: { ...agent, until_ms: frame.sent_at_ms + 30_000 } } }
      return
    }
    if (frame.type === 'renew') commit({ type: 'renew', session })
    else if (frame.type === 'release') commit({ type: 'release', session, leases: frame.leases })
    else {
      commit({ type: 'leave', session })
      close(connection)
    }
  }

  return {
    spec,
    stored,
    trials,
    pending,
    receive,
    connect(connection: Connection): void {
      connections.add(connection)
    },
    disconnect(connection: Connection): void {
      if (!connections.delete(connection)) return
      connection.open = false
      if (connection.session && !isTerminal(stored.head.status)) commit({ type: 'closed', session: connection.session })
      assign()
    },
    command(command: Command): void {
      commit(command)
      announce()
    },
    /** kill -9: sockets are cut, the drain in flight is forgotten; storage stays. */
    crash(): void {
      life++
      draining = false
      alarmAt = Number.POSITIVE_INFINITY
      if (mutant === 'forget-grants') stored.shares = noShares(faults.rateLimit ?? 0)
      for (const connection of [...connections]) close(connection)
      arm()
    },
  }
}
export type Edge = ReturnType<typeof createEdge>

export const payloadOf = (brief: TrialBrief): string => `${brief.ordinal}:${brief.attempt}:${brief.outcome}:${brief.cost_usd}`
