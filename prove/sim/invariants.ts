import { isPublic, type RunEvent } from '#shared/contract/event.ts'
import { isTerminal, type RunHead } from '#shared/contract/run.ts'
import type { Spent } from '#shared/contract/usage.ts'
import { initialHead } from '#shared/run/apply.ts'
import type { Command } from '#shared/run/command.ts'
import { graceMs } from '#shared/run/lease.ts'
import { rateWindowMs } from '#shared/run/rate-share.ts'
import { applyStreamed, coalesce } from '#shared/run/stream.ts'
import type { Database } from './database.ts'
import type { Edge } from './edge.ts'
import type { Ledger } from './ledger.ts'
import type { Random } from './random.ts'

const near = (a: number, b: number): boolean => Math.abs(a - b) < 1e-6

/**
 * What must hold of a run after every event, whatever happened (reference/reliability.md 2.0, I1 to I9). Each breach is kept as one sentence.
 * I5 is checked at the provider, over all agents: requests in every window of a second, beside slots per run and agent.
 */
export function createInvariants(ledger: Ledger, database: Database, rateLimit: number | null) {
  const breaches: string[] = []
  const standing = new Map<number, { attempt: number; outcome: string }>()
  const received = new Map<string, number>()
  let spent = 0
  let judged = 0
  let ended = 0
  let retried = 0
  let viewer: RunHead | undefined
  const sent: number[] = []
  const heard = new Map<string, number>()
  const breach = (id: string, text: string): void => void (breaches.length < 20 && breaches.push(`${id}: ${text}`))

  const count = (ordinal: number, attempt: number, spending: { cost_usd: number | null; judge?: Spent | undefined }): void => {
    const key = `${ordinal}:${attempt}`
    if (received.has(key)) breach('I4', `attempt ${key} was counted twice`)
    received.set(key, spending.cost_usd ?? 0)
    spent += spending.cost_usd ?? 0
    judged += spending.judge?.cost_usd ?? 0
  }
  const onEvent = (event: RunEvent, head: RunHead): void => {
    if (event.event_type === 'benchmark_progress') {
      for (const brief of event.data.results) {
        if (standing.has(brief.ordinal)) breach('I1', `trial ${brief.ordinal} finished twice`)
        standing.set(brief.ordinal, brief)
        if (brief.failure !== 'agent/poison') count(brief.ordinal, brief.attempt, brief)
        const call = ledger.calls.find((each) => each.ordinal === brief.ordinal && each.attempt === brief.attempt)
        const truth = brief.failure ? 'failed' : ledger.answer(brief.ordinal, false)
        if (call && brief.outcome !== truth) breach('I2', `trial ${brief.ordinal} is ${brief.outcome}, the provider answered ${truth}`)
      }
    }
    if (event.event_type === 'agent_lost' && event.data.reason === 'silent') {
      const silentMs = Date.parse(event.at) - (heard.get(event.data.session) ?? 0)
      if (silentMs < graceMs) breach('I9', `${event.data.agent_id} was given up ${silentMs} ms after it was heard`)
    }
    if (event.event_type === 'attempt_refused') count(event.data.ordinal, event.data.attempt, event.data)
    if (event.event_type === 'run_requeued') {
      retried++
      for (const { ordinal } of event.data.retried) standing.delete(ordinal)
    }
    const ending = event.event_type === 'run_completed' || event.event_type === 'run_failed' || event.event_type === 'run_canceled'
    if (ending && ++ended > 1 + retried) breach('I8', 'the run ended twice')
    if (ending && !isTerminal(head.status)) breach('I8', `ended as ${head.status}`)
  }

  return {
    breaches,
    breach,
    onAssign(slots: readonly number[], concurrency: number): void {
      const granted = slots.reduce((sum, each) => sum + each, 0)
      if (granted > concurrency) breach('I5', `${granted} slots are out, the run may have ${concurrency}`)
    },
    onCall(nowMs: number): void {
      sent.push(nowMs)
      while (sent[0]! <= nowMs - rateWindowMs) sent.shift()
      if (rateLimit !== null && sent.length > rateLimit)
        breach('I5', `${sent.length} requests within a second, the key allows ${rateLimit}`)
    },
    onHeard(session: string, nowMs: number): void {
      heard.set(session, nowMs)
    },
    onCommit(events: RunEvent[], before: RunHead, after: RunHead, command: Command, edge: () => Edge): void {
      const { trials, stored } = edge()
      for (const event of events) onEvent(event, after)
      const staleOnly =
        command.type === 'report' &&
        events.length > 0 &&
        events.every((event) => event.event_type === 'attempt_refused' || !isPublic(event))
      if (staleOnly && (before.done !== after.done || before.leased !== after.leased)) breach('I3', 'a stale attempt changed the run')
      if (before.status === 'canceled' && (after.leased > 0 || after.done !== before.done))
        breach('I8', 'work went on after the cancellation')
      if (after.cost_usd !== null && !near(after.cost_usd, spent))
        breach('I4', `the run counts $${after.cost_usd}, its reports say $${spent}`)
      if (!near(after.judge?.cost_usd ?? 0, judged))
        breach('I4', `the run counts $${after.judge?.cost_usd} for its judge, its reports say $${judged}`)
      const { budget_usd } = after
      if (budget_usd !== null && ledger.total() > budget_usd + 1e-9) breach('I7', `spent $${ledger.total()} of a budget of $${budget_usd}`)
      const last = stored.log.at(-1)
      if (last && last.id !== stored.log.length) breach('I6', `event ${last.id} at place ${stored.log.length}`)
      if (after.seq !== stored.log.length) breach('I6', `state ${after.seq}, log ${stored.log.length}`)
      if (after.done !== standing.size) breach('I1', `${after.done} done, ${standing.size} results stand`)
      for (const event of events) {
        if (event.event_type !== 'trials_leased') continue
        for (const [ordinal, attempt] of event.data.leases) {
          const row = trials.find(ordinal)!
          if (row.state !== 'leased' || row.attempt !== attempt) breach('I1', `lease ${ordinal}:${attempt} is not in the rows`)
        }
      }
    },
    /** A viewer catches up by the stream and must see what the object sees. */
    lookAsViewer(edge: Edge, random: Random): void {
      const { stored } = edge
      if (!viewer || random.chance(0.02)) viewer = initialHead(edge.spec)
      const missing = stored.log.slice(viewer.seq)
      viewer = coalesce(missing).reduce(applyStreamed, viewer)
      const same = (['status', 'seq', 'done', 'retried', 'cost_usd'] as const).every(
        (key) => viewer![key] === stored.head[key] || (key === 'cost_usd' && near(viewer!.cost_usd ?? 0, stored.head.cost_usd ?? 0)),
      )
      if (!near(viewer.judge?.cost_usd ?? 0, stored.head.judge?.cost_usd ?? 0))
        breach('I6', `a viewer at ${viewer.seq} sees another judge's cost`)
      if (!same || JSON.stringify(viewer.benchmarks) !== JSON.stringify(stored.head.benchmarks))
        breach('I6', `a viewer at ${viewer.seq} sees another run`)
    },
    /** After the quiet phase: converged, and Postgres holds exactly what was acknowledged. */
    atEnd(edge: Edge): void {
      const { head, results } = edge.stored
      if (!isTerminal(head.status)) breach('I9', `still ${head.status} with ${head.done} of ${head.total}, ${head.leased} leased`)
      if (edge.pending()) breach('I9', 'results still wait for Postgres')
      const newest = new Map(results.map((row) => [row.ordinal, row]))
      if (database.count() !== newest.size) breach('I2', `Postgres has ${database.count()} rows, the object ${newest.size}`)
      for (const [ordinal, row] of newest)
        if (database.rows.get(ordinal)?.payload !== row.payload) breach('I2', `Postgres disagrees about trial ${ordinal}`)
      if (head.status !== 'canceled' && standing.size !== head.total) breach('I1', `${standing.size} results of ${head.total}`)
      const keys = new Set<string>()
      for (const call of ledger.calls) {
        const key = `${call.ordinal}:${call.attempt}`
        if (keys.has(key)) breach('I4', `the provider was paid twice for attempt ${key}`)
        keys.add(key)
        if (!received.has(key) && !call.lost) breach('I4', `the provider was paid for attempt ${key}, the run does not know of it`)
      }
    },
  }
}
