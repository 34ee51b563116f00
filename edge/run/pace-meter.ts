import type { RunEvent } from '#shared/contract/event.ts'
import type { RunHead, RunSpec } from '#shared/contract/run.ts'
import { benchmarkAt } from '#shared/run/apply.ts'
import { addTrial, fitPace, noPace, type PaceSums } from '#shared/run/pace.ts'
import type { RunWork } from '#shared/telemetry/run-progress.ts'
import type { RunRows } from './run-rows.ts'

/** Ages of trials under way that one fit looks at; of more, an even part. */
const mostAges = 200
/** Ages that are told to the fleet's object, of each benchmark. */
const mostTold = 64

/** Measures how long the trials of a run hold their slots, by benchmark. What is under way is known to this process only; the sums are kept with the run. */
export function createPaceMeter(rows: Pick<RunRows, 'spec' | 'paces' | 'savePaces'>) {
  const begun = new Map<number, number>()
  let sums: Record<string, PaceSums> | undefined
  let changed = false
  const known = (): Record<string, PaceSums> => {
    sums ??= rows.paces() ?? {}
    return sums
  }
  const end = (benchmark: string, ordinal: number, nowMs: number): void => {
    const since = begun.get(ordinal)
    if (since === undefined) return // it began before this process
    begun.delete(ordinal)
    known()[benchmark] = addTrial(known()[benchmark] ?? noPace, (nowMs - since) / 1000)
    changed = true
  }
  return {
    /** Looks at what a command did. A trial begins when an agent says so, else when it is leased. */
    saw(events: readonly RunEvent[], nowMs: number): void {
      for (const event of events) {
        if (event.event_type === 'trials_leased' || event.event_type === 'trials_begun')
          for (const [ordinal] of event.data.leases) begun.set(ordinal, nowMs)
        if (event.event_type === 'trials_released') for (const [ordinal] of event.data.leases) begun.delete(ordinal)
        if (event.event_type === 'run_canceled') begun.clear()
        if (event.event_type === 'benchmark_progress')
          for (const { ordinal } of event.data.results) end(event.benchmark_name!, ordinal, nowMs)
      }
    },
    /** What is left of the run, and how fast it goes. */
    work(head: RunHead, nowMs: number): RunWork {
      if (changed) rows.savePaces(known())
      changed = false
      const { model } = rows.spec()!
      const ages = agesByBenchmark(head, begun, nowMs)
      return {
        model: `${model.provider}/${model.id}`,
        benchmarks: Object.entries(head.benchmarks).map(([name, { total, right, wrong, failed }]) => {
          const sums = known()[name] ?? noPace
          const all = ages.get(name) ?? []
          return {
            ...{ name, profile: profileOf(rows.spec()!, name), open: total - right - wrong - failed },
            ...{ pace: fitPace(sums, evenPart(all, mostAges)), sums, ages: evenPart(all, mostTold) },
          }
        }),
      }
    },
  }
}

const profileOf = ({ benchmarks }: RunSpec, name: string): string => benchmarks.find((one) => one.name === name)?.profile ?? ''

function agesByBenchmark(head: RunHead, begun: ReadonlyMap<number, number>, nowMs: number): Map<string, number[]> {
  const ages = new Map<string, number[]>()
  for (const [ordinal, since] of begun) {
    const name = benchmarkAt(head, ordinal)
    const of = ages.get(name) ?? []
    of.push((nowMs - since) / 1000)
    ages.set(name, of)
  }
  return ages
}

const evenPart = (all: readonly number[], most: number): number[] => all.filter((_, at) => at % Math.ceil(all.length / most) === 0)
