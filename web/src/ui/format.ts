import { count } from '#shared/metrics/number-text.ts'

export { bytesText, count, duration, lengthText, moment, priceText, usd } from '#shared/metrics/number-text.ts'

const none = '–'

/** `72.4 %`; one decimal unless told otherwise. */
export function percent(share: number | null | undefined, digits = 1): string {
  return share === null || share === undefined ? none : `${(share * 100).toFixed(digits)} %`
}

/** Tokens or trials in short: `950`, `12.3 k`, `4.56 M`. */
export function short(value: number | null | undefined): string {
  if (value === null || value === undefined) return none
  for (const [size, unit] of [
    [1e9, 'G'],
    [1e6, 'M'],
    [1e3, 'k'],
  ] as const) {
    if (value >= size * 0.99995) return `${(value / size).toPrecision(3)} ${unit}`
  }
  return count(value)
}

/** How long ago: `just now`, `5 min ago`, `3 h ago`, `12 d ago`. */
export function age(iso: string, nowMs: number): string {
  const seconds = Math.max(0, (nowMs - Date.parse(iso)) / 1000)
  if (seconds < 45) return 'just now'
  if (seconds < 3570) return `${Math.max(1, Math.round(seconds / 60))} min ago`
  if (seconds < 86_400 * 2) return `${Math.round(seconds / 3600)} h ago`
  return `${Math.round(seconds / 86_400)} d ago`
}
