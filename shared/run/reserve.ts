import type { PlannedBenchmark, RunSpec } from '../contract/run.ts'
import { costUsd, noUsage } from '../contract/usage.ts'

/** The longest question where the card names none. */
const longestQuestion = 8_000
/** The longest answer where no limit is sent. */
const longestAnswer = 32_768
/** Tokens of a judge's prompt beside the answer it judges. */
const judgePrompt = 8_000
/** Replies a judge is asked for at most before a trial fails as `judge/unreadable`. */
export const mostReplies = 3

/** The most one trial of the run may cost, its judge included; null while a price is unknown. The budget keeps so much for every lease. */
export function reserveUsd(spec: Pick<RunSpec, 'benchmarks' | 'price'>): number | null {
  const costs = spec.benchmarks.map((benchmark) => {
    const output_tokens = benchmark.params.max_tokens ?? longestAnswer
    const asked = costUsd({ ...noUsage, input_tokens: benchmark.most_input_tokens ?? longestQuestion, output_tokens }, spec.price)
    const judged = judgedAtMost(benchmark, output_tokens)
    return asked === null || judged === null ? null : asked + judged
  })
  return costs.includes(null) ? null : Math.max(...costs.map((cost) => cost ?? 0))
}

function judgedAtMost({ judge }: PlannedBenchmark, answer_tokens: number): number | null {
  if (!judge) return 0
  const usage = { ...noUsage, input_tokens: judgePrompt + answer_tokens, output_tokens: judge.params.max_tokens ?? longestAnswer }
  const once = costUsd(usage, judge.price)
  return once === null ? null : once * mostReplies
}
