import type { RunSpec } from '#shared/contract/run.ts'
import type { Log } from '#shared/telemetry/log.ts'
import type { Notes } from './notes.ts'

const everyMs = 30_000
/** With no run open, and nobody new: a creation that was cut is found within the hour, and the database sleeps. */
const idleEveryMs = 60 * 60_000

export type ReconcilePorts = {
  /** What the record holds as open; undefined while it is away. */
  listOpen(): Promise<readonly RunSpec[] | undefined>
  /** Makes sure that the run's object has its plan, and lets it say where it stands. */
  plan(spec: RunSpec): Promise<void>
  /** The runs that the fleet takes for open. */
  held(): Iterable<string>
  /** Lets a run say where it stands. */
  ask(run_id: string): Promise<void>
  log: Log
}

/** A run that could not be planned: how often in a row, and when it is tried again. */
type Unplanned = { times: number; retry_ms: number }

/**
 * Looks up what the record holds as open: runs whose creation was cut between the record and their object are planned, the others say again
 * where they stand. So does a run that the fleet holds and the record does not: its word that it has ended may have been lost, and agents
 * would be sent to it for ever. A run that cannot be planned is tried again after half a minute, then ever more rarely, at least once in an hour; it
 * keeps no other waiting. What is kept in notes outlives the object's sleep.
 */
export function createReconciler(notes: Notes, { listOpen, plan, held, ask, log }: ReconcilePorts) {
  let askedMs = Number.NEGATIVE_INFINITY
  const unplanned = (): Record<string, Unplanned> => JSON.parse(notes.find('unplanned')?.text ?? '{}') // written below
  const isDue = (idle: boolean, nowMs: number): boolean => {
    if (nowMs < askedMs + everyMs) return false // the record may be away: it is not asked at every heartbeat
    const before = notes.find('reconciled')?.at_ms ?? Number.NEGATIVE_INFINITY
    if (nowMs >= before + (idle ? idleEveryMs : everyMs)) return true
    return nowMs >= before + everyMs && Object.values(unplanned()).some(({ retry_ms }) => retry_ms <= nowMs)
  }
  /** The run as it is noted when it cannot be planned; undefined once it can. */
  const tried = async (spec: RunSpec, before: Unplanned | undefined, nowMs: number): Promise<Unplanned | undefined> => {
    if (before && nowMs < before.retry_ms) return before
    try {
      await plan(spec)
      return undefined
    } catch (error) {
      const times = (before?.times ?? 0) + 1
      const waitMs = Math.min(idleEveryMs, everyMs * 2 ** (times - 1))
      log('warn', `run not reconciled, tried again in ${waitMs / 1000} s`, { run_id: spec.run_id, error })
      return { times, retry_ms: nowMs + waitMs }
    }
  }
  return {
    /** Asks the record when it is time to; `idle`: no run is open, and nobody has come. */
    async look(idle: boolean, nowMs: number): Promise<void> {
      if (!isDue(idle, nowMs)) return
      askedMs = nowMs
      const open = await listOpen()
      if (!open) return
      notes.keep('reconciled', '', nowMs)
      const before = unplanned()
      const after: Record<string, Unplanned> = {}
      for (const spec of open) {
        const failed = await tried(spec, before[spec.run_id], nowMs)
        if (failed) after[spec.run_id] = failed
      }
      const recorded = new Set<string>(open.map(({ run_id }) => run_id))
      for (const run_id of [...held()].filter((each) => !recorded.has(each)))
        await ask(run_id).catch((error: unknown) => log('warn', 'run not asked where it stands, tried again', { run_id, error }))
      if (JSON.stringify(after) !== JSON.stringify(before)) notes.keep('unplanned', JSON.stringify(after), nowMs)
    },
  }
}
export type Reconciler = ReturnType<typeof createReconciler>
