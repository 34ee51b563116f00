import { mostAtOnce, type Needs, questionNeeds } from '../../contract/resources.ts'
import type { PlannedBenchmark, RunHead, RunSpec } from '../../contract/run.ts'
import type { MatchPart, MatchRun, Share } from './fleet.ts'
import { needsOf } from './needs-of.ts'

/** Returns the needs of a trial; those of a question if the plan has none. */
export const needsIn = ({ needs }: Pick<PlannedBenchmark, 'needs'>): Needs => needs ?? questionNeeds

/** The benchmarks of a run whose trials are worked at in machines with images of their own. */
export const machineBenchmarks = ({ benchmarks }: Pick<RunSpec, 'benchmarks'>): string[] =>
  benchmarks.filter((planned) => needsIn(planned).sandbox?.kinds.includes('machine')).map(({ name }) => name)

/** The run as the fleet matches it with agents, its benchmarks by what they need; nothing is open while it is not to be worked on. */
export function matchRunOf(spec: RunSpec, head: Pick<RunHead, 'status' | 'benchmarks' | 'concurrency' | 'priority'>): MatchRun {
  const { run_id, owner_id, visibility, created_at } = spec
  const open = head.status === 'running' || head.status === 'queued'
  const alike = new Map<string, PlannedBenchmark[]>()
  for (const planned of spec.benchmarks) {
    const { sandbox, timing_sensitive, at_once } = needsIn(planned)
    const key = JSON.stringify([sandbox, timing_sensitive, ...(at_once === undefined ? [] : [planned.name])]) // a bound is of one benchmark
    alike.set(key, [...(alike.get(key) ?? []), planned])
  }
  const parts = [...alike.values()].map((benchmarks): MatchPart => {
    const needs = benchmarks.map(needsIn)
    return {
      benchmarks: benchmarks.map(({ name }) => name),
      open: open ? benchmarks.reduce((sum, { name }) => sum + left(head.benchmarks[name]!), 0) : 0,
      sandbox: needs[0]!.sandbox,
      alone: needs[0]!.timing_sensitive,
      ...(needs[0]!.at_once !== undefined && { at_once: needs[0]!.at_once }),
      typical_seconds: Math.max(...needs.map(({ typical_seconds }) => typical_seconds)),
    }
  })
  return { run_id, owner_id, visibility, created_at, priority: head.priority, concurrency: head.concurrency, needs: needsOf(spec), parts }
}

/**
 * The shares of one that works on a whole run by itself: those of benchmarks that are bounded, and one of all others. Empty where nothing is bounded: then the
 * run's concurrency is all there is to keep.
 */
export function sharesByItself(spec: Pick<RunSpec, 'benchmarks' | 'concurrency'>): Share[] {
  const most = (planned: PlannedBenchmark): number => Math.min(spec.concurrency, mostAtOnce(needsIn(planned)))
  const bounded = spec.benchmarks.filter((planned) => mostAtOnce(needsIn(planned)) < Number.POSITIVE_INFINITY)
  if (bounded.length === 0) return []
  const others = spec.benchmarks.filter((planned) => !bounded.includes(planned)).map(({ name }) => name)
  return [
    ...bounded.map((planned) => ({ benchmarks: [planned.name], slots: most(planned) })),
    ...(others.length > 0 ? [{ benchmarks: others, slots: spec.concurrency }] : []),
  ]
}

const left = ({ total, right, wrong, failed }: RunHead['benchmarks'][string]): number => total - right - wrong - failed

/** A run as the fleet kept it; before parts were kept it had `open` trials, all of questions. */
export function readMatchRun(text: string): MatchRun {
  const kept = JSON.parse(text) as MatchRun & { open?: number } // written from `MatchRun` by this version or the one before
  if (kept.parts) return kept
  const { open = 0, ...run } = kept
  const { sandbox, timing_sensitive, typical_seconds } = questionNeeds
  return { ...run, parts: [{ benchmarks: [], open, sandbox, alone: timing_sensitive, typical_seconds }] }
}
