import { isTerminal, type RunHead } from '#shared/contract/run.ts'
import type { Clock } from '#shared/run/clock.ts'
import type { Log } from '#shared/telemetry/log.ts'
import { type RunProgress, sumsOf } from '#shared/telemetry/run-progress.ts'
import { createPaceMeter } from './pace-meter.ts'
import type { RunRows } from './run-rows.ts'

const everyMs = 10_000

type Told = Pick<RunProgress, 'status' | 'drain_lag_ms'> & { atMs: number }
type Ports = {
  clock: Pick<Clock, 'now'>
  rows: Pick<RunRows, 'spec' | 'paces' | 'savePaces'>
  tell(progress: RunProgress): Promise<void>
  log: Log
}

/**
 * Tells the fleet's object how a run goes: at once when its state changes or its last results have left, else at most every ten seconds. What
 * does not arrive is part of the next telling.
 */
export function createProgressTeller({ clock, rows, tell, log }: Ports) {
  const pace = createPaceMeter(rows)
  let told: Told | undefined
  let alarm_late_ms = 0
  return {
    saw: pace.saw,
    /** The alarm rang so much later than it was set to. */
    rang(lateMs: number): void {
      alarm_late_ms = Math.max(alarm_late_ms, lateMs)
    },
    look(head: RunHead, now: Pick<RunProgress, 'drain_lag_ms' | 'viewers'>): void {
      const { run_id, status } = head
      const { drain_lag_ms } = now
      const news = told?.status !== status || (drain_lag_ms === 0 && told.drain_lag_ms > 0)
      if (!news && (isTerminal(status) ? drain_lag_ms === 0 : false)) return // it has said its last
      if (told && !news && clock.now() < told.atMs + everyMs) return
      told = { status, drain_lag_ms, atMs: clock.now() }
      const progress = { run_id, status, sums: sumsOf(head), alarm_late_ms, ...now, work: pace.work(head, clock.now()) }
      alarm_late_ms = 0
      tell(progress).catch((error: unknown) => {
        told = undefined
        log('warn', 'how the run goes was not told, it is told again', { run_id, error })
      })
    },
  }
}
export type ProgressTeller = ReturnType<typeof createProgressTeller>
