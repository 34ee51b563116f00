import type { Failure } from '#shared/contract/failure.ts'
import { createRedactor } from '#shared/secrets/redactor.ts'

type Failed = { ok: false; failure: Failure }

/** The failure with no secret in its words: servers of data sets quote what they were sent. */
export function withoutSecrets({ failure }: Failed, secrets: readonly (string | null)[]): Failed {
  const redact = createRedactor(secrets.filter((secret) => secret !== null))
  return { ok: false, failure: { ...failure, detail: redact(failure.detail) } }
}
