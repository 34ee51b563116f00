import { boundOf, type MatchAgent, type MatchPart, type MatchRun } from './fleet.ts'

/** Amounts by unit: calls, or cpus with memory and disk. */
export type Amount = Readonly<Record<string, number>>

/** A run while it is matched: `left` slots until its concurrency is reached. */
export type Run = MatchRun & { left: number }

/** A part of a run while it is matched: what a trial of it takes, how many slots it may have and has. */
export type Part = MatchPart & { run: Run; key: string; weight: Amount; most: number; given: number }

/** One pool of an agent: how large it is, what is free of it, and who has slots there. */
export type Bin = { session: string; unit: 'calls' | 'cpus'; size: Amount; free: Record<string, number>; held: Map<Part, number> }

/** Pools that take the same parts. */
export type BinClass = { bins: Bin[]; accepts(part: Part): boolean }

const calls: Amount = { calls: 1 }

/** Parts with something to do, the more urgent and the older first. */
export function partsOf(runs: readonly MatchRun[]): Part[] {
  return runs.flatMap((one) => {
    const run: Run = { ...one, parts: one.parts.filter(({ open }) => open > 0), left: one.concurrency }
    return run.parts.map((part) => ({
      ...part,
      run,
      key: keyOf(run.run_id, part.benchmarks),
      weight: part.sandbox ? { cpus: part.sandbox.cpus, memory_mb: part.sandbox.memory_mb, disk_mb: part.sandbox.disk_mb } : calls,
      most: Math.min(part.open, run.concurrency, boundOf(part)),
      given: 0,
    }))
  })
}

export const keyOf = (run_id: string, benchmarks: readonly string[]): string => `${run_id} ${benchmarks.join(' ')}`

/** The pools of all agents, by what they take. */
export function classesOf(agents: readonly MatchAgent[]): BinClass[] {
  const classes = new Map<string, BinClass>()
  const put = (key: string, bin: Bin, accepts: (part: Part) => boolean): void => {
    const known = classes.get(key)
    if (known) known.bins.push(bin)
    else classes.set(key, { bins: [bin], accepts: remembered(accepts) })
  }
  for (const { session, capabilities, slots, sandboxes } of agents) {
    const can = [...new Set(capabilities)].sort()
    const reaches = (part: Part): boolean => part.run.needs.every((need) => can.includes(need))
    const bin = (unit: Bin['unit'], size: Amount): Bin => ({ session, unit, size, free: { ...size }, held: new Map() })
    put(JSON.stringify(can), bin('calls', { calls: slots }), (part) => part.sandbox === null && reaches(part))
    for (const { kinds, cpus, memory_mb, disk_mb } of sandboxes)
      put(JSON.stringify([can, [...kinds].sort()]), bin('cpus', { cpus, memory_mb, disk_mb }), (part) => {
        return part.sandbox?.kinds.some((kind) => kinds.includes(kind)) === true && reaches(part)
      })
  }
  return [...classes.values()]
}

function remembered(accepts: (part: Part) => boolean): (part: Part) => boolean {
  const known = new Map<Part, boolean>()
  return (part) => {
    const before = known.get(part)
    if (before !== undefined) return before
    const answer = accepts(part)
    known.set(part, answer)
    return answer
  }
}

/** Slots of a part that fit into what is free of a pool. */
export function roomFor(part: Part, bin: Bin): number {
  let room = Number.POSITIVE_INFINITY
  for (const unit in part.weight) room = Math.min(room, Math.floor(bin.free[unit]! / part.weight[unit]! + 1e-9))
  return room
}

/** Gives so many slots of a pool to a part, or takes them back when negative. */
export function give(part: Part, bin: Bin, slots: number): void {
  for (const unit in part.weight) bin.free[unit] = bin.free[unit]! - slots * part.weight[unit]!
  const held = (bin.held.get(part) ?? 0) + slots
  if (held === 0) bin.held.delete(part)
  else bin.held.set(part, held)
  part.given += slots
  part.run.left -= slots
}

/** How full a pool is, from 0 to 1, in the unit that it has least left of. */
export function loadOf({ size, free }: Bin): number {
  let load = 0
  for (const unit in size) load = Math.max(load, 1 - free[unit]! / size[unit]!)
  return load
}
