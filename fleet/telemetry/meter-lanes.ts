import type { Telemetry } from '#shared/telemetry/telemetry.ts'
import type { AgentLanes, LaneName } from '../lanes/lanes.ts'

const units = ['calls', 'cpus', 'memory_mb', 'disk_mb'] as const

/** Tells what trials hold of an agent's lanes and how many wait there, whenever somebody asks. */
export function meterLanes(telemetry: Telemetry, lanes: Pick<AgentLanes, 'load'>): void {
  const states = () => Object.entries(lanes.load()) as [LaneName, ReturnType<AgentLanes['load']>[LaneName]][] // its keys are the lanes
  telemetry.watch('bench_agent_lane_used', () =>
    states().flatMap(([lane, { used }]) =>
      units.flatMap((unit) => (used[unit] === undefined ? [] : [{ labels: { lane, unit }, value: used[unit] }])),
    ),
  )
  telemetry.watch('bench_agent_lane_waiting', () => states().map(([lane, { waiting }]) => ({ labels: { lane }, value: waiting })))
}
