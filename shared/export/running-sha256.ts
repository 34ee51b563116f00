/** A running SHA-256. Platforms bring faster ones than ours. */
export type RunningSha256 = { update(bytes: Uint8Array): unknown; digest(): Uint8Array }
export type OpenSha256 = () => RunningSha256
