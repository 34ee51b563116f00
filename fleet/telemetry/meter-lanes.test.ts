import { expect, test } from 'vitest'
import { renderPrometheus } from '#shared/telemetry/prometheus.ts'
import { createRegistry } from '#shared/telemetry/registry.ts'
import { createLanes, plainCall } from '../lanes/lanes.ts'
import { meterLanes } from './meter-lanes.ts'

test('[OBS4] what trials hold of the lanes, and how many wait there, is told as it is now', async () => {
  const registry = createRegistry(['bench_agent_lane_used', 'bench_agent_lane_waiting'])
  const lanes = createLanes({ calls: 2, sandbox: { cpus: 4, memory_mb: 8192 } })
  meterLanes({ ...registry, log: () => undefined }, lanes)
  const told = () =>
    renderPrometheus(registry.read())
      .split('\n')
      .filter((line) => line.startsWith('bench'))
  const never = new AbortController().signal
  const run = lanes.of('run')
  const release = await run.enter('sandbox', { cpus: 3, memory_mb: 1024 }, never)
  void run.enter('sandbox', { cpus: 2 }, never)
  await run.call('chutes', plainCall, never)
  expect(told()).toEqual([
    'bench_agent_lane_used{lane="model",unit="calls"} 1',
    'bench_agent_lane_used{lane="sandbox",unit="cpus"} 3',
    'bench_agent_lane_used{lane="sandbox",unit="memory_mb"} 1024',
    'bench_agent_lane_waiting{lane="model"} 0',
    'bench_agent_lane_waiting{lane="sandbox"} 1',
    'bench_agent_lane_waiting{lane="elsewhere"} 0',
  ])
  release()
  expect(told()).toContain('bench_agent_lane_used{lane="sandbox",unit="cpus"} 2')
  expect(told()).toContain('bench_agent_lane_waiting{lane="sandbox"} 0')
})
