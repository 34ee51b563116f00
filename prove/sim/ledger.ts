import type { Random } from './random.ts'

export type Call = { ordinal: number; attempt: number; cost_usd: number; reported: boolean; lost: boolean }

/** The model provider's own book: every request it was ever sent, whatever became of the answer. Costs are whole thousandths of a dollar. */
export function createLedger(random: Random) {
  const calls: Call[] = []
  let total = 0
  return {
    calls,
    total: () => total,
    bill(ordinal: number, attempt: number): Call {
      const call: Call = { ordinal, attempt, cost_usd: random.int(1, 9) / 1000, reported: false, lost: false }
      calls.push(call)
      total += call.cost_usd
      return call
    },
    /** What the provider answers to a trial: right or wrong for good, a failure by chance of the moment. */
    answer: (ordinal: number, failing: boolean) =>
      failing ? ('failed' as const) : ordinal % 3 === 0 ? ('wrong' as const) : ('right' as const),
  }
}
export type Ledger = ReturnType<typeof createLedger>
