import type { Telemetry } from '#shared/telemetry/telemetry.ts'
import type { AdaptiveLimiter } from '../model/adaptive-limiter.ts'
import type { ModelCall } from '../model/generate.ts'

type Named = { provider: string; model: string }
type Limited = Pick<AdaptiveLimiter, 'snapshot'>

/** What becomes of the calls to one model, until whoever asks it is done. */
export type CallMeter = { called(call: ModelCall): void; close(): void }

/** Meters for the clients of an agent. A limiter that several runs share is told once. */
export function createCallMeters(telemetry: Telemetry) {
  const users = new Map<Limited, { named: Named; count: number }>()
  const gauge = (read: (state: ReturnType<Limited['snapshot']>) => number) => () =>
    [...users].map(([limiter, { named }]) => ({ labels: named, value: read(limiter.snapshot()) }))
  telemetry.watch(
    'bench_agent_calls_in_flight',
    gauge(({ limiter }) => limiter.in_flight),
  )
  telemetry.watch(
    'bench_agent_calls_waiting',
    gauge(({ waiting }) => waiting),
  )
  telemetry.watch(
    'bench_agent_limiter_width',
    gauge(({ limiter }) => Math.floor(limiter.width)),
  )
  telemetry.watch(
    'bench_agent_circuits_open',
    gauge(({ breaker }) => (breaker.state === 'closed' ? 0 : 1)),
  )

  return {
    open(named: Named, limiter: Limited): CallMeter {
      const user = users.get(limiter) ?? { named, count: 0 }
      user.count++
      users.set(limiter, user)
      return {
        called: (call) => countCall(telemetry, named, call),
        close() {
          user.count--
          if (user.count === 0) users.delete(limiter)
        },
      }
    },
  }
}
export type CallMeters = ReturnType<typeof createCallMeters>

function countCall(telemetry: Telemetry, named: Named, { attempt, result, usage, latency_ms, ttft_ms }: ModelCall): void {
  telemetry.count('bench_agent_calls_total', { ...named, outcome: result })
  if (attempt > 1) telemetry.count('bench_agent_retries_total', named)
  if (result === 'answer') telemetry.observe('bench_agent_call_seconds', named, latency_ms / 1000)
  if (ttft_ms !== null) telemetry.observe('bench_agent_first_token_seconds', named, ttft_ms / 1000)
  if (!usage) return
  const { input_tokens: input, output_tokens: output, cached_tokens: cached, reasoning_tokens: reasoning } = usage
  for (const [kind, tokens] of Object.entries({ input, output, cached, reasoning }) as ['input', number][])
    telemetry.count('bench_agent_tokens_total', { ...named, kind }, tokens) // the kinds are the keys above
}
