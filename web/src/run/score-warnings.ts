import type { Run } from '#shared/contract/api.ts'
import type { Scores } from './live-scores.ts'

/** More warnings than these stand in the rows of their benchmarks. */
const mostAbove = 2

/** The warnings of a run beside its score, each once: all above, or each in the row of its benchmark and above a sentence that leads there. */
export function scoreWarnings(
  benchmarks: readonly Pick<Run['benchmarks'][number], 'benchmark_name' | 'display_name'>[],
  scores: Pick<Scores, 'benchmarks'>,
): { above: string[]; inRows: boolean } {
  const told = benchmarks.flatMap(({ benchmark_name, display_name }) => {
    const warning = scores.benchmarks[benchmark_name]?.warning
    return warning ? [benchmarks.length > 1 ? `${display_name}: ${warning}` : warning] : []
  })
  if (told.length <= mostAbove) return { above: told, inRows: false }
  return { above: [`Something stands beside the scores of ${told.length} benchmarks: see their rows.`], inRows: true }
}
