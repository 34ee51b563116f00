import { type Clock, every } from '#shared/run/clock.ts'
import type { Log } from '#shared/telemetry/log.ts'
import { encodeOtlp, type OtlpResource } from '#shared/telemetry/otlp.ts'
import type { OtlpTarget } from '#shared/telemetry/otlp-target.ts'
import { type Post, pushOtlp } from '#shared/telemetry/push-otlp.ts'
import type { Registry } from '#shared/telemetry/registry.ts'
import { processClock } from '../process-clock.ts'

const patienceMs = 10_000
/** An agent that ends waits so long at most for its last push. */
const lastMs = 3000

type Options = {
  target: OtlpTarget
  registry: Pick<Registry, 'read'>
  resource: OtlpResource
  startMs: number
  log: Log
  clock?: Clock
  now?: () => number
  post?: Post
}

/**
 * Pushes an agent's metrics at an interval, and once more when it ends. Only one push is under way at a time; one that fails is said once, until
 * one has got through again, and disturbs nothing: sums are whole in the next.
 */
export function createMetricPusher(options: Options) {
  const { target, registry, resource, startMs, log, clock = processClock, now = Date.now } = options
  let failing = false
  let under_way = false
  const push = async (withinMs: number): Promise<void> => {
    if (under_way) return
    under_way = true
    const post: Post = options.post ?? ((url, init) => fetch(url, { ...init, signal: AbortSignal.timeout(withinMs) }))
    const why = await pushOtlp(target, encodeOtlp(registry.read(), resource, { startMs, nowMs: now() }), post)
    under_way = false
    if (why !== null && !failing)
      log('warn', `metrics could not be pushed to ${target.url} (${why}); tried again every ${target.intervalMs / 1000} s`)
    if (why === null && failing) log('info', `metrics are pushed to ${target.url} again`)
    failing = why !== null
  }
  const stop = every(clock, target.intervalMs, () => void push(patienceMs))
  return {
    /** Stops, after a last push. */
    async close(): Promise<void> {
      stop()
      await push(lastMs)
    },
  }
}
