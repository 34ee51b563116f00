import { expect, test } from 'vitest'
import { agentMetrics } from '#shared/telemetry/agent-metrics.ts'
import { namesOf } from '#shared/telemetry/metrics.ts'
import { renderPrometheus } from '#shared/telemetry/prometheus.ts'
import { createRegistry } from '#shared/telemetry/registry.ts'
import { meterProcess } from './meter-process.ts'

test('[OBS4] how late the timers of a process fire is measured against when they should have', () => {
  const registry = createRegistry(namesOf(agentMetrics))
  let nowMs = 1000
  const timers = new Set<{ run(): void }>()
  const clock = {
    now: () => nowMs,
    after(_ms: number, run: () => void) {
      const timer = { run }
      timers.add(timer)
      return () => void timers.delete(timer)
    },
  }
  const stop = meterProcess({ ...registry, log: () => undefined }, '0.1.0', clock)
  for (const lateMs of [0, 30, 700]) {
    nowMs += 500 + lateMs
    const [timer] = timers
    timers.clear()
    timer!.run()
  }
  const told = renderPrometheus(registry.read())
  expect(told).toMatch(/^bench_agent_event_loop_lag_seconds_bucket\{le="0.001"\} 1$/m)
  expect(told).toMatch(/^bench_agent_event_loop_lag_seconds_bucket\{le="0.05"\} 2$/m)
  expect(told).toMatch(/^bench_agent_event_loop_lag_seconds_bucket\{le="1"\} 3$/m)
  expect(told).toMatch(/^bench_agent_event_loop_lag_seconds_sum 0.73$/m)
  expect(told).toMatch(/^bench_agent_cpu_seconds_total \d/m)
  stop()
  expect(timers.size).toBe(0)
  expect(renderPrometheus(registry.read())).not.toContain('bench_agent_info')
})
