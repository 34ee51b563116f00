import { ProxyError } from './proxy/tunnel.ts'

/** Why a fetch failed, in a word or two: the system's code, else what fetch itself says of it. */
export function fetchReason(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const cause = error.cause as NodeJS.ErrnoException | undefined // as fetch rejects
  if (cause instanceof ProxyError) return cause.message
  return cause?.code ?? cause?.message ?? error.message
}
