import type { Store, WrittenTrial } from '#db/store.ts'
import { isTerminal, type RunHead } from '#shared/contract/run.ts'
import type { Clock } from '#shared/run/clock.ts'
import type { Log } from '#shared/telemetry/log.ts'
import { measureRun } from './measure-run.ts'
import type { ResultRow } from './outbox-rows.ts'
import type { RunRows } from './run-rows.ts'

const batchRows = 500
const batchBytes = 1_000_000
const batchEvents = 200
const longestWaitMs = 30_000

/** The part of the record that a run leaves for. */
export type DrainStore = Pick<Store, 'drain' | 'listMetricRows' | 'saveMetrics'>

/**
 * Results, events and state leave for Postgres in idempotent batches; the watermark moves only after the database has answered. While it is
 * away everything waits here, and the wait between attempts doubles up to 30 s. The log gets one error for every trial that the record
 * holds with the same attempt but another result: the record keeps what it has, and somebody must look.
 * `beforeForgetting` is called when the object's own rows are about to go: who still reads them must have them now.
 */
export function createDrain(
  rows: RunRows,
  store: DrainStore,
  clock: Pick<Clock, 'now'>,
  log: Log,
  beforeForgetting: () => void = () => undefined,
) {
  let failures = 0
  let retryAt = 0
  let running = false
  let measured = false

  const nextBatch = () => {
    const mark = rows.watermark()
    const head = rows.head()!
    // Openings leave first: nobody must find a record in Postgres before what its prompt begins with.
    const openings = takeUpTo(batchBytes, rows.openings(mark.opening), (row) => row.text.length)
    const whole = (openings.at(-1)?.seq ?? mark.opening) === rows.lastOpening()
    const results = whole ? takeUpTo(batchBytes, rows.results(mark.result, batchRows), (row) => row.record.length) : []
    const events = rows.writtenEvents(mark.event, batchEvents)
    return { mark, head, openings, results, events }
  }
  const step = async (): Promise<boolean> => {
    const { mark, head, openings, results, events } = nextBatch()
    if (openings.length === 0 && results.length === 0 && events.length === 0 && mark.head === head.seq) return false
    const trials = results.map(toWritten)
    const { conflicts } = await store.drain({ run_id: head.run_id, openings, trials, events, head: measured ? head : stillOpen(head) })
    for (const trial of conflicts)
      log('error', `the record has another result for ${trial} under the same attempt`, { run_id: head.run_id, trial })
    rows.saveWatermark({
      result: results.at(-1)?.seq ?? mark.result,
      event: events.at(-1)?.id ?? mark.event,
      opening: openings.at(-1)?.seq ?? mark.opening,
      head: head.seq,
    })
    return true
  }
  /** Once ended and drained: final metrics are computed from the record, its state says that it is whole, and the object gives its storage back. */
  const finish = async (): Promise<void> => {
    const head = rows.head()!
    if (!isTerminal(head.status) || measured) return
    await measureRun(store, rows.spec()!)
    await store.drain({ run_id: head.run_id, openings: [], trials: [], events: [], head })
    if (rows.head()!.seq !== head.seq) return // something happened meanwhile and has not left yet
    measured = true
    beforeForgetting()
    rows.giveBack()
  }
  const pending = (): boolean => {
    const mark = rows.watermark()
    const head = rows.head()
    if (!head) return false
    if (!isTerminal(head.status)) measured = false
    return (
      mark.head !== head.seq ||
      mark.result < rows.lastResult() ||
      mark.opening < rows.lastOpening() ||
      (isTerminal(head.status) && !measured)
    )
  }

  return {
    pending,
    /** How long the oldest of what is here has waited to leave, in ms; 0 where all has left. */
    waitedMs(): number {
      if (!pending()) return 0
      const since = rows.events(rows.watermark().event, 1)[0]?.created_at ?? rows.head()?.completed_at
      return since ? Math.max(1, clock.now() - Date.parse(since)) : 0
    },
    /** Whether a batch is on its way now. */
    isUnderWay: () => running,
    /** Earliest moment at which another attempt makes sense after a failed one. */
    retryAt: () => retryAt,
    /**
     * Drains what is there, at most for about `withinMs`: while results keep coming there is no end to it, and whoever waits for it must look
     * after leases meanwhile. True when it broke off for that with more to do.
     */
    async run(withinMs = Number.POSITIVE_INFINITY): Promise<boolean> {
      const startedMs = clock.now()
      if (running || startedMs < retryAt) return false
      running = true
      try {
        while (await step()) {
          failures = 0
          if (clock.now() - startedMs >= withinMs) return true
        }
        await finish()
        failures = 0
        return false
      } catch (error) {
        failures++
        retryAt = clock.now() + Math.min(longestWaitMs, 250 * 2 ** failures)
        log('warn', 'drain waits for the database', { run_id: rows.head()?.run_id, error })
        return false
      } finally {
        running = false
      }
    },
  }
}

/** Rows from the beginning, at least one, as long as their sizes sum up to at most `most`. */
function takeUpTo<T>(most: number, rows: Iterable<T>, sizeOf: (row: T) => number): T[] {
  const taken: T[] = []
  let size = 0
  for (const row of rows) {
    size += sizeOf(row)
    if (taken.length > 0 && size > most) break
    taken.push(row)
  }
  return taken
}

const toWritten = ({ record, parsed, finished_at, event_id }: ResultRow): WrittenTrial => ({
  ...{ text: record, finished_at, seq: event_id },
  ...(parsed && { packed: parsed }),
})

/** The record calls a run ended only when all of it has arrived: exports and replays rest on that. */
function stillOpen(head: RunHead): RunHead {
  return isTerminal(head.status) ? { ...head, status: 'running', completed_at: null } : head
}

export type Drain = ReturnType<typeof createDrain>
