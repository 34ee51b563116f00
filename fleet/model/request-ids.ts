import type { ProviderFailure } from './provider-failure.ts'

const longestId = 200

/** The headers of a response by which its provider knows the request, without secrets and cut; null where there is none. */
export function idsIn(
  headers: Record<string, string | string[] | undefined>,
  names: readonly string[],
  redact: (text: string) => string,
): Record<string, string> | null {
  const ids = names.flatMap((name) => {
    const value = headers[name]
    return typeof value === 'string' && value !== '' ? [[name, redact(value).slice(0, longestId)] as const] : []
  })
  return ids.length === 0 ? null : Object.fromEntries(ids)
}

/** The failure with what its provider knows the request by behind its words: whoever asks there needs it. */
export function knownBy(failure: ProviderFailure, ids: Record<string, string> | null): ProviderFailure {
  if (!ids) return failure
  const told = Object.entries(ids).map(([name, id]) => `${name}: ${id}`)
  return { ...failure, detail: `${failure.detail} (${told.join(', ')})` }
}
