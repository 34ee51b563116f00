import type { EvidenceOf } from '../contract/evidence/evidence.ts'
import type { Score } from '../contract/item.ts'
import { answerFlags } from './reading-score.ts'

/** What was read in a judge's last reply. `answer` is what the judged text answers, as far as that is known; `why` ends the explanation. */
export type Verdict = { right: boolean; answer: string | null; why: string; detail: Score['detail'] }

/**
 * The score of a judged answer. An answer that nobody had to judge is wrong and unparsed; so is one whose reply holds no verdict, which the solver never
 * lets through. `facts` go into the detail either way.
 */
export function judgedScore(verdict: Verdict | null, target: string, evidence: EvidenceOf<'judged'>, facts: Score['detail'] = {}): Score {
  const { judge } = evidence
  const right = verdict?.right ?? false
  const answer = verdict?.answer ?? null
  const flags = [...(answer === null ? ['unparsed'] : []), ...answerFlags(evidence)]
  const said = verdict
    ? `${judge?.model ?? 'The judge'} judged it ${right ? 'right' : 'wrong'}${verdict.why === '' ? '' : `: ${verdict.why}`}`
    : null
  const nothing = judge === null ? 'The answer is empty, so there was nothing to judge' : 'The reply of the judge holds no verdict'
  return {
    value: right ? 1 : 0,
    outcome: right ? 'right' : 'wrong',
    answer,
    explanation: `${(said ?? nothing).replace(/[.\s]+$/, '')}. Expected ${target}.`,
    flags,
    detail: { ...facts, ...verdict?.detail },
  }
}
