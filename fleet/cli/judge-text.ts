import type { RunHead, RunSpec } from '#shared/contract/run.ts'
import { cost, count } from './numbers.ts'
import { cleanLine } from './terminal.ts'

/** Who judges a run's answers and what that took, apart from the model's own tokens and cost; no line where nothing is judged. */
export function judgeText(spec: Pick<RunSpec, 'benchmarks'>, head: Pick<RunHead, 'judge'>): string[] {
  const judges = new Set(spec.benchmarks.flatMap(({ judge }) => judge?.model.slug ?? []))
  if (judges.size === 0 || !head.judge) return []
  const { usage, cost_usd } = head.judge
  const tokens = `tokens ${count(usage.input_tokens)} in, ${count(usage.output_tokens)} out`
  return [`judge  ${[...judges].map((slug) => cleanLine(slug)).join(', ')}  ·  ${tokens}  ·  cost ${cost(cost_usd)}`]
}
