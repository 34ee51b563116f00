import type { Demand } from '../../contract/demand.ts'
import { boundOf, type MatchPart, type MatchRun, type Share, slotsOf } from './fleet.ts'

type Amount = Demand['wanted']
const nothing: Amount = { trials: 0, calls: 0, cpus: 0, memory_mb: 0, disk_mb: 0 }

/** What a run could have at work and what it has: so many trials of each of its parts. */
export type RunDemand = { part: MatchPart; wanted: number; given: number }[]

/**
 * What each part of a run could have at work now: its open trials, as many as may be at once, all parts together no more than the run's concurrency, which goes
 * to what is given first and then to parts in their order. `shares`: what agents were given of the run.
 */
export function runDemand({ parts, concurrency }: MatchRun, shares: readonly Share[]): RunDemand {
  const most = parts.map((part) => Math.min(part.open, boundOf(part)))
  const given = parts.map((part, at) => Math.min(most[at]!, slotsOf(shares.filter(({ benchmarks }) => isOf(part, benchmarks)))))
  let left = Math.max(0, concurrency - given.reduce((sum, slots) => sum + slots, 0))
  return parts.map((part, at) => {
    const more = Math.min(left, most[at]! - given[at]!)
    left -= more
    return { part, wanted: given[at]! + more, given: given[at]! }
  })
}

/** A share without names is of all that a run has. */
const isOf = ({ benchmarks }: MatchPart, names: readonly string[]): boolean =>
  names.length === 0 || names.some((name) => benchmarks.includes(name))

/** Whether a run could have more at work than agents have. */
export const isWaiting = (demand: RunDemand): boolean => demand.some(({ wanted, given }) => wanted > given)

/** The demand of all runs. `waits_s`: for how long each has waited, 0 for one that does not. */
export function demandOf(runs: readonly { run: MatchRun; demand: RunDemand; waits_s: number }[]): Demand {
  const parts = runs.flatMap(({ demand }) => demand)
  return {
    runs: runs.filter(({ demand }) => demand.some(({ wanted }) => wanted > 0)).length,
    open: parts.reduce((sum, { part }) => sum + part.open, 0),
    wanted: parts.reduce((sum, { part, wanted }) => add(sum, part, wanted), nothing),
    waiting: parts.reduce((sum, { part, wanted, given }) => add(sum, part, wanted - given), nothing),
    oldest_wait_s: Math.max(0, ...runs.map(({ waits_s }) => waits_s)),
  }
}

function add(sum: Amount, { sandbox }: MatchPart, trials: number): Amount {
  const { cpus = 0, memory_mb = 0, disk_mb = 0 } = sandbox ?? {}
  return {
    trials: sum.trials + trials,
    calls: sum.calls + (sandbox ? 0 : trials),
    // In tenths, as cards have them: sums of many do not drift.
    cpus: Math.round((sum.cpus + trials * cpus) * 1000) / 1000,
    memory_mb: sum.memory_mb + trials * memory_mb,
    disk_mb: sum.disk_mb + trials * disk_mb,
  }
}
