import { isTerminal, type RunHead } from '#shared/contract/run.ts'
import type { Clock } from '#shared/run/clock.ts'
import { leaseMs } from '#shared/run/lease.ts'
import type { MatchRun } from '#shared/run/match/fleet.ts'
import { matchRunOf } from '#shared/run/match/match-run.ts'
import { drainDelayMs } from '#shared/run/wake.ts'
import type { Log } from '#shared/telemetry/log.ts'
import type { FleetWord, RunRows } from './run-rows.ts'

const longestWaitMs = 30_000

const wordOf = ({ status }: RunHead): FleetWord => (isTerminal(status) ? 'ended' : 'open')

/**
 * Tells the fleet where a run stands until it has heard: it sends agents to a run that it takes for open, and to no other. The word it heard
 * last is kept with the run's state, so that an object which was killed before it could say the next one says it after all. While the fleet
 * is away the wait between tries doubles up to 30 s.
 */
export function createFleetTeller(
  rows: Pick<RunRows, 'head' | 'spec' | 'told' | 'saveTold'>,
  update: (run: MatchRun, ended: boolean) => Promise<void>,
  clock: Pick<Clock, 'now'>,
  log: Log,
) {
  let underWay = 0
  let failures = 0
  let retryAt = 0
  /** An imported run is no work: the fleet never hears of it. */
  const isWork = (): boolean => rows.spec()!.imported === undefined
  const isOwed = (): boolean => isWork() && (failures > 0 || rows.told() !== wordOf(rows.head()!))

  return {
    /** Whether something is to be told at this moment. */
    isDue: (nowMs: number): boolean => isOwed() && underWay === 0 && nowMs >= retryAt,
    /** When it is to be told if nobody does before; null where the fleet has heard all. An answer that is lost with the object's memory is not waited for. */
    dueMs(nowMs: number): number | null {
      if (!isOwed()) return null
      return underWay > 0 ? nowMs + leaseMs : Math.max(nowMs + drainDelayMs, retryAt)
    },
    /** Never throws. */
    async tell(): Promise<void> {
      if (!isWork()) return
      const head = rows.head()!
      const word = wordOf(head)
      underWay++
      try {
        await update(matchRunOf(rows.spec()!, head), word === 'ended')
        failures = 0
        // What was said on the way after this one stands in its own right.
        if (wordOf(rows.head()!) === word && rows.told() !== word) rows.saveTold(word)
      } catch (error) {
        failures++
        retryAt = clock.now() + Math.min(longestWaitMs, 250 * 2 ** failures)
        log('warn', 'the fleet was not told where a run stands, it is told again', { run_id: head.run_id, error })
      } finally {
        underWay--
      }
    },
  }
}
export type FleetTeller = ReturnType<typeof createFleetTeller>
