import type { KeptAnswers, RegradeComparison, RegradedEpisode } from '../contract/regrade.ts'
import type { RunSpec } from '../contract/run.ts'
import type { TrialRecord } from '../contract/trial.ts'
import { replayFinder } from './replay.ts'

/** Episodes in one answer. */
const mostListed = 500

/** Sets the rewards of a run that grades again beside those of before. `records` are those of its trials that have ended, in their order. */
export function compareRegrade(
  { run_id, created_at, regrade }: RunSpec & { regrade: NonNullable<RunSpec['regrade']> },
  answers: KeptAnswers,
  records: readonly Pick<TrialRecord, 'benchmark' | 'item_id' | 'source_id' | 'epoch' | 'score' | 'outcome' | 'failure'>[],
): RegradeComparison {
  const find = replayFinder(answers)
  const ended = new Set<string>()
  const done = records.flatMap(({ benchmark, item_id, source_id, epoch, score, outcome, failure }): RegradedEpisode[] => {
    const found = find({ benchmark, item_id, source_id, epoch })
    if (!found?.handed_over) return []
    ended.add(keyOf(benchmark, item_id, epoch))
    const { score: before, epoch: epoch_before } = found.handed_over
    const changed = score !== null && before !== null && score !== before
    return [{ benchmark, item_id, source_id, epoch, epoch_before, before, after: score, outcome, changed, why: failure?.detail ?? null }]
  })
  const waiting = answers.flatMap(({ benchmark, item, epoch, handed_over }): RegradedEpisode[] => {
    if (!handed_over || !benchmark || item == null || ended.has(keyOf(benchmark, item, epoch ?? 0))) return []
    const { source_id, score: before, epoch: epoch_before } = handed_over
    return [
      {
        benchmark,
        item_id: item,
        source_id,
        epoch: epoch ?? 0,
        epoch_before,
        before,
        after: null,
        outcome: null,
        changed: false,
        why: null,
      },
    ]
  })
  const graded = done.filter(({ before, after }) => before !== null && after !== null)
  const first = done.filter(({ before, after }) => before === null && after !== null)
  const flips = done.filter(({ changed }) => changed)
  const mean = (of: (one: RegradedEpisode) => number | null): number | null =>
    graded.length === 0 ? null : graded.reduce((sum, one) => sum + (of(one) ?? 0), 0) / graded.length
  return {
    ...{ run_id, regrades: regrade.run_id, created_at, episodes: regrade.trials, graded: graded.length, changed: flips.length },
    first: first.length,
    better: flips.filter(({ before, after }) => after! > (before ?? 0)).length,
    worse: flips.filter(({ before, after }) => after! < (before ?? 0)).length,
    mean: { before: mean((one) => one.before), after: mean((one) => one.after) },
    listed: [...flips, ...first, ...done.filter((one) => !one.changed && !first.includes(one)), ...waiting].slice(0, mostListed),
  }
}

const keyOf = (benchmark: string, item: string, epoch: number): string => `${benchmark} ${item} ${epoch}`
