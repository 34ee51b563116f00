import type { RunHead } from '../contract/run.ts'
import type { Spent, Usage } from '../contract/usage.ts'
import { heldUsd } from './budget.ts'

/** A cost as it may be said: `at least` what is known where calls told no tokens, and unknown where none told any. */
export function costText({ usage, cost_usd }: Spent, money: (usd: number | null) => string, unknown: string): string {
  if (cost_usd === null) return unknown
  return (usage.untold_calls ?? 0) > 0 ? `at least ${money(cost_usd)}` : money(cost_usd)
}

/** That a provider did not tell the tokens of some calls; null where it told those of all. */
export function untoldText({ untold_calls = 0 }: Usage): string | null {
  if (untold_calls === 0) return null
  return `tokens not told by the provider for ${untold_calls === 1 ? '1 call' : `${untold_calls.toLocaleString('en-US')} calls`}`
}

/** What the budget counts as spent for such calls; null where it counts nothing. */
export function heldText(head: Pick<RunHead, 'held_usd' | 'preflight'>, money: (usd: number) => string): string | null {
  const held = heldUsd(head)
  return held > 0 ? `up to ${money(held)} reserved` : null
}
