import type { Usage } from '#shared/contract/usage.ts'
import type { Completion } from '#shared/solvers/kit.ts'

type Told = Pick<Completion, 'usage' | 'usage_known' | 'text' | 'reasoning' | 'tool_calls'>

/**
 * What an answer took as its provider told it; null where it told nothing. A question always takes tokens, and so does an answer that says anything:
 * zeros in their place are not told, and a figure on one side alone leaves the call untold.
 */
export function toldUsage({ usage, usage_known, text, reasoning, tool_calls }: Told): Usage | null {
  if (!usage_known) return null
  const says = text !== '' || Boolean(reasoning) || (tool_calls ?? []).length > 0
  const whole = usage.input_tokens > 0 && (usage.output_tokens > 0 || !says)
  if (whole) return usage
  return usage.input_tokens + usage.output_tokens === 0 ? null : { ...usage, untold_calls: 1 }
}
