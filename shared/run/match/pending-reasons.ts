import type { PendingReason, PendingUnit } from '../../contract/pending.ts'
import { type Bin, classesOf, keyOf, type Part, partsOf, roomFor } from './bins.ts'
import type { MatchAgent, MatchRun } from './fleet.ts'
import { boundOf } from './fleet.ts'
import type { Given } from './match-fleet.ts'

/**
 * Explains why parts of a run have fewer slots than they could use. `runs` holds every run with work, this one among
 * them; `given` is the assignment that the fleet told its agents. A part with a free slot has no reason.
 */
export function pendingReasons(run_id: string, runs: readonly MatchRun[], agents: readonly MatchAgent[], given: Given): PendingReason[] {
  const parts = partsOf(runs)
  const classes = classesOf(agents)
  const bins = classes.flatMap((one) => one.bins)
  occupy(parts, bins, given)
  return parts
    .filter((part) => part.run.run_id === run_id && slotsIn(bins, part) < Math.min(part.open, part.run.concurrency, boundOf(part)))
    .flatMap((part) => {
      const fitting = classes.filter(({ accepts }) => accepts(part)).flatMap((one) => one.bins)
      return reasonOf(part, fitting, agents, parts) ?? []
    })
}

/** Takes from each pool what its agent was given. */
function occupy(parts: readonly Part[], bins: readonly Bin[], given: Given): void {
  const known = new Map(parts.map((part) => [part.key, part]))
  for (const bin of bins)
    for (const { run_id, shares } of given.get(bin.session) ?? [])
      for (const { benchmarks, slots } of shares) {
        const part = known.get(keyOf(run_id, benchmarks))
        if (!part || part.weight[bin.unit] === undefined || slots === 0) continue
        bin.held.set(part, slots)
        for (const unit in part.weight) bin.free[unit] = bin.free[unit]! - slots * part.weight[unit]!
      }
}

function reasonOf(part: Part, fitting: readonly Bin[], agents: readonly MatchAgent[], parts: readonly Part[]): PendingReason | null {
  const benchmarks = [...part.benchmarks]
  if (agents.length === 0) return null
  const reaching = agents.filter(({ capabilities }) => part.run.needs.every((need) => capabilities.includes(need)))
  if (reaching.length === 0) return { kind: 'no-capability', benchmarks, capabilities: lackedBy(part.run.needs, agents) }
  if (fitting.length === 0) return part.sandbox ? { kind: 'no-sandbox', benchmarks, sandboxes: [...part.sandbox.kinds] } : null
  const units = Object.keys(part.weight) as PendingUnit[] // `weight` is built from these names
  const large = units.find((unit) => fitting.every(({ size }) => size[unit]! < part.weight[unit]!))
  if (large)
    return {
      kind: 'too-large',
      benchmarks,
      unit: large,
      needed: part.weight[large]!,
      largest: Math.max(...fitting.map(({ size }) => size[large]!)),
    }
  if (fitting.some((bin) => roomFor(part, bin) > 0)) return null
  const unit = units.find((one) => fitting.every(({ free }) => free[one]! < part.weight[one]! - 1e-9)) ?? units[0]!
  const total = sum(fitting, ({ size }) => size[unit]!)
  return {
    kind: 'busy',
    benchmarks,
    unit,
    needed: part.weight[unit]!,
    held: total - sum(fitting, ({ free }) => free[unit]!),
    total,
    holders: holdersOf(fitting, unit, parts),
  }
}

/** The needs that no agent meets; all of them where each is met by some agent and none meets all. */
function lackedBy(needs: readonly string[], agents: readonly MatchAgent[]): string[] {
  const nowhere = needs.filter((need) => !agents.some(({ capabilities }) => capabilities.includes(need)))
  return nowhere.length > 0 ? nowhere : [...needs]
}

function holdersOf(bins: readonly Bin[], unit: PendingUnit, parts: readonly Part[]) {
  const byRun = new Map<string, { run_id: string; held: number; open: number; about_s: number }>()
  for (const part of parts) {
    const slots = slotsIn(bins, part)
    if (slots === 0) continue
    const one = byRun.get(part.run.run_id) ?? { run_id: part.run.run_id, held: 0, open: 0, about_s: 0 }
    one.held += slots * part.weight[unit]!
    one.open += part.open
    one.about_s = Math.max(one.about_s, Math.ceil(part.open / slots) * part.typical_seconds)
    byRun.set(part.run.run_id, one)
  }
  return [...byRun.values()].sort((a, b) => b.held - a.held)
}

const slotsIn = (bins: readonly Bin[], part: Part): number => sum(bins, ({ held }) => held.get(part) ?? 0)
const sum = <T>(all: readonly T[], of: (one: T) => number): number => all.reduce((total, one) => total + of(one), 0)
