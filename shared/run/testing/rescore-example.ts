import type * as z from 'zod'
import { card } from '../../benchmarks/mmlu_pro/card.ts'
import type { Task } from '../../benchmarks/task.ts'
import type { CompletionEvidence } from '../../contract/evidence/completion.ts'
import type { PlannedBenchmark } from '../../contract/run.ts'
import type { TrialRecord } from '../../contract/trial.ts'
import { noUsage } from '../../contract/usage.ts'

const params = { temperature: 0, top_p: null, max_tokens: 64, stop: null, seed: null, reasoning_effort: null }
export const planned: PlannedBenchmark = {
  ...{ name: 'mmlu_pro', version: 1, profile: 'builtin', epochs: 1, total_items: 1000, sampled_items: 100, gated: false, params },
  data: { source: 'sample', repo: 'example', revision: 'a'.repeat(40), files: [] },
}

export const answered = (text: string): z.infer<typeof CompletionEvidence> => ({
  kind: 'completion',
  text,
  reasoning: null,
  finish_reason: 'stop',
  scoring_input: null,
  truncated_reasoning: false,
})

/** Right when the answer's last letter is the expected one: a scorer whose results can be seen at a glance. */
export const lastLetter: Pick<Task, 'score' | 'card'> = {
  card,
  score({ target }, evidence) {
    const answer = evidence.text.at(-1) ?? null
    const right = answer === target
    const flags = answer === null ? ['unparsed'] : []
    const outcome = right ? 'right' : 'wrong'
    return { value: right ? 1 : 0, outcome, answer, explanation: `last letter ${answer}`, flags, detail: { length: evidence.text.length } }
  },
}

/** The record that a run keeps of this answer, scored by `lastLetter`. */
export function recordOf(ordinal: number, text: string, expected: string, more: Partial<TrialRecord> = {}): TrialRecord {
  const evidence = answered(text)
  const { value, ...score } = lastLetter.score({ target: expected, metadata: {} }, evidence, 'builtin', { get: () => never() })
  return {
    ...{ ordinal, attempt: 1, benchmark: 'mmlu_pro', item_id: String(ordinal), epoch: 0, source_id: null, item_hash: 'ab', group: null },
    ...{ expected, messages: [], params: null, evidence, failure: null, item_metadata: { options: ['a', 'b'] } },
    ...{ usage: noUsage, cost_usd: null, calls: 1, model_reported: null, system_fingerprint: null },
    ...{ latency_ms: 1, ttft_ms: null, max_gap_ms: null },
    ...score,
    score: value,
    ...more,
  }
}

function never(): never {
  throw new Error('this scorer reads no table')
}
