/** Parameters of the distribution that items' probabilities of a right answer are drawn from. */
export type Beta = readonly [a: number, b: number]

const steps = 1 << 18
const quantiles = 1 << 14

/** Quantiles of a beta distribution at the middles of equal steps: a uniform index into them draws from it, up to a step of 1/16,384. */
export function betaQuantiles([a, b]: Beta): Float64Array {
  const below = new Float64Array(steps + 1)
  for (let i = 0; i < steps; i++) {
    const x = (i + 0.5) / steps
    below[i + 1] = below[i]! + x ** (a - 1) * (1 - x) ** (b - 1)
  }
  const found = new Float64Array(quantiles)
  let step = 0
  for (let i = 0; i < quantiles; i++) {
    const share = ((i + 0.5) / quantiles) * below[steps]!
    while (below[step + 1]! < share) step++
    found[i] = (step + (share - below[step]!) / (below[step + 1]! - below[step]!)) / steps
  }
  return found
}
