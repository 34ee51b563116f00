import type { Telemetry } from '#shared/telemetry/telemetry.ts'
import type { Coordinator } from '../coordinator/port.ts'

/** The same coordinator, which counts what becomes of trials; its backlog is told until it is closed. */
export function meterCoordinator(coordinator: Coordinator, telemetry: Telemetry): Coordinator {
  const ended = (outcome: 'right' | 'wrong' | 'failed' | 'given-up' | 'released', by = 1): void =>
    telemetry.count('bench_agent_trials_total', { outcome }, by)
  const gauges = [
    telemetry.watch('bench_agent_runs', () => [{ labels: {}, value: 1 }]),
    telemetry.watch('bench_agent_backlog', () => [{ labels: {}, value: coordinator.backlog() }]),
  ]
  return {
    ...coordinator,
    // Named one by one: what a coordinator calls of its own is not counted twice.
    report(record) {
      ended(record.outcome)
      const { failure } = record
      if (failure) telemetry.count('bench_agent_failures_total', { at: failure.at, reason: failure.reason })
      coordinator.report(record)
    },
    giveUp(record) {
      ended('given-up')
      coordinator.giveUp(record)
    },
    release(leases) {
      ended('released', leases.length)
      coordinator.release(leases)
    },
    halt(failure, until) {
      telemetry.count('bench_agent_halts_total', {})
      coordinator.halt(failure, until)
    },
    async close() {
      for (const leave of gauges) leave()
      await coordinator.close()
    },
  }
}
