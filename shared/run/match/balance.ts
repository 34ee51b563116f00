import { type Bin, type BinClass, give, loadOf, type Part, roomFor } from './bins.ts'
import { boundOf } from './fleet.ts'

/** So much below the mean an agent is idle enough, and so much above it another is busy enough, to move work for it. */
const slack = 1 / 8
/** An agent this full is busy whatever the others are. */
const full = 7 / 8
/** Trials that take longer as a rule are not moved to even out the load, in seconds. */
const longSeconds = 60
/** Loads are fractions: whoever is just at a bound must not be moved by how one is rounded. */
const near = 1e-9

/**
 * Moves slots from busy pools to idle ones of their kind, down to the mean and up to the mean: who comes new gets its fair share and
 * not more, and nothing moves between agents that are about as busy.
 */
export function balance(classes: readonly BinClass[]): void {
  for (const { bins } of classes) {
    const size = bins.reduce((sum, bin) => sum + bin.size[bin.unit]!, 0)
    const used = bins.reduce((sum, bin) => sum + bin.size[bin.unit]! - bin.free[bin.unit]!, 0)
    const mean = used / size
    const idle = bins.filter((bin) => loadOf(bin) < mean - slack - near).sort((a, b) => loadOf(a) - loadOf(b))
    if (idle.length === 0) continue
    const busyFrom = Math.min(mean + slack, Math.max(mean, full))
    const busy = bins.filter((bin) => loadOf(bin) > busyFrom + near).sort((a, b) => loadOf(b) - loadOf(a))
    for (const to of idle) for (const from of busy) shift(from, to, mean)
  }
}

function shift(from: Bin, to: Bin, mean: number): void {
  if (used(from) - mean * from.size[from.unit]! <= 0 || mean * to.size[to.unit]! - used(to) <= 0) return
  const movable = [...from.held]
    .filter(([part]) => boundOf(part) === Number.POSITIVE_INFINITY && part.typical_seconds <= longSeconds)
    .sort((a, b) => b[1] - a[1])
  for (const [part, held] of movable) {
    const surplus = within(part, used(from) - mean * from.size[from.unit]!, from)
    const lack = within(part, mean * to.size[to.unit]! - used(to), to)
    const slots = Math.min(held, surplus, lack, roomFor(part, to))
    if (slots <= 0) continue
    give(part, from, -slots)
    give(part, to, slots)
  }
}

const used = ({ size, free, unit }: Bin): number => size[unit]! - free[unit]!
const within = (part: Part, amount: number, { unit }: Bin): number => Math.floor(amount / part.weight[unit]! + near)
