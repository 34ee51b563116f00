import type { EvidenceOf } from '../contract/evidence/evidence.ts'
import type { Failure } from '../contract/failure.ts'
import type { Item } from '../contract/item.ts'
import type { Message } from '../contract/message.ts'
import { judgeReply } from '../scorers/judge-verdict.ts'
import { answeredEvidence } from './generate.ts'
import type { AskRequest, Solver } from './kit.ts'

export type Judging = {
  /** What the judge is asked about an answer, which is given without its reasoning. */
  ask(item: Item, answer: string): Message[]
  /** Whether a reply, without its reasoning, holds a verdict. The scorer reads the verdict itself. */
  readable(reply: string): boolean
  /** How often a reply without a verdict is asked for again. The reserve of a run's budget covers two. */
  retries: 0 | 1 | 2
  /** The form of a structured reply; it is asked for where the judge is planned with one. */
  schema: NonNullable<AskRequest['schema']> | null
}

/**
 * One answer, then a judge's verdict about it, which ends in evidence: the scorer reads it and no judge is needed to score again. An empty
 * answer is not judged. A judge that fails, or whose replies hold no verdict, is a failure of the trial and never a wrong answer.
 */
export function judged(judging: Judging): Solver<'judged'> {
  return async (item, kit) => {
    const answered = answeredEvidence(await kit.ask('model', { messages: item.messages }))
    if (!answered.ok) return answered
    const completion = answered.value
    const answer = completion.scoring_input ?? completion.text
    const evidence = (judge: EvidenceOf<'judged'>['judge']) => ({
      ok: true as const,
      value: { ...completion, kind: 'judged' as const, judge },
    })
    if (answer.trim() === '') return evidence(null)
    const { judge } = kit.helpers
    if (!judge) return { ok: false, failure: noJudge }
    const messages = judging.ask(item, answer)
    const replies: string[] = []
    for (let left = judging.retries; left >= 0; left--) {
      const reply = await kit.ask('judge', { messages, schema: judge.schema ? judging.schema : null })
      if (!reply.ok) return reply
      const text = judgeReply(reply.value.text)
      replies.push(text)
      if (judging.readable(text)) return evidence({ model: judge.model, replies })
    }
    return { ok: false, failure: unreadable(judge.model, replies) }
  }
}

const noJudge: Failure = {
  at: 'solver',
  reason: 'error',
  retryable: false,
  status: null,
  detail: 'The benchmark was planned without a judge.',
}

function unreadable(model: string, replies: readonly string[]): Failure {
  const times = replies.length === 1 ? 'once' : `${replies.length} times`
  const detail = `${model} was asked ${times} and gave no verdict; last it wrote: ${(replies.at(-1) ?? '').slice(0, 1000)}`
  return { at: 'judge', reason: 'unreadable', retryable: true, status: null, detail }
}
