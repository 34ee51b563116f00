export type Axis = { from: number; to: number; ticks: number[] }

/**
 * A common axis for scores in 0..1: whole tens of per cent around everything shown, at least 20 points wide, with two to
 * six ticks. Without a score it spans 0 to 100 %.
 */
export function axisOf(shown: readonly { value: number | null; low: number | null; high: number | null }[]): Axis {
  const values = shown.flatMap((one) => [one.value, one.low, one.high]).filter((value): value is number => value !== null)
  if (values.length === 0) return { from: 0, to: 1, ticks: [0, 0.25, 0.5, 0.75, 1] }
  let from = Math.floor(Math.min(...values) * 10 + 1e-9)
  let to = Math.ceil(Math.max(...values) * 10 - 1e-9)
  while (to - from < 2) {
    // The wider margin wins, so that a narrow interval stands near the middle.
    const middle = (Math.min(...values) + Math.max(...values)) * 5
    if (from > 0 && (to === 10 || middle - from < to - middle)) from--
    else to++
  }
  const step = to - from > 5 ? 2 : 1
  const ticks: number[] = []
  for (let tick = Math.ceil(from / step) * step; tick <= to; tick += step) ticks.push(tick / 10)
  return { from: from / 10, to: to / 10, ticks }
}

/** Place of a value on the axis, in per cent of its width. */
export function place(axis: Axis, value: number): number {
  return Math.min(100, Math.max(0, ((value - axis.from) / (axis.to - axis.from)) * 100))
}
