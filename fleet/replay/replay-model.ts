import type { Failure } from '#shared/contract/failure.ts'
import type { KeptAnswers } from '#shared/contract/regrade.ts'
import { noUsage } from '#shared/contract/usage.ts'
import { type ReplayedTrial, replayFinder } from '#shared/run/replay.ts'
import type { ModelOfTrial } from '../trial/trial-model.ts'

const atOnce = { usage: noUsage, usage_known: true, latency_ms: 0, ttft_ms: null, max_gap_ms: null }
const fromNobody = { reasoning: null, finish_reason: 'stop', model_reported: null, system_fingerprint: null }

/**
 * The tested model of a run whose answers were given: each trial gets the texts meant for it in turn, without asking anybody. What there is no
 * text for is a failure that names it, never an empty answer. `clean` takes the secrets of this agent out of a text.
 */
export function createReplayModel(answers: KeptAnswers, clean: (text: string) => string): ModelOfTrial {
  const find = replayFinder(answers)
  return (trial) => {
    const texts = find(trial)?.texts
    let asked = 0
    return {
      resetAt: () => null,
      async generate(_request, signal) {
        signal.throwIfAborted()
        const given = texts?.[asked++]
        if (given === undefined) return { ok: false, failure: noAnswer(trial, texts, asked) }
        const text = clean(given)
        return { ok: true, value: { text, ...fromNobody, ...atOnce, ...(text !== given && { redacted: true }) } }
      },
    }
  }
}

function noAnswer(
  { benchmark, item_id, source_id, epoch }: ReplayedTrial,
  texts: readonly string[] | undefined,
  question: number,
): Failure {
  const named = source_id === null || source_id === item_id ? item_id : `${item_id} (${source_id})`
  const trial = `item ${named} of ${benchmark}, epoch ${epoch}`
  const detail = texts
    ? `Question ${question} of ${trial}: its replay has ${texts.length === 1 ? 'one text' : `${texts.length} texts`}. Whoever gave it must start again with more.`
    : `No answer was given for ${trial}. Whoever gave the replay must start again with one.`
  return { at: 'replay', reason: 'no-answer', retryable: false, status: null, detail: detail.slice(0, 2000) }
}
