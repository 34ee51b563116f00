import type { ProviderDef } from '#shared/providers/provider-def.ts'
import type { CallResult } from './call-result.ts'
import type { Answer } from './completion-reader.ts'
import { providerFailure } from './provider-failure.ts'

/** An answer, or the failure that it is another model's: it would be scored under a name that it does not belong to. */
export function asAsked(value: Answer, asked: string, { isAnswerOf }: Pick<ProviderDef, 'isAnswerOf'>): CallResult {
  const { model_reported: reported, usage, usage_known } = value
  if (reported === null || isAnswerOf(asked, reported)) return { ok: true, value }
  const detail = `${asked} was asked, and ${reported.slice(0, 300)} answered: the server has another model in memory. Load ${asked} there, then resume the run.`
  const failure = providerFailure('not-found', detail, 200)
  return { ok: false, failure, retry_after_ms: null, reset_at: null, usage: usage_known ? usage : null }
}
