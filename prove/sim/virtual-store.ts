import { DatabaseAway, type DrainBatch, type Store, type StoredTrial, type WrittenTrial } from '#db/store.ts'
import type { StreamedEvent } from '#shared/contract/event.ts'
import type { RunHead, RunSpec } from '#shared/contract/run.ts'
import { createPacker } from '#shared/run/openings.ts'
import { readEvent } from '#shared/run/packed-event.ts'

type Row = { ordinal: number; attempt: number; text: string }
type Recorded = {
  spec: RunSpec
  head: RunHead
  trials: Map<string, Row>
  events: Map<number, StreamedEvent>
  openings: Map<string, string>
}

/** How the way to the database is: each question gets what `ask` makes of it, which may be late, or lose question or answer. */
export type StoreWeather = { ask<T>(work: () => T): Promise<T> }

/** The part of a store that a run and the fleet use. */
export type RunStore = Pick<
  Store,
  'createRun' | 'findRun' | 'listOpenRuns' | 'findCredential' | 'useProviderKey' | 'drain' | 'listMetricRows' | 'saveMetrics' | 'saveAgent'
>

const pack = createPacker()

/** A record's text with its identity, whether it comes as text or not. */
function rowOf(trial: StoredTrial | WrittenTrial): Row & { key: string } {
  const record = 'text' in trial ? (JSON.parse(trial.text) as StoredTrial['record']) : trial.record
  const text = 'text' in trial ? trial.text : JSON.stringify(pack(trial.record).record)
  return { key: `${record.benchmark}/${record.item_id}:${record.epoch}`, ordinal: record.ordinal, attempt: record.attempt, text }
}

/**
 * The record in memory, with the promises of the database's own queries: idempotent batches, a higher attempt replaces a lower one, another
 * result under the same attempt is a conflict, an older state never replaces a newer one, nor an open one the end of the same number, an unknown run
 * takes nothing.
 */
export function createVirtualStore({ ask }: StoreWeather) {
  const runs = new Map<string, Recorded>()
  let rows = 0
  const known = (run_id: string): Recorded => {
    const run = runs.get(run_id)
    if (!run) throw new Error(`run ${run_id} is not in the record: nothing of the batch was written`)
    return run
  }
  const drain = ({ run_id, openings, trials, events, head }: DrainBatch) => {
    const run = known(run_id)
    for (const { sha256, text } of openings) if (!run.openings.has(sha256)) run.openings.set(sha256, text)
    const newest = new Map<string, ReturnType<typeof rowOf>>()
    for (const row of trials.map(rowOf)) if (!newest.has(row.key) || newest.get(row.key)!.attempt < row.attempt) newest.set(row.key, row)
    const conflicts: string[] = []
    let written = 0
    for (const [key, row] of newest) {
      const stored = run.trials.get(key)
      if (stored?.attempt === row.attempt && stored.text !== row.text) conflicts.push(key)
      if (stored && stored.attempt >= row.attempt) continue
      run.trials.set(key, row)
      written++
      if (!stored) rows++
    }
    for (const event of events.map(readEvent)) if (!run.events.has(event.id)) run.events.set(event.id, event)
    const open = run.head.completed_at === null
    if (run.head.seq < head.seq || (run.head.seq === head.seq && open)) run.head = head
    return { written, conflicts }
  }
  const store: RunStore = {
    createRun: (spec, head) =>
      ask(() => void runs.set(spec.run_id, { spec, head, trials: new Map(), events: new Map(), openings: new Map() })),
    findRun: (run_id) =>
      ask(() => {
        const run = runs.get(run_id)
        return run && { spec: run.spec, head: run.head, metrics: {}, updated_at: run.spec.created_at }
      }),
    listOpenRuns: () =>
      ask(() =>
        [...runs.values()]
          .filter(({ head }) => head.completed_at === null)
          .map(({ spec, head }) => ({ spec, head, metrics: {}, updated_at: spec.created_at })),
      ),
    findCredential: () => ask(() => undefined),
    useProviderKey: () => ask(() => undefined),
    drain: (batch) => ask(() => drain(batch)),
    listMetricRows: () => ask(() => []),
    saveMetrics: () => ask(() => undefined),
    saveAgent: () => ask(() => undefined),
  }
  return { store, runs, rows: () => rows }
}
export type VirtualStore = ReturnType<typeof createVirtualStore>

/** A database that answers at once. */
export const clear: StoreWeather = { ask: async (work) => work() }

/** The error of a question that got no answer. */
export const noAnswer = (): DatabaseAway => new DatabaseAway('the database does not answer')
