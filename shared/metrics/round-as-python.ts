/** Halves go to the even neighbour: `numpy.rint`. */
function rint(value: number): number {
  const below = Math.floor(value)
  const rest = value - below
  if (rest !== 0.5) return rest < 0.5 ? below : below + 1
  return below % 2 === 0 ? below : below + 1
}

/** `round(x, 2)` of a numpy number of at least 0: scaled by 100, rounded half to even, scaled back. */
export function numpyRound(value: number): number {
  return rint(value * 100) / 100
}

/** `round(x, 2)` of a Python float of at least 0: the exact value of the double decides, and only an exact half (an odd eighth) goes to even. */
export function pythonRound(value: number): number {
  const eighths = value * 8
  if (Number.isInteger(eighths) && eighths % 2 === 1) return rint(value * 100) / 100
  return Number(value.toFixed(2))
}
