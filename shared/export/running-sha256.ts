import { sha256 } from '@noble/hashes/sha2.js'

/** A running SHA-256. Platforms bring faster ones than ours. */
export type RunningSha256 = { update(bytes: Uint8Array): unknown; digest(): Uint8Array }
export type OpenSha256 = () => RunningSha256

/** The one that runs anywhere. */
export const openNoble: OpenSha256 = () => sha256.create()
