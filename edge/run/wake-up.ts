import { leaseMs } from '#shared/run/lease.ts'
import type { AlarmPort } from './run-storage.ts'

/** The object's one alarm. It is re-armed before the work it wakes for, so that work which breaks off is woken for again. */
export function createWakeUp(storage: AlarmPort) {
  let at = Number.POSITIVE_INFINITY
  return {
    /** Wakes at this moment unless an earlier one is set already. */
    soonest(wakeMs: number | null): void {
      if (wakeMs === null || wakeMs >= at) return
      at = wakeMs
      void storage.setAlarm(wakeMs)
    },
    /** How much later than it was set to the alarm rings at this moment; 0 where that is forgotten. */
    lateMs: (nowMs: number): number => (at === Number.POSITIVE_INFINITY ? 0 : Math.max(0, nowMs - at)),
    async rearm(nowMs: number): Promise<void> {
      at = nowMs + leaseMs
      await storage.setAlarm(at)
    },
    /** Sets the next moment after the work is done; null means that nothing is left to wake for. */
    async settle(wakeMs: number | null): Promise<void> {
      at = wakeMs ?? Number.POSITIVE_INFINITY
      if (wakeMs === null) await storage.deleteAlarm()
      else await storage.setAlarm(at)
    },
  }
}
