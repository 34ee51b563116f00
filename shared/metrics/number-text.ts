const none = '–'
const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })

/** `12,032`. */
export function count(value: number | null | undefined): string {
  return value === null || value === undefined ? none : whole.format(value)
}

/** The length of a list: `12,032`, or `more than 1,000` where a search has found one more and counted no further. */
export function lengthText({ total, total_is }: { total: number; total_is: 'exact' | 'at-least' }): string {
  return total_is === 'exact' ? count(total) : `more than ${count(total - 1)}`
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

/** Short times too: `0.31 ms`, `4.2 ms`, then as `duration`. */
export function milliseconds(ms: number): string {
  if (ms === 0 || ms >= 9.95) return duration(ms)
  return `${ms.toFixed(ms < 0.995 ? 2 : 1)} ms`
}

/** A size as people read it: `812 B`, `4.2 KiB`, `60.0 MiB`. */
export function bytesText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  return bytes < 2 ** 20 ? `${(bytes / 1024).toFixed(1)} KiB` : `${(bytes / 2 ** 20).toFixed(1)} MiB`
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
