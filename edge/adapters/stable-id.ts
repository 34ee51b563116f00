import { sha256Hex } from '../auth/secret.ts'

/** A UUID (version 8) that depends on its parts only, for rows whose source has no id of its own: a later sync meets the same row. */
export async function stableId(...parts: string[]): Promise<string> {
  const hex = await sha256Hex(parts.join('\n'))
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `a${hex.slice(17, 20)}`, hex.slice(20, 32)].join('-')
}
