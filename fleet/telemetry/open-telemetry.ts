import { agentMetrics } from '#shared/telemetry/agent-metrics.ts'
import type { Log } from '#shared/telemetry/log.ts'
import { namesOf } from '#shared/telemetry/metrics.ts'
import type { OtlpTarget } from '#shared/telemetry/otlp-target.ts'
import { renderPrometheus } from '#shared/telemetry/prometheus.ts'
import { createRegistry } from '#shared/telemetry/registry.ts'
import type { Telemetry } from '#shared/telemetry/telemetry.ts'
import { meterProcess } from './meter-process.ts'
import { createMetricPusher } from './metric-pusher.ts'
import { type MetricsAddress, type MetricsPages, serveMetrics } from './serve-metrics.ts'

export type TelemetryOptions = {
  log: Log
  agentId: string
  version: string
  /** Where metrics are served, and where they are pushed; neither unless named. */
  address: MetricsAddress | undefined
  target: OtlpTarget | null
  health: MetricsPages['health']
}

/** What an agent measures of itself, shown and pushed where that is asked for until it is closed. */
export async function openTelemetry(options: TelemetryOptions): Promise<{ telemetry: Telemetry; close(): Promise<void> }> {
  const { log, agentId, version, address, target, health } = options
  const registry = createRegistry(namesOf(agentMetrics))
  const telemetry = { ...registry, log }
  const stopMeter = meterProcess(telemetry, version)
  const closeServer = await openServer(address, { metrics: () => renderPrometheus(registry.read()), health }, log)
  const resource = { 'service.name': 'bench-agent', 'service.version': version, 'service.instance.id': agentId }
  const pusher = target && createMetricPusher({ target, registry, resource, startMs: Date.now() - process.uptime() * 1000, log })
  return {
    telemetry,
    async close() {
      await pusher?.close()
      stopMeter()
      closeServer()
    },
  }
}

/** An address that cannot be had is said, and the agent works on: nothing depends on being watched. */
async function openServer(address: MetricsAddress | undefined, pages: MetricsPages, log: Log): Promise<() => void> {
  if (!address) return () => undefined
  try {
    const { url, close } = await serveMetrics(address, pages)
    log('info', `metrics at ${url}/metrics`)
    return close
  } catch (error) {
    log('error', `metrics cannot be served at ${address.host}:${address.port}`, { error })
    return () => undefined
  }
}
