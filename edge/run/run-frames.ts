import type { AheadItem } from '#shared/contract/ahead.ts'
import type { RunEvent } from '#shared/contract/event.ts'
import { closeCodes, type RunDown, type RunUp } from '#shared/contract/frame.ts'
import type { PackedRecord } from '#shared/contract/packed.ts'
import type { RunHead } from '#shared/contract/run.ts'
import { briefOf } from '#shared/contract/trial.ts'
import type { Command } from '#shared/run/command.ts'
import { isStranger } from '#shared/run/lease.ts'
import { needsIn } from '#shared/run/match/match-run.ts'
import { namedOpenings, openingHash } from '#shared/run/openings.ts'
import { isAtPreflight } from '#shared/run/preflight.ts'
import { grantSeats, type Wish } from '#shared/run/seats.ts'
import type { Allowance } from '#shared/run/spending.ts'
import type { LiveRun } from './live-run.ts'
import type { ReportFrame, WrittenReport } from './report-lines.ts'
import { type Report, toReport } from './run-records.ts'

type Run = (command: Command, report?: Report) => RunEvent[]

/** Where a run stands, as its agents are told. */
export function stateOf({ status, concurrency, total, done, leased }: RunHead): Extract<RunDown, { type: 'state' }> {
  return { type: 'state', status, concurrency, open: total - done - leased }
}

/** The answer to a wish: how much of the run's concurrency its agent may use. */
function granted(session: string, wish: Wish, live: LiveRun): { width?: number } {
  if (wish.width === undefined) return {}
  return { width: grantSeats(live.head()!, live.rows.trials.held(), session, wish) }
}

/** What an agent may make ready for, where it asks for that and it has changed; nothing of a run in which nobody works. */
function aheadFor(
  session: string,
  { ahead: count }: { ahead?: number | undefined },
  live: LiveRun,
  nowMs: number,
): { ahead?: AheadItem[] } {
  const head = live.head()!
  const working = head.status === 'running' || head.status === 'queued'
  const seen = { head, spec: live.rows.spec()!, trials: live.rows.trials }
  const ahead = live.ahead.next(session, working ? count : 0, seen, nowMs)
  return ahead ? { ahead } : {}
}

/** The round of the pre-flight that this session has to make before it begins what it gets. */
function preflightOf(session: string, live: LiveRun): { preflight?: number } {
  const head = live.head()!
  return isAtPreflight(head, session) ? { preflight: head.preflight!.round } : {}
}

/** The benchmarks whose trials need nothing but their model, for an agent that knows of nothing else; undefined when these are all. */
function onlyAsking({ rows }: LiveRun): string[] | undefined {
  const { benchmarks } = rows.spec()!
  const plain = benchmarks.map(needsIn).map(({ sandbox, timing_sensitive }) => sandbox === null && !timing_sensitive)
  return plain.every(Boolean) ? undefined : benchmarks.flatMap(({ name }, at) => (plain[at] ? [name] : []))
}

/** Whether each record is about the very item and epoch that was planned at its place: evidence must not end up under another item. */
function areOurs(records: readonly PackedRecord[], { rows }: LiveRun): boolean {
  rows.lookAhead(records.map(({ ordinal }) => ordinal))
  return records.every(({ ordinal, benchmark, item_id, epoch }) => {
    const trial = rows.trials.find(ordinal)
    return trial?.benchmark === benchmark && trial.item_id === item_id && trial.epoch === epoch
  })
}

/** Whether every opening is what its hash says, and every one that a record names came now or before. */
function areWhole({ results, openings }: ReportFrame, { rows }: LiveRun): boolean {
  const named = new Set(results.flatMap(namedOpenings))
  return (
    Object.entries(openings).every(([hash, text]) => openingHash(text) === hash) &&
    [...named].every((hash) => Object.hasOwn(openings, hash) || rows.hasOpening(hash))
  )
}

/** How a socket is closed over what its agent said. */
export const closings = {
  foreign: { code: closeCodes.badFrame, reason: 'The report is about trials this run does not have, or lacks the opening of a prompt.' },
  stranger: { code: closeCodes.tryAgain, reason: 'You were silent for too long: say hello again.' },
}

/**
 * Carries out what an agent that said hello asks for, and gives the frame that answers it, if one does; `foreign` for a report that is not
 * about this run's trials, or not whole: nothing of it is stored.
 */
export function answerFrame(
  frame: Exclude<RunUp, { type: 'hello' | 'pulse' | 'live' | 'report' }> | WrittenReport,
  session: string,
  live: LiveRun,
  run: Run,
  nowMs: number,
  allowance?: Allowance,
): RunDown | keyof typeof closings | undefined {
  if (isStranger(live.head()!, session, frame.type)) return 'stranger'
  switch (frame.type) {
    case 'claim': {
      const { count, width, working, checks, begins, benchmarks = onlyAsking(live) } = frame
      const told = live.ahead.of(session, live.head()!)
      const claim = {
        type: 'claim',
        session,
        count,
        width,
        working,
        checks,
        begins,
        ...(benchmarks && { benchmarks }),
        ...(told && { told }),
        ...(allowance && { allowance }),
      } as const
      const leased = run(claim).find((event) => event.event_type === 'trials_leased')
      const leases = leased?.event_type === 'trials_leased' ? live.rows.leases(leased.data.leases) : []
      const answer = { ...granted(session, frame, live), ...aheadFor(session, frame, live, nowMs) }
      return { type: 'leases', leases, ask: frame.ask, ...(leases.length > 0 && preflightOf(session, live)), ...answer }
    }
    case 'report': {
      if (!areOurs(frame.results, live) || !areWhole(frame, live)) return 'foreign'
      const report = toReport(frame.results, frame.openings, frame.texts)
      const events = run({ type: 'report', session, results: frame.results.map(briefOf) }, report)
      return { type: 'ack', id: frame.id, refused: events.filter((event) => event.event_type === 'attempt_refused').length }
    }
    case 'renew':
      run({ type: 'renew', session, width: frame.width, working: frame.working })
      return { ...stateOf(live.head()!), ...granted(session, frame, live), ...aheadFor(session, frame, live, nowMs) }
    case 'halt':
      run({ type: 'halt', session, failure: frame.failure, until: frame.until })
      return undefined
    case 'preflight':
      run({ type: 'preflight', session, round: frame.round, found: frame.found, failure: frame.failure, until: frame.until })
      return undefined
    case 'begin':
      run({ type: 'begin', session, leases: frame.leases })
      return undefined
    case 'release':
      run({ type: 'release', session, leases: frame.leases })
      return undefined
    case 'leave':
      run({ type: 'leave', session })
      return undefined
  }
}

/** Whether an agent says that the run cannot go on until somebody acts. */
export const stopsRun = (frame: RunUp): boolean => frame.type === 'halt' || (frame.type === 'preflight' && frame.failure !== null)
