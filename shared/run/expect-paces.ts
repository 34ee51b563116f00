import { blendPace, countsForShape, fitPace, type Hint, mostForShape, type Pace, type PaceSums, weighted } from './pace.ts'

/** A benchmark with the pace that its run has measured, and the measurement: `ages` are seconds for which trials under way have run. */
type Told = { name: string; profile: string; pace: Pace | null; sums?: PaceSums; ages?: readonly number[] }
export type PacedRun = { model: string; benchmarks: readonly Told[] }

/** What is known of a model's paces from elsewhere, by `paceKey`: from its ended runs, or from another run that is at work. */
export type PaceSource = { model: string; paces: ReadonlyMap<string, Pace> }
export const paceKey = ({ name, profile }: { name: string; profile: string }): string => `${name} ${profile}`

/**
 * Standard deviations of the logarithm of a mean, assumed: on a benchmark from one run of a model to the next; between two models that were
 * compared on other benchmarks; between two models that were not.
 */
const doubts = { sameModel: 0.25, otherModel: 0.4, anyModel: 0.9 }
/** Trials behind the assumption that a model is as fast as it was. */
const asBefore = 5
/** One benchmark counts for so many trials of a comparison at most: others differ from it. */
const mostOfOne = 20

/** Of the sources for one benchmark this many of the run's model are looked at, and this many of others. */
const mostSources = 4

/**
 * The pace to expect of each benchmark of each run, by name: what the run has measured, blended with what the ended runs in `kept` and the
 * other runs at work tell. Sources of the same model are scaled by how the run compares with them on its other benchmarks, and so are those
 * of other models. Without a trial of its own on a benchmark and without anything to compare, another model tells nothing: null.
 */
export function expectPaces(runs: readonly PacedRun[], kept: readonly PaceSource[]): Map<string, Pace | null>[] {
  const live = runs.map(sourceOf)
  const known = new Map<string, PaceSource[]>()
  for (const source of [...live, ...kept])
    for (const key of source.paces.keys())
      known
        .set(key, known.get(key) ?? [])
        .get(key)!
        .push(source)
  return runs.map((run, at) => {
    const near = new Set(run.benchmarks.flatMap((one) => nearest(known.get(paceKey(one)) ?? [], run.model)))
    near.delete(live[at]!)
    const sources = [...near]
    const hints = (one: Told): Hint[] => sources.flatMap((source) => hintOf(one, run, source, sources) ?? [])
    return new Map(
      run.benchmarks.map((one) => {
        const of = hints(one)
        return [one.name, blendPace(refit(one, of), of)]
      }),
    )
  })
}

/** Fits the pace of a run with few ended trials anew, with the spread that the hints tell: how far its first trials are from the mean follows from it. */
function refit({ pace, sums, ages }: Told, hints: readonly Hint[]): Pace | null {
  if (!pace || !sums || hints.length === 0 || sums.trials >= mostForShape) return pace
  const counts = hints.map((hint) => countsForShape(hint.pace))
  const spread = Math.sqrt(weighted(counts, (at) => hints[at]!.pace.spread ** 2))
  return fitPace(sums, ages, {
    spread,
    counts: Math.min(
      mostForShape,
      counts.reduce((sum, count) => sum + count, 0),
    ),
  })
}

function sourceOf({ model, benchmarks }: PacedRun): PaceSource {
  return { model, paces: new Map(benchmarks.flatMap((one) => (one.pace ? [[paceKey(one), one.pace]] : []))) }
}

function nearest(sources: readonly PaceSource[], model: string): PaceSource[] {
  const [own, others] = [true, false].map((same) => sources.filter((source) => (source.model === model) === same))
  return [...own!.slice(0, mostSources), ...others!.slice(0, mostSources)]
}

function hintOf(one: Told, run: PacedRun, source: PaceSource, sources: readonly PaceSource[]): Hint | null {
  const pace = source.paces.get(paceKey(one))
  if (!pace) return null
  const { log, trials } = compare(one, run, source, sources)
  if (source.model === run.model) return { pace: scaled(pace, (log * trials) / (trials + asBefore)), doubt: doubts.sameModel }
  if (trials === 0) return one.pace && { pace, doubt: doubts.anyModel }
  return { pace: scaled(pace, log), doubt: Math.sqrt(doubts.otherModel ** 2 + pace.spread ** 2 / trials) }
}

/** How much slower the run is than a source, as a logarithm, on its benchmarks other than `one`; `trials` are behind it. */
function compare(one: Told, run: PacedRun, source: PaceSource, sources: readonly PaceSource[]): { log: number; trials: number } {
  let sum = 0
  let trials = 0
  for (const other of run.benchmarks) {
    const theirs = other.name === one.name ? undefined : source.paces.get(paceKey(other))
    const ours = theirs && (other.pace ?? (source.model === run.model ? null : ownPace(run, other, sources)))
    if (!theirs || !ours) continue
    const weight = Math.min(mostOfOne, ours.trials, theirs.trials)
    sum += weight * Math.log(ours.seconds / theirs.seconds)
    trials += weight
  }
  return { log: trials === 0 ? 0 : sum / trials, trials }
}

/** The pace of the run's own model on a benchmark that it has not measured itself. */
function ownPace({ model }: PacedRun, one: Told, sources: readonly PaceSource[]): Pace | undefined {
  const key = paceKey(one)
  return sources.find((source) => source.model === model && source.paces.has(key))?.paces.get(key)
}

const scaled = (pace: Pace, log: number): Pace => ({ ...pace, seconds: pace.seconds * Math.exp(log) })
