/** Longest wait a provider may impose, in milliseconds; absurd values are cut to it. */
export const longestWaitMs = 600_000

type Headers = Record<string, string | string[] | undefined>

/**
 * How long the provider asks to wait, in milliseconds, or null when it does not say or says nonsense. Reads `retry-after-ms`,
 * `x-ms-retry-after-ms` and `retry-after` (seconds or an HTTP date, RFC 9110 10.2.3). A date is measured against the response's own
 * `date` where there is one, because clocks differ; `wallMs` stands in otherwise.
 */
export function retryAfterMs(headers: Headers, wallMs: number): number | null {
  for (const name of ['retry-after-ms', 'x-ms-retry-after-ms']) {
    const ms = decimal(headers[name])
    if (ms !== null) return Math.min(ms, longestWaitMs)
  }
  const value = headers['retry-after']
  const seconds = decimal(value)
  if (seconds !== null) return Math.min(seconds * 1000, longestWaitMs)
  const at = dateMs(value)
  if (at === null) return null
  return Math.min(Math.max(0, at - (dateMs(headers.date) ?? wallMs)), longestWaitMs)
}

function decimal(value: string | string[] | undefined): number | null {
  return typeof value === 'string' && /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) : null
}

function dateMs(value: string | string[] | undefined): number | null {
  if (typeof value !== 'string' || !/[a-z]{3}/i.test(value)) return null
  const ms = Date.parse(value)
  return Number.isNaN(ms) ? null : ms
}
