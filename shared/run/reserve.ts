import { type HelperRole, roleEntries, rolesOf } from '../contract/role.ts'
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

/** The most one trial of the run may cost, its helpers included; null while a price is unknown. The budget keeps so much for every lease. */
export function reserveUsd(spec: Pick<RunSpec, 'benchmarks' | 'price'>): number | null {
  const costs = spec.benchmarks.map((benchmark) => {
    const output_tokens = benchmark.params.max_tokens ?? longestAnswer
    const asked = costUsd({ ...noUsage, input_tokens: benchmark.most_input_tokens ?? longestQuestion, output_tokens }, spec.price)
    const turns = benchmark.trial_limits?.turns ?? 1
    const helped = helpedAtMost(benchmark, output_tokens, turns)
    return asked === null || helped === null
      ? null
      : Math.min(asked * turns, benchmark.trial_limits?.usd ?? Number.POSITIVE_INFINITY) + helped
  })
  return costs.includes(null) ? null : Math.max(...costs.map((cost) => cost ?? 0))
}

/** A judge is asked a few times at the end, a simulated user once a turn. */
function helpedAtMost(benchmark: PlannedBenchmark, answer_tokens: number, turns: number): number | null {
  const times: Record<HelperRole, number> = { judge: mostReplies, user: turns }
  const costs = roleEntries(rolesOf(benchmark)).map(([role, { params, price }]) => {
    const usage = { ...noUsage, input_tokens: judgePrompt + answer_tokens, output_tokens: params.max_tokens ?? longestAnswer }
    const once = costUsd(usage, price)
    return once === null ? null : once * times[role]
  })
  return costs.includes(null) ? null : costs.reduce<number>((sum, cost) => sum + (cost ?? 0), 0)
}
