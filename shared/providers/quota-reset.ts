import type { Fields } from './provider-def.ts'

/** When Chutes fills a quota again: `detail.quota_reset_timestamp`, an ISO time or Unix seconds or milliseconds, as an ISO time. */
export function quotaResetAt(body: Fields | null): string | null {
  const detail = body?.detail
  if (typeof detail !== 'object' || detail === null) return null
  const { quota_reset_timestamp: stamp } = detail as Fields // checked above: an object
  const seconds = typeof stamp === 'number' ? stamp : typeof stamp === 'string' && /^\d+(\.\d+)?$/.test(stamp) ? Number(stamp) : null
  const ms = seconds === null ? (typeof stamp === 'string' ? Date.parse(stamp) : Number.NaN) : seconds > 1e11 ? seconds : seconds * 1000
  return Number.isFinite(ms) && Math.abs(ms) < 8.64e15 ? new Date(ms).toISOString() : null
}
