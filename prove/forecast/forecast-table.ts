import { kindOf, queueKinds } from '#shared/run/testing/draw-queue.ts'
import { errorOf, isRight, mostError } from '#shared/run/testing/forecast-error.ts'
import type { Seen } from '#shared/run/testing/play-queue.ts'

/** Forecasts of runs of one kind of queue: how many were asked, were within 25 %, would be with the true laws, or told no end. */
export type Row = {
  kind: string
  queues: number
  runs: number
  ofLeft: number
  ofWhole: number
  ideal: number
  untold: number
  median: number | null
}

/**
 * One row for each kind of queue, one for all runs, and two for parts of them: runs while nothing came or left, and those whose model had run
 * before. `played`: what was seen in the queue of each seed.
 */
export function forecastRows(played: ReadonlyMap<number, readonly Seen[]>): Row[] {
  const queues = [...played.values()]
  const rows = queueKinds.map((kind) =>
    rowOf(
      kind,
      [...played].filter(([seed]) => kindOf(seed) === kind).map(([, seen]) => seen),
    ),
  )
  const steady = queues.map((seen) => seen.filter((one) => one.steady))
  const before = steady.map((seen) => seen.filter((one) => one.ran_before))
  return [...rows, rowOf('all', queues), rowOf('nothing came or left', steady), rowOf('the same, model ran before', before)]
}

function rowOf(kind: string, queues: readonly (readonly Seen[])[]): Row {
  const seen = queues.flat()
  const errors = seen.flatMap((one) => errorOf(one, one.expected_s) ?? [])
  const sorted = errors.map(({ ofLeft }) => ofLeft).sort((a, b) => a - b)
  return {
    ...{ kind, queues: queues.length, runs: seen.length, untold: seen.length - errors.length },
    ofLeft: seen.filter((one) => isRight(one, one.expected_s)).length,
    ofWhole: errors.filter(({ ofWhole }) => ofWhole <= mostError).length,
    ideal: seen.filter((one) => isRight(one, one.ideal_s)).length,
    median: sorted[Math.floor(sorted.length / 2)] ?? null,
  }
}

const heads = ['runs of', 'queues', 'runs', 'of time left', 'of whole time', 'true laws', 'no end told', 'median error'] as const

/** Shares are of all runs that were asked: a run without an expected end is never within. The median is of those with one. */
export function forecastTable(rows: readonly Row[]): string[] {
  const cells = rows.map(({ kind, queues, runs, ofLeft, ofWhole, ideal, untold, median }) => {
    const shares = [ofLeft, ofWhole, ideal, untold].map((count) => (runs === 0 ? null : count / runs))
    return [
      kind,
      String(queues),
      String(runs),
      ...[...shares, median].map((part) => (part === null ? '–' : `${(100 * part).toFixed(1)} %`)),
    ]
  })
  const line = (of: readonly string[]): string => `| ${of.join(' | ')} |`
  return [line(heads), line(heads.map((_, at) => (at === 0 ? '---' : '---:'))), ...cells.map(line)]
}

/** The part of all runs whose expected end was within 25 % of the time left, and whether that is as much as was asked for, in per cent. */
export function verdictOf(rows: readonly Row[], least: number): { passed: boolean; text: string } {
  const { runs, ofLeft } = rows.find(({ kind }) => kind === 'all')!
  const part = (100 * ofLeft) / runs
  const passed = part >= least
  const text = `${passed ? 'passed' : 'FAILED'}: ${part.toFixed(1)} % of all runs within 25 % of the time left, ${least} % asked for`
  return { passed, text }
}
