import { encodeOtlp } from '#shared/telemetry/otlp.ts'
import { pushOtlp } from '#shared/telemetry/push-otlp.ts'
import type { Deps } from './deps.ts'
import { edgeLog } from './edge-log.ts'
import { gatherMetrics } from './gather-metrics.ts'

const patienceMs = 10_000

/** Pushes what the service measures, where that is configured. Never throws; why it failed is in the log. */
export async function pushMetrics(deps: Pick<Deps, 'config' | 'fleet' | 'now' | 'fetch'>): Promise<void> {
  const { otlp, version } = deps.config
  if (!otlp) return
  try {
    const resource = { 'service.name': 'bench-service', 'service.version': version }
    // Its counters outlive every process, so nobody knows when they began.
    const body = encodeOtlp(await gatherMetrics(deps), resource, { startMs: null, nowMs: deps.now().getTime() })
    const why = await pushOtlp(otlp, body, (url, init) => deps.fetch(url, { ...init, signal: AbortSignal.timeout(patienceMs) }))
    if (why !== null) edgeLog('warn', `metrics could not be pushed (${why}); tried again at the next alarm of the clock`)
  } catch (error) {
    edgeLog('warn', 'metrics could not be gathered', { error })
  }
}
