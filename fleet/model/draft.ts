import type { CallAside } from '#shared/contract/aside.ts'
import { finishMeaning } from './finish-reasons.ts'
import type { Fields } from './json-fields.ts'
import type { ToldUsage } from './read-usage.ts'
import type { OpenCalls } from './tool-call-fold.ts'

/** What has been read of an answer so far. Owned by one reader and changed in place: chunks are the hot path. */
export type Draft = {
  text: string
  reasoning: string | null
  /** As the provider spells it. */
  finish_reason: string | null
  /** The finish reason is the end: nothing came behind it, and chunks before it told none. */
  sure: boolean
  /** A chunk of the choice came that told no finish reason. */
  unfinished: boolean
  tool_calls: OpenCalls
  usage: ToldUsage | null
  /** What llama.cpp's `timings` tell, for answers without usage. */
  timed: ToldUsage | null
  model: string | null
  system_fingerprint: string | null
  /** A choice was seen at all; streams without one hold no answer. */
  answered: boolean
  /** The text is the model's refusal, or ends in one. */
  refused: boolean
  /** What the provider told beside the answer; null while it told nothing. */
  aside: CallAside | null
  /** The error that ended it, as it came. */
  error: unknown
  /** Came as one finished message instead of deltas. */
  whole: boolean
  /** Deltas came: a message behind them repeats them. */
  pieces: boolean
  /** A delta that is the same as the whole text before it. It is the text told again, unless more comes. */
  again: string
  /** Chunks of other choices than the first, which are read where the first never comes. */
  strays: Fields[]
  /** The last chunk that held neither a choice nor usage. */
  other: Fields | null
  /** What the last chunk brought: a token of any kind, and content of the answer's own. */
  token: boolean
  content: boolean
}

export function emptyDraft(): Draft {
  return {
    text: '',
    reasoning: null,
    finish_reason: null,
    sure: false,
    unfinished: false,
    tool_calls: [],
    usage: null,
    timed: null,
    model: null,
    system_fingerprint: null,
    answered: false,
    refused: false,
    aside: null,
    error: null,
    whole: false,
    pieces: false,
    again: '',
    strays: [],
    other: null,
    token: false,
    content: false,
  }
}

/** A shorter text may well be said twice. */
const leastRepeated = 16

/** Adds a piece of text. One that is the whole text before it is held back: RAGFlow ends its streams by telling all of it again. */
export function addText(draft: Draft, text: string): void {
  if (text === '') return
  draft.token = true
  draft.content = true
  if (draft.again !== '') {
    draft.text += draft.again
    draft.again = ''
  }
  if (text.length === draft.text.length && text.length >= leastRepeated && text === draft.text) draft.again = text
  else draft.text += text
}

/** Adds a piece of reasoning, unless it is the whole of it told again. */
export function addReasoning(draft: Draft, reasoning: string): void {
  if (reasoning === '') return
  draft.token = true
  const before = draft.reasoning
  if (before !== null && before.length === reasoning.length && reasoning.length >= leastRepeated && before === reasoning) return
  draft.reasoning = before === null ? reasoning : before + reasoning
}

/** A refusal is what the model said, so it is the text of the answer. */
export function addRefusal(draft: Draft, refusal: string): void {
  draft.refused = true
  addText(draft, refusal)
}

/** A text that was held back counts where a message shows that the answer holds it. */
export function settleAgain(draft: Draft, whole: string): void {
  if (draft.again !== '' && whole === draft.text + draft.again) draft.text = whole
  draft.again = ''
}

/** Whether nothing of the answer has come yet. */
export const isBlank = (draft: Draft): boolean => draft.text === '' && draft.reasoning === null && draft.tool_calls.length === 0

/** Whether a finish reason has ended the answer, whatever it says. */
export const hasEnded = (draft: Draft): boolean => draft.sure && draft.finish_reason !== null

/** Whether a finish reason has ended the answer and says that it is one. */
export function isFinished(draft: Draft): boolean {
  if (!draft.sure || draft.finish_reason === null) return false
  const meaning = finishMeaning(draft.finish_reason)
  return meaning === null || 'as' in meaning
}
