const none = '–'
const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })

/** `72.4 %`; one decimal unless told otherwise. */
export function percent(share: number | null | undefined, digits = 1): string {
  return share === null || share === undefined ? none : `${(share * 100).toFixed(digits)} %`
}

/** `12,032`. */
export function count(value: number | null | undefined): string {
  return value === null || value === undefined ? none : whole.format(value)
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
  return whole.format(value)
}

/** US dollars with as many digits as mean something: `$0.0042`, `$0.31`, `$1,204`. */
export function usd(value: number | null | undefined): string {
  if (value === null || value === undefined) return 'price unknown'
  if (value === 0) return '$0'
  if (value >= 1000) return `$${whole.format(value)}`
  if (value >= 0.1) return `$${value.toFixed(2)}`
  return value < 0.0001 ? '< $0.0001' : `$${value.toPrecision(2)}`
}

/** Milliseconds as people read them: `840 ms`, `3.2 s`, `2 min 05 s`, `1 h 12 min`. */
export function duration(ms: number | null | undefined): string {
  if (ms === null || ms === undefined || !Number.isFinite(ms)) return none
  if (ms < 1000) return `${Math.round(ms)} ms`
  const seconds = ms / 1000
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`
  if (seconds < 59.5) return `${Math.round(seconds)} s`
  const total = Math.round(seconds)
  if (total < 3600) return `${Math.floor(total / 60)} min ${String(total % 60).padStart(2, '0')} s`
  const hours = Math.floor(total / 3600)
  if (hours < 48) return `${hours} h ${String(Math.floor((total % 3600) / 60)).padStart(2, '0')} min`
  return `${Math.floor(hours / 24)} d ${hours % 24} h`
}

/** How long ago: `just now`, `5 min ago`, `3 h ago`, `12 d ago`. */
export function age(iso: string, nowMs: number): string {
  const seconds = Math.max(0, (nowMs - Date.parse(iso)) / 1000)
  if (seconds < 45) return 'just now'
  if (seconds < 3570) return `${Math.max(1, Math.round(seconds / 60))} min ago`
  if (seconds < 86_400 * 2) return `${Math.round(seconds / 3600)} h ago`
  return `${Math.round(seconds / 86_400)} d ago`
}

/** A moment with its zone: `2026-11-21 22:16:04 UTC`. The same on server and browser. */
export function moment(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`
}

/** Dollars per million tokens, in and out: `$0.15 in · $0.60 out / M`. */
export function priceText(price: { input_per_million_usd: number; output_per_million_usd: number } | null): string {
  if (!price) return 'price unknown'
  return `${usd(price.input_per_million_usd)} in · ${usd(price.output_per_million_usd)} out / M`
}
