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

  const open = new Set<Tally>()
  telemetry.watch('bench_agent_calls_total', () => [...open].flatMap(callsOf))
  telemetry.watch('bench_agent_retries_total', () =>
    [...open].filter(({ retries }) => retries > 0).map(({ named, retries }) => ({ labels: named, value: retries })),
  )
  telemetry.watch('bench_agent_tokens_total', () => [...open].flatMap(tokensOf))

  return {
    open(named: Named, limiter: Limited): CallMeter {
      const user = users.get(limiter) ?? { named, count: 0 }
      user.count++
      users.set(limiter, user)
      const tally: Tally = { named, outcomes: new Map(), retries: 0, tokens: { input: 0, output: 0, cached: 0, reasoning: 0 } }
      open.add(tally)
      return {
        called(call) {
          add(tally, call)
          if (call.result === 'answer') telemetry.observe('bench_agent_call_seconds', named, call.latency_ms / 1000)
          if (call.ttft_ms !== null) telemetry.observe('bench_agent_first_token_seconds', named, call.ttft_ms / 1000)
        },
        close() {
          user.count--
          if (user.count === 0) users.delete(limiter)
          if (!open.delete(tally)) return
          for (const { labels, value } of callsOf(tally)) telemetry.count('bench_agent_calls_total', labels, value)
          if (tally.retries > 0) telemetry.count('bench_agent_retries_total', named, tally.retries)
          for (const { labels, value } of tokensOf(tally)) telemetry.count('bench_agent_tokens_total', labels, value)
        },
      }
    },
  }
}
export type CallMeters = ReturnType<typeof createCallMeters>

const kinds = ['input', 'output', 'cached', 'reasoning'] as const

/** What became of a run's calls to one model so far: summed here, for there may be thousands a second, and told when somebody asks. */
type Tally = {
  named: Named
  outcomes: Map<ModelCall['result'], number>
  retries: number
  tokens: Record<(typeof kinds)[number], number>
}

function add(tally: Tally, { attempt, result, usage }: ModelCall): void {
  tally.outcomes.set(result, (tally.outcomes.get(result) ?? 0) + 1)
  if (attempt > 1) tally.retries++
  if (!usage) return
  tally.tokens.input += usage.input_tokens
  tally.tokens.output += usage.output_tokens
  tally.tokens.cached += usage.cached_tokens
  tally.tokens.reasoning += usage.reasoning_tokens
}

const callsOf = ({ named, outcomes }: Tally) => [...outcomes].map(([outcome, value]) => ({ labels: { ...named, outcome }, value }))
const tokensOf = ({ named, tokens }: Tally) =>
  kinds.filter((kind) => tokens[kind] > 0).map((kind) => ({ labels: { ...named, kind }, value: tokens[kind] }))
