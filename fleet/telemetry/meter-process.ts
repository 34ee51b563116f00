import { type Clock, every } from '#shared/run/clock.ts'
import type { Telemetry } from '#shared/telemetry/telemetry.ts'
import { processClock } from '../process-clock.ts'

const lookMs = 500

/** Tells how this process is (version, memory, processor time, how late its timers fire) until what it gives back is called. */
export function meterProcess(telemetry: Telemetry, version: string, clock: Clock = processClock): () => void {
  const startedS = Date.now() / 1000 - process.uptime()
  const gauges = [
    telemetry.watch('bench_agent_info', () => [{ labels: { version }, value: 1 }]),
    telemetry.watch('bench_agent_start_time_seconds', () => [{ labels: {}, value: startedS }]),
    telemetry.watch('bench_agent_memory_bytes', () => {
      const { rss, heapUsed, heapTotal, external } = process.memoryUsage()
      return [
        { labels: { kind: 'rss' }, value: rss },
        { labels: { kind: 'heap_used' }, value: heapUsed },
        { labels: { kind: 'heap_total' }, value: heapTotal },
        { labels: { kind: 'external' }, value: external },
      ]
    }),
    telemetry.watch('bench_agent_cpu_seconds_total', () => {
      const { user, system } = process.cpuUsage()
      return [{ labels: {}, value: (user + system) / 1e6 }]
    }),
  ]
  let dueMs = clock.now() + lookMs
  const stop = every(clock, lookMs, () => {
    const nowMs = clock.now()
    telemetry.observe('bench_agent_event_loop_lag_seconds', {}, Math.max(0, nowMs - dueMs) / 1000)
    dueMs = nowMs + lookMs
  })
  return () => {
    stop()
    for (const leave of gauges) leave()
  }
}
