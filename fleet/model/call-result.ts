import type { CallLimits } from '#shared/contract/limits.ts'
import type { StreamFacts } from '#shared/contract/stream.ts'
import type { Usage } from '#shared/contract/usage.ts'
import type { Answer } from './completion-reader.ts'
import type { ProviderFailure } from './provider-failure.ts'

/** Connect covers DNS, TCP and TLS; first-token and total run from the sent request; idle is silence after the first byte. Milliseconds. */
export type ModelTimeouts = { connectMs: number; firstTokenMs: number; idleMs: number; totalMs: number }

export const timeoutsOf = ({ connect_ms, first_token_ms, idle_ms, total_ms }: CallLimits): ModelTimeouts => ({
  connectMs: connect_ms,
  firstTokenMs: first_token_ms,
  idleMs: idle_ms,
  totalMs: total_ms,
})

/**
 * How one request ended. `usage` of a failure is null where the provider may have been at work and told nothing, and zero where it refused. `reset_at` is an ISO time, set only for `payment-required` where the provider names it; `stream` is how an answer that was
 * cut or stalled came in until then, absent where none had been waited for or begun.
 */
export type CallResult =
  | { ok: true; value: Answer }
  | {
      ok: false
      failure: ProviderFailure
      retry_after_ms: number | null
      reset_at: string | null
      usage: Usage | null
      stream?: StreamFacts | undefined
    }

/** The caller gave the call up; `usage` is what the provider had told until then, zero where nothing was sent yet, and else null. */
export class CallAborted extends Error {
  readonly usage: Usage | null
  constructor(usage: Usage | null, reason: unknown) {
    super('the call was given up', { cause: reason })
    this.name = 'CallAborted'
    this.usage = usage
  }
}
