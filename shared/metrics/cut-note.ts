import type { PlannedBenchmark, Tally } from '../contract/run.ts'
import type { Usage } from '../contract/usage.ts'

/** Below this share cut answers are not worth a warning. */
const worthSaying = 0.01

/** Flag of an answer that was cut off before `max_tokens`, where its question and it filled the model's window. */
export const windowFullFlag = 'window_full'
/** Flag of an answer that its provider ended with `length` before `max_tokens`, as far as is known with room left in the window. */
export const endedEarlyFlag = 'ended_early'

/** A limit counts as met from this share of it: providers count tokens in their own way. */
const near = 0.9

/**
 * Which limit, other than `max_tokens`, an answer met that its provider ended with `length`; null where it was `max_tokens`, or where nobody can tell without
 * usage. A window that is not known cannot have been seen full.
 */
export function limitMet(
  { input_tokens, output_tokens }: Pick<Usage, 'input_tokens' | 'output_tokens'>,
  { max_tokens }: Pick<PlannedBenchmark['params'], 'max_tokens'>,
  context_length: number | null,
): typeof windowFullFlag | typeof endedEarlyFlag | null {
  if (output_tokens === 0 || (max_tokens !== null && output_tokens >= near * max_tokens)) return null
  if (context_length !== null && input_tokens + output_tokens >= near * context_length) return windowFullFlag
  return max_tokens === null ? null : endedEarlyFlag
}

/**
 * Sentences for beside the score where at least one answer in a hundred was cut off, with what to do: at the token limit, where the window of
 * `context_length` tokens was full, or before either; null elsewhere. A cut answer is scored as it stands, so the score says less about the model than about the limit.
 */
export function cutNote(
  tally: Pick<Tally, 'right' | 'wrong' | 'flags'>,
  { params }: Pick<PlannedBenchmark, 'params'>,
  context_length: number | null = null,
): string | null {
  const answers = tally.right + tally.wrong
  if (answers === 0) return null
  const cut = tally.flags.truncated ?? 0
  const full = Math.min(cut, tally.flags[windowFullFlag] ?? 0)
  const early = Math.min(cut - full, tally.flags[endedEarlyFlag] ?? 0)
  const notes = [
    atLimit((cut - full - early) / answers, params.max_tokens),
    atWindow(full / answers, context_length),
    endedEarly(early / answers, params.max_tokens, context_length),
  ].filter((note) => note !== null)
  return notes.length > 0 ? notes.join(' ') : null
}

const advice = 'and scored as they stood: the score may be too low.'
const shareText = (share: number): string => `${share < 1 ? Math.min(99, Math.round(share * 100)) : 100} %`
const cutOff = (share: number): string => `${shareText(share)} of answers were cut off`

function atLimit(share: number, max_tokens: number | null): string | null {
  if (share < worthSaying) return null
  if (max_tokens === null)
    return `${cutOff(share)} at the model's own limit of tokens ${advice} Name a larger max_tokens if the model takes it.`
  return `${cutOff(share)} at max_tokens = ${max_tokens.toLocaleString('en-US')} ${advice} Run it again with a larger max_tokens.`
}

function atWindow(share: number, context_length: number | null): string | null {
  if (share < worthSaying) return null
  const window = context_length === null ? "the model's window" : `the model's window of ${context_length.toLocaleString('en-US')} tokens`
  return `${cutOff(share)} before max_tokens, where ${window} was full, ${advice} Serve the model with a longer context; a larger max_tokens changes nothing.`
}

function endedEarly(share: number, max_tokens: number | null, context_length: number | null): string | null {
  if (share < worthSaying) return null
  const limit = max_tokens === null ? 'max_tokens' : `max_tokens = ${max_tokens.toLocaleString('en-US')}`
  const perhaps = context_length === null ? ', at a limit of its own or where its window was full,' : ''
  return `${shareText(share)} of answers were ended by the provider with "length" before ${limit}${perhaps} ${advice} Look for a limit of the provider; a larger max_tokens changes nothing.`
}
