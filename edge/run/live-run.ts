import { isPublic, type RunEvent } from '#shared/contract/event.ts'
import { isTerminal, type RunHead, type RunSpec } from '#shared/contract/run.ts'
import { apply, initialHead } from '#shared/run/apply.ts'
import type { Command } from '#shared/run/command.ts'
import { createdEvent } from '#shared/run/created-event.ts'
import { decide } from '#shared/run/decide.ts'
import { toStreamed } from '#shared/run/stream.ts'
import { createAheadTeller } from './ahead-teller.ts'
import { noReport, type Report, recordOf } from './run-records.ts'
import { openRunRows } from './run-rows.ts'
import type { RunStorage } from './run-storage.ts'

/**
 * The pure core over an object's storage: decides, stores rows, events and results, and folds the state, in one transaction each. What is
 * held in memory follows the rows: it is read back when a transaction is rolled back.
 */
export function openLiveRun(storage: RunStorage) {
  const rows = openRunRows(storage)
  let head = rows.head()

  const commit = <T>(work: () => T): T => {
    try {
      return storage.transactionSync(work)
    } catch (error) {
      rows.forgetRecent()
      head = rows.head()
      throw error
    }
  }
  const store = (events: RunEvent[], from: RunHead, report: Report): RunHead => {
    let next = from
    for (const [hash, text] of Object.entries(report.openings)) rows.addOpening(hash, text)
    for (const event of events) {
      next = apply(next, event)
      rows.trials.write(event)
      if (isPublic(event)) rows.append(toStreamed(next.seq, event))
      if (event.event_type !== 'benchmark_progress') continue
      const records = event.data.results.map((brief) => recordOf(report, brief, event.benchmark_name!))
      const texts = records.map((record) => report.texts.get(record) ?? JSON.stringify(record))
      rows.addResults(next.seq, report.finished_at ?? event.at, texts, records)
    }
    if (events.length) rows.saveHead(next)
    if (isTerminal(next.status)) rows.forgetSeal()
    return next
  }

  return {
    rows,
    /** Who was told to make ready for which of its items. */
    ahead: createAheadTeller(),
    head: (): RunHead | undefined => head,
    /** Nothing of the run stays. */
    forget(): void {
      rows.forgetAll()
      head = undefined
    },
    plan(spec: RunSpec): void {
      commit(() => {
        rows.plan(spec, initialHead(spec))
        head = store([createdEvent(spec)], initialHead(spec), noReport)
      })
    },
    /** Carries a command out; the run must have been planned. */
    run(command: Command, report: Report, nowMs: number): RunEvent[] {
      return commit(() => {
        if (command.type === 'retry_failed' || command.type === 'requeue' || command.type === 'report') rows.restoreTrials()
        const events = decide(head!, rows.trials, command, nowMs)
        head = store(events, head!, report)
        return events
      })
    },
  }
}
export type LiveRun = ReturnType<typeof openLiveRun>
