import { defaultLimits } from '../contract/limits.ts'
import { mostPreflightTokens } from '../contract/preflight.ts'
import { type HelperRole, roleEntries, rolesOf } from '../contract/role.ts'
import type { PlannedBenchmark, RunSpec } from '../contract/run.ts'
import type { Rounds } from '../contract/trial-limits.ts'
import { costUsd, noUsage, type Price, type Usage } from '../contract/usage.ts'
import { trialCount } from './plan.ts'

/** The longest question where the card names none. */
const longestQuestion = 8_000
/** The longest answer where no limit is sent. */
const longestAnswer = 32_768
/** Tokens of a judge's prompt beside the answer it judges. */
const judgePrompt = 8_000
/** Replies a judge is asked for at most before a trial fails as `judge/unreadable`. */
export const mostReplies = 3

/** The most tokens that a question of the pre-flight is sent as, with a picture and a schema. */
const longestCheck = 2_000

/** Calls to the tested model that the reservation of one trial covers. */
export function reservedCalls({ rounds, trial_limits }: Pick<PlannedBenchmark, 'rounds' | 'trial_limits'>): number {
  return rounds?.most ?? trial_limits?.turns ?? 1
}

/** The most one question of the pre-flight may cost, whichever model it goes to; undefined while a price is unknown. */
export function checkReserveUsd({ price, benchmarks }: Pick<RunSpec, 'benchmarks' | 'price'>): number | undefined {
  const prices = [price, ...benchmarks.flatMap((one) => roleEntries(rolesOf(one)).map(([, helper]) => helper.price))]
  const usage = { ...noUsage, input_tokens: longestCheck, output_tokens: mostPreflightTokens }
  const costs = prices.flatMap((one) => costUsd(usage, one) ?? [])
  return costs.length === prices.length ? Math.max(...costs) : undefined
}

/** The most tokens that one call to the tested model takes, as the budget counts. */
export function longestCall({ params, most_input_tokens }: Pick<PlannedBenchmark, 'params' | 'most_input_tokens'>): Usage {
  return { ...noUsage, input_tokens: most_input_tokens ?? longestQuestion, output_tokens: params.max_tokens ?? longestAnswer }
}

/** The most one trial of the run may cost, its helpers included; null while a price is unknown. The budget keeps so much for every lease. */
export function reserveUsd(spec: Pick<RunSpec, 'benchmarks' | 'price'>): number | null {
  const costs = spec.benchmarks.map((benchmark) => {
    const { input_tokens, output_tokens } = longestCall(benchmark)
    const asked = costUsd(talked(input_tokens, output_tokens, benchmark.rounds), spec.price)
    const turns = benchmark.rounds ? 1 : (benchmark.trial_limits?.turns ?? 1)
    const helped = helpedAtMost(benchmark, output_tokens, turns)
    return asked === null || helped === null
      ? null
      : Math.min(asked * turns, benchmark.trial_limits?.usd ?? Number.POSITIVE_INFINITY) + helped
  })
  return costs.includes(null) ? null : Math.max(...costs.map((cost) => cost ?? 0))
}

/** One question and its longest answer; of a conversation all its requests, each longer than the one before, and one answer as long as any. */
function talked(input_tokens: number, output_tokens: number, rounds: Rounds | undefined): Usage {
  if (!rounds) return { ...noUsage, input_tokens, output_tokens }
  const { most, grows_tokens } = rounds
  const grown = grows_tokens * ((most * (most - 1)) / 2)
  return { ...noUsage, input_tokens: most * input_tokens + grown, output_tokens: most * grows_tokens + output_tokens }
}

/** A judge is asked a few times at the end, a simulated user once a turn, or as often as the tested model. */
function helpedAtMost(benchmark: PlannedBenchmark, answer_tokens: number, turns: number): number | null {
  const times: Record<HelperRole, number> = { judge: mostReplies, user: turns }
  const costs = roleEntries(rolesOf(benchmark)).map(([role, { params, price }]) => {
    const rounds = role === 'user' ? benchmark.rounds : undefined
    const usage = talked(judgePrompt + (rounds ? 0 : answer_tokens), params.max_tokens ?? longestAnswer, rounds)
    const once = costUsd(usage, price)
    return once === null ? null : once * times[role]
  })
  return costs.includes(null) ? null : costs.reduce<number>((sum, cost) => sum + (cost ?? 0), 0)
}

/** Largest share of a budget by which repeated calls without reported usage may exceed it. */
const mostExceeded = 1 / 20

/**
 * Sets `untold_attempts: 1` for a benchmark whose repeated calls could exceed the budget by more
 * than `mostExceeded`: a lease reserves each call once, and all running trials may use all attempts.
 */
export function withinBudget(
  benchmarks: PlannedBenchmark[],
  { budget_usd, concurrency }: { budget_usd?: number | null | undefined; concurrency: number },
  price: Price | null,
): PlannedBenchmark[] {
  const reserve = budget_usd == null ? null : reserveUsd({ benchmarks, price })
  if (budget_usd == null || reserve === null) return benchmarks
  return benchmarks.map((benchmark) => {
    const limits = benchmark.limits ?? defaultLimits
    const exceeding = (limits.attempts - 1) * reserve * Math.min(concurrency, trialCount(benchmark))
    return exceeding > mostExceeded * budget_usd ? { ...benchmark, limits: { untold_attempts: 1, ...limits } } : benchmark
  })
}
