import type { Telemetry } from '#shared/telemetry/telemetry.ts'

type Now = { connected: boolean; draining: boolean; slots: number; working: number }

/** Tells how an agent is, whenever somebody asks. */
export function meterAgent(telemetry: Telemetry, read: () => Now): void {
  const one = (value: number | boolean) => [{ labels: {}, value: Number(value) }]
  telemetry.watch('bench_agent_connected', () => one(read().connected))
  telemetry.watch('bench_agent_draining', () => one(read().draining))
  telemetry.watch('bench_agent_slots', () => one(read().slots))
  telemetry.watch('bench_agent_working', () => one(read().working))
}
