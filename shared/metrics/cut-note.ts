import type { PlannedBenchmark, Tally } from '../contract/run.ts'

/** Below this share cut answers are not worth a warning. */
const worthSaying = 0.01

/**
 * A sentence for beside the score where at least one answer in a hundred was cut off at the token limit, with what to do; null elsewhere. A cut
 * answer is scored as it stands, so the score says less about the model than about the limit.
 */
export function cutNote(tally: Pick<Tally, 'right' | 'wrong' | 'flags'>, { params }: Pick<PlannedBenchmark, 'params'>): string | null {
  const answers = tally.right + tally.wrong
  const share = answers > 0 ? (tally.flags.truncated ?? 0) / answers : 0
  if (share < worthSaying) return null
  const percent = `${share < 1 ? Math.min(99, Math.round(share * 100)) : 100} % of answers were cut off`
  const advice = 'and scored as they stood: the score may be too low.'
  if (params.max_tokens === null)
    return `${percent} at the model's own limit of tokens ${advice} Name a larger max_tokens if the model takes it.`
  return `${percent} at max_tokens = ${params.max_tokens.toLocaleString('en-US')} ${advice} Run it again with a larger max_tokens.`
}
