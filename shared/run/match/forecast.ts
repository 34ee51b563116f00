import type { ForecastUnknown } from '../../contract/forecast.ts'
import type { Pace } from '../pace.ts'
import { restOf, untilLeft } from '../time-law.ts'
import { classesOf, keyOf, partsOf } from './bins.ts'
import type { MatchAgent, MatchPart, MatchRun } from './fleet.ts'
import { fairTotals } from './match-fleet.ts'

/**
 * What is left of one benchmark of a run; `pace` is null while nothing of it has been measured. `ages`: seconds for which its trials under
 * way have run, or a sample of them.
 */
export type Work = { open: number; pace: Pace | null; ages?: readonly number[] }
export type WorkOf = (run: MatchRun, benchmark: string) => Work

/** Seconds from now on; null where they are not known. A run that has slots starts at 0. */
export type Expected = { starts_s: number | null; ends_s: number | null; unknown: ForecastUnknown | null }

type Benchmark = Work & { name: string }
/**
 * A part while its future is played: benchmarks follow each other; in the tail all that is left of it is under way. `rest` is the part of
 * the tail's trials that goes on for longer than so many seconds from its begin.
 */
type Played = {
  run: MatchRun
  part: MatchPart
  key: string
  left: Benchmark[]
  slots: number
  tail: { slots: number; rest(seconds: number): number; passed_s: number; ends_s: number } | null
}

/** Looking further than this is no forecast. */
const furthestS = 60 * 24 * 3600
/** Steps grow with the time that has passed, by this part of it at least; with many runs by more, since each step deals for all of them. */
const stepPart = (runs: number): number => Math.max(0.02, runs / 2000)
const shortestStepS = 0.5
const mostSteps = 600
const enough = 1e-6

/**
 * Plays the queue to its end as the fleet deals slots: fair shares of the whole fleet among the runs that have work, dealt anew whenever
 * slots fall free. Nobody new comes in it, and no agent leaves. A benchmark without a pace keeps its slots for ever.
 */
export function forecastRuns(
  runs: readonly MatchRun[],
  agents: readonly MatchAgent[],
  workOf: WorkOf,
  hasSlots: (run_id: string) => boolean,
): Map<string, Expected> {
  const played = runs.flatMap((run) => run.parts.map((part) => play(run, part, workOf)).filter(({ left }) => left.length > 0))
  const starts = new Map<string, number>()
  const ends = new Map<string, number>()
  let at = 0
  let stuck = false
  for (let step = 0; step < mostSteps && at < furthestS; step++) {
    const open = played.filter((one) => openOf(one) > 0)
    if (open.length === 0) break
    dealOut(open, agents)
    for (const { run, slots } of open) if (slots > 0 && !starts.has(run.run_id)) starts.set(run.run_id, at)
    const moving = open.filter(isMoving)
    if (moving.length === 0) {
      stuck = true
      break
    }
    for (const one of moving) beginTail(one, at === 0)
    const next = Math.min(...moving.map(untilChange))
    const passed = Math.max(next, shortestStepS, at * stepPart(runs.length))
    for (const one of moving) advance(one, passed)
    at += passed
    for (const { run } of moving) if (played.every((one) => one.run !== run || openOf(one) === 0)) ends.set(run.run_id, at)
  }
  const far: ForecastUnknown = stuck ? { kind: 'behind-unknown' } : { kind: 'too-far' }
  return new Map(runs.map((run) => [run.run_id, expectedOf(run, { agents, played, starts, ends, far, hasSlots })]))
}

function play(run: MatchRun, part: MatchPart, workOf: WorkOf): Played {
  const left = part.benchmarks.map((name) => ({ name, ...workOf(run, name) })).filter(({ open }) => open > 0)
  return { run, part, key: keyOf(run.run_id, part.benchmarks), left, slots: 0, tail: null }
}

const leftOf = (left: readonly Benchmark[]): number => left.reduce((sum, { open }) => sum + open, 0)
const openOf = ({ left, tail }: Played): number => (tail ? Math.ceil(tail.slots * tail.rest(tail.passed_s)) : leftOf(left))

