import { clip, z95 } from './interval.ts'

/**
 * Wilson interval of a share `p` seen in `n` draws (reference F), at 95 % unless `quantile` says otherwise.
 * `factor` is the finite-population factor: it acts as a larger sample, n / factor². `n` need not be whole.
 */
export function wilson(p: number, n: number, factor = 1, quantile = z95): { low: number; high: number } {
  if (n <= 0) return { low: 0, high: 1 }
  if (factor === 0) return { low: p, high: p }
  const size = n / factor ** 2
  const z2 = quantile ** 2
  const centre = (p + z2 / (2 * size)) / (1 + z2 / size)
  const half = (quantile / (1 + z2 / size)) * Math.sqrt((p * (1 - p)) / size + z2 / (4 * size * size))
  return { low: clip(centre - half), high: clip(centre + half) }
}
