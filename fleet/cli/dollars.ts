import { UsageError } from './io.ts'

/** Dollars as typed, or `none` for no limit. */
export function dollars(text: string, name = 'USD'): number | null {
  if (text === 'none') return null
  const usd = Number(text)
  if (!/^\d*\.?\d+$/.test(text) || !Number.isFinite(usd)) throw new UsageError(`${name}: must be an amount in dollars, or "none".`)
  return usd
}
