import type { PlannedBenchmark, Tally } from '../contract/run.ts'

/** Below this share cut answers are not worth a warning. */
const worthSaying = 0.01

/** Flag of an answer that was cut off before `max_tokens`: the window, or a limit of the model's own, was full. */
export const windowFullFlag = 'window_full'

/**
 * Sentences for beside the score where at least one answer in a hundred was cut off, with what to do: at the token limit, or where the window of
 * `context_length` tokens was full; null elsewhere. A cut answer is scored as it stands, so the score says less about the model than about the limit.
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
  const notes = [atLimit((cut - full) / answers, params.max_tokens), atWindow(full / answers, context_length)].filter(
    (note) => note !== null,
  )
  return notes.length > 0 ? notes.join(' ') : null
}

const advice = 'and scored as they stood: the score may be too low.'
const cutOff = (share: number): string => `${share < 1 ? Math.min(99, Math.round(share * 100)) : 100} % of answers were cut off`

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
