/** Admits at most `perSecond` requests in any second for each key; says in milliseconds how long a refused one must wait. */
export function createRateWindow(perSecond: number): (key: string, nowMs: number) => number {
  const rings = new Map<string, { at: Float64Array; next: number }>()
  return (key, nowMs) => {
    let ring = rings.get(key)
    if (!ring) {
      ring = { at: new Float64Array(perSecond).fill(Number.NEGATIVE_INFINITY), next: 0 }
      rings.set(key, ring)
    }
    const oldest = ring.at[ring.next] ?? Number.NEGATIVE_INFINITY
    if (nowMs - oldest < 1000) return 1000 - (nowMs - oldest)
    ring.at[ring.next] = nowMs
    ring.next = (ring.next + 1) % perSecond
    return 0
  }
}

export const retryAfterForms = ['seconds', 'date', 'ms', 'none', 'absurd'] as const
export type RetryAfterForm = (typeof retryAfterForms)[number]

/** The header with which a provider of this form asks to wait. */
export function retryAfterHeader(form: RetryAfterForm, waitMs: number): Record<string, string> {
  if (form === 'seconds') return { 'retry-after': String(Math.ceil(waitMs / 1000)) }
  if (form === 'date') return { 'retry-after': new Date(Math.ceil((Date.now() + waitMs) / 1000) * 1000).toUTCString() }
  if (form === 'ms') return { 'retry-after-ms': String(Math.ceil(waitMs)) }
  return form === 'absurd' ? { 'retry-after': '1000000000' } : {}
}