const isMoving = ({ left, tail, slots }: Played): boolean => slots > 0 && (tail !== null || left[0]?.pace != null)

/** The fair share of each part, from the same deal as the fleet's. */
function dealOut(open: readonly Played[], agents: readonly MatchAgent[]): void {
  const runs = [...new Set(open.map(({ run }) => run))].map((run) => ({
    ...run,
    parts: open.filter((one) => one.run === run).map((one) => ({ ...one.part, open: Math.max(1, Math.ceil(openOf(one))) })),
  }))
  const totals = fairTotals(runs, agents)
  for (const one of open) one.slots = totals.get(one.key) ?? 0
}

/** All that is left is under way once it fits into the slots. Trials that are under way now have the ages that are known. */
function beginTail(one: Played, isNow: boolean): void {
  const total = leftOf(one.left)
  if (one.tail || total > one.slots + enough || one.left.some(({ pace }) => !pace)) return
  const rests = one.left.map(({ open, pace, ages }) => ({ part: open / total, rest: restOf(pace!, isNow && ages?.length ? ages : null) }))
  const rest = (seconds: number): number => rests.reduce((sum, of) => sum + of.part * of.rest(seconds), 0)
  const slots = Math.max(1, total)
  // The last of so many ends about when so small a part is left: the mean of the largest of n exponential values.
  one.tail = { slots, rest, passed_s: 0, ends_s: untilLeft(rest, Math.exp(-0.5772) / slots) }
  one.left = []
}

/** Trials that end before the tail of a part begins, at most. */
const beforeTail = ({ left, slots }: Played): number => (left.some(({ pace }) => !pace) ? leftOf(left) : Math.max(0, leftOf(left) - slots))

/** Seconds until slots of a part fall free. */
function untilChange(one: Played): number {
  const { left, slots, tail } = one
  if (!tail) return (Math.min(left[0]!.open, beforeTail(one)) * left[0]!.pace!.seconds) / slots
  const now = tail.slots * tail.rest(tail.passed_s)
  const then = untilLeft(tail.rest, Math.max(0.5, now / 2) / tail.slots)
  return Math.max(0, Math.min(tail.ends_s, then) - tail.passed_s)
}

function advance(one: Played, seconds: number): void {
  if (one.tail) {
    one.tail.passed_s += seconds
    if (one.tail.passed_s >= one.tail.ends_s - enough) one.tail = null
    return
  }
  let spare = seconds * one.slots
  for (let first = one.left[0]; spare > enough && first?.pace; first = one.left[0]) {
    const most = beforeTail(one)
    const done = Math.min(spare / first.pace.seconds, first.open, most)
    first.open -= done
    spare -= done * first.pace.seconds
    if (first.open > enough) return
    one.left.shift()
  }
}

type Ended = {
  agents: readonly MatchAgent[]
  played: readonly Played[]
  starts: ReadonlyMap<string, number>
  ends: ReadonlyMap<string, number>
  far: ForecastUnknown
  hasSlots(run_id: string): boolean
}

function expectedOf(run: MatchRun, { agents, played, starts, ends, far, hasSlots }: Ended): Expected {
  const starts_s = hasSlots(run.run_id) ? 0 : (starts.get(run.run_id) ?? null)
  const ends_s = ends.get(run.run_id) ?? null
  const known = starts_s !== null && ends_s !== null
  if (known) return { starts_s, ends_s, unknown: null }
  const mine = played.filter((one) => one.run === run)
  const unmeasured = mine.flatMap(({ left }) => left.filter(({ pace }) => !pace).map(({ name }) => name))
  if (!canWork(run, agents)) return { starts_s: null, ends_s: null, unknown: { kind: 'no-agent' } }
  if (unmeasured.length > 0)
    return { starts_s, ends_s: null, unknown: { kind: 'not-measured', benchmarks: [...new Set(unmeasured)] as never[] } } // names of its own plan
  return { starts_s, ends_s: null, unknown: far }
}

/** Whether some agent takes each part that has work. */
function canWork(run: MatchRun, agents: readonly MatchAgent[]): boolean {
  const classes = classesOf(agents)
  return partsOf([run]).every((part) => classes.some(({ accepts }) => accepts(part)))
}
