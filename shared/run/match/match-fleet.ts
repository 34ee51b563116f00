import { balance } from './balance.ts'
import { type Bin, type BinClass, classesOf, give, keyOf, partsOf, roomFor } from './bins.ts'
import { deal, halves } from './deal.ts'
import type { Assignment, MatchAgent, MatchRun } from './fleet.ts'
import { type Due, lacking, makeRoom, type Table } from './make-room.ts'

/** Who has what, by session; sessions without work have an empty list. */
export type Given = ReadonlyMap<string, readonly Assignment[]>

/**
 * Which agent works on which run: higher priority first, then owners in turn (fair share), then age. No agent gets more than it has, no run more
 * than its concurrency or its open trials, and nobody what it cannot do. What was given before stays as far as that leaves it: slots are taken
 * only for somebody who has too few, or from a busy agent for an idle one.
 */
export function matchFleet(runs: readonly MatchRun[], agents: readonly MatchAgent[], before: Given = new Map()): Given {
  const due = fairTotals(runs, agents)
  let given = before
  for (let tries = 0; tries < mostTries; tries++) {
    const { next, short } = improve(runs, agents, given, due)
    if (short === 0 || JSON.stringify([...next]) === JSON.stringify([...given])) return next
    given = next
  }
  return given
}

/** Who is short may have to wait for others to sit elsewhere: so often it is looked whether that helped. */
const mostTries = 4

/** One step from what is given to what is due, and how much is short after it. */
function improve(runs: readonly MatchRun[], agents: readonly MatchAgent[], before: Given, due: Due): { next: Given; short: number } {
  const stay = keep(runs, agents, before)
  deal(stay.parts, stay.classes, (part) => due.get(part.key)!)
  const short = lacking(stay.parts, due)
  if (short === 0) return { next: settled(stay, agents), short }
  const moved = keep(runs, agents, before)
  makeRoom(moved, due)
  deal(moved.parts, moved.classes, (part) => due.get(part.key)!)
  // Where pools are cut into odd pieces nothing may be won: then nobody moves.
  const left = lacking(moved.parts, due)
  return left < short ? { next: settled(moved, agents), short: left } : { next: settled(stay, agents), short }
}

/** How many slots each part would have if the whole fleet were dealt out anew. */
export function fairTotals(runs: readonly MatchRun[], agents: readonly MatchAgent[]): Map<string, number> {
  const parts = partsOf(runs)
  deal(parts, classesOf(agents).map(together), ({ most }) => most, halves)
  return new Map(parts.map(({ key, given }) => [key, given]))
}

/** The fleet with what was given before, as far as agents, runs and room for it are still there. */
function keep(runs: readonly MatchRun[], agents: readonly MatchAgent[], before: Given): Table {
  const parts = partsOf(runs)
  const classes = classesOf(agents)
  const known = new Map(parts.map((part) => [part.key, part]))
  for (const { bins, accepts } of classes)
    for (const bin of bins)
      for (const { run_id, shares } of before.get(bin.session) ?? [])
        for (const share of shares) {
          const part = known.get(keyOf(run_id, share.benchmarks))
          if (!part || !accepts(part) || bin.held.has(part)) continue
          const slots = Math.min(share.slots, part.most - part.given, part.run.left, roomFor(part, bin))
          if (slots > 0) give(part, bin, slots)
        }
  return { parts, classes }
}

/** Pools for calls are as good as one: a call fits wherever there is room. Sandboxes of several sizes do not. */
function together({ bins, accepts }: BinClass): BinClass {
  const [first] = bins
  if (first?.unit !== 'calls') return { bins, accepts }
  const calls = bins.reduce((sum, { size }) => sum + size.calls!, 0)
  return { accepts, bins: [{ ...first, size: { calls }, free: { calls }, held: new Map() }] }
}

/** What is free goes to who can use it, the load is evened out, and everybody's part is written down. */
function settled({ parts, classes }: Table, agents: readonly MatchAgent[]): Given {
  deal(parts, classes, ({ most }) => most)
  balance(classes)
  const given = new Map<string, Map<string, Assignment & { shares: { benchmarks: readonly string[]; slots: number }[] }>>()
  for (const { session } of agents) given.set(session, new Map())
  for (const { bins } of classes) for (const bin of bins) note(bin, given.get(bin.session)!)
  return new Map([...given].map(([session, runs]) => [session, [...runs.values()].sort(byRun)]))
}

function note({ held }: Bin, runs: Map<string, { run_id: string; shares: { benchmarks: readonly string[]; slots: number }[] }>): void {
  for (const [{ run, benchmarks, key }, slots] of held) {
    const known = runs.get(run.run_id) ?? { run_id: run.run_id, shares: [] }
    const same = known.shares.find((share) => keyOf(run.run_id, share.benchmarks) === key)
    if (same) same.slots += slots
    else known.shares.push({ benchmarks, slots })
    known.shares.sort((a, b) => (keyOf('', a.benchmarks) < keyOf('', b.benchmarks) ? -1 : 1))
    runs.set(run.run_id, known)
  }
}

const byRun = (a: Assignment, b: Assignment): number => (a.run_id < b.run_id ? -1 : 1)
