import type { Estimate } from '#shared/contract/api.ts'

/** `72.4 % ± 1.3`, or `–` while nothing is scored. The half width is that of the 95 % interval. */
export function score(estimate: Pick<Estimate, 'value' | 'low' | 'high'>): string {
  const { value, low, high } = estimate
  if (value === null) return '–'
  const half = low !== null && high !== null ? ` ± ${((high - low) * 50).toFixed(1)}` : ''
  return `${(value * 100).toFixed(1)} %${half}`
}

export function cost(usd: number | null): string {
  if (usd === null) return '–'
  return `$${usd.toFixed(usd < 1 ? 4 : 2)}`
}

/** `1 h 02 min`, `3 min 20 s`, `12 s`. */
export function duration(ms: number): string {
  const s = Math.round(ms / 1000)
  if (s < 60) return `${s} s`
  if (s < 3600) return `${Math.floor(s / 60)} min ${String(s % 60).padStart(2, '0')} s`
  return `${Math.floor(s / 3600)} h ${String(Math.floor((s % 3600) / 60)).padStart(2, '0')} min`
}

export function count(n: number): string {
  return n.toLocaleString('en-US')
}
