import type { Usage } from '#shared/contract/usage.ts'
import { noUsage } from '#shared/contract/usage.ts'
import type { Random } from './random.ts'

/** One execution of a trial by one agent, with what the provider took for it in all; `lost`: its agent was killed before anybody could know. */
export type Execution = { id: number; agent: string; ordinal: number; used: Usage; judged: Usage; doomed: boolean; lost: boolean }

/** What a million tokens of an answer cost; what is asked costs nothing. */
export const usdPerMillion = 10

/** The model provider's own book: every request it was ever sent, whatever became of the answer. */
export function createLedger(random: Random) {
  const executions: Execution[] = []
  const byTrial = new Map<number, Execution[]>()
  let total = 0
  return {
    executions,
    /** All executions of a trial. */
    of: (ordinal: number): readonly Execution[] => byTrial.get(ordinal) ?? [],
    /** Dollars in all, the judge's included. */
    total: () => (total * usdPerMillion) / 1_000_000,
    begin(agent: string, ordinal: number, doomed: boolean): Execution {
      const execution = { id: executions.length, agent, ordinal, used: noUsage, judged: noUsage, doomed, lost: false }
      executions.push(execution)
      const others = byTrial.get(ordinal)
      if (others) others.push(execution)
      else byTrial.set(ordinal, [execution])
      return execution
    },
    /** What one answer takes: tokens out make the price, tokens in are its mark, by which it is known again. */
    price: (): Usage => ({ ...noUsage, input_tokens: random.int(1, 2 ** 30), output_tokens: random.int(1, 9) * 100 }),
    bill(execution: Execution, usage: Usage, judge: boolean): void {
      const side = judge ? 'judged' : 'used'
      const before = execution[side]
      execution[side] = {
        ...before,
        input_tokens: before.input_tokens + usage.input_tokens,
        output_tokens: before.output_tokens + usage.output_tokens,
      }
      total += usage.output_tokens
    },
    /** What the provider answers to a trial: right or wrong for good. */
    answer: (ordinal: number): 'right' | 'wrong' => (ordinal % 3 === 0 ? 'wrong' : 'right'),
  }
}
export type Ledger = ReturnType<typeof createLedger>
