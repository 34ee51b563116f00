import type { ProviderReason } from '#shared/contract/failure.ts'
import { readParts, reasoningIn } from './delta-text.ts'
import { addReasoning, addRefusal, addText, type Draft, emptyDraft, isBlank, settleAgain } from './draft.ts'
import { errorIn, reasonOfError } from './error-forms.ts'
import { finishTold } from './finish-reasons.ts'
import { foldAside, foldSpent } from './fold-aside.ts'
import { type Fields, isFields } from './json-fields.ts'
import { laterUsage, readTimings, readUsage } from './read-usage.ts'
import { foldToolCalls, foldWholeCalls, legacyFragment } from './tool-call-fold.ts'

export type FoldProblem = { reason: ProviderReason; detail: string }

/** Names are cut to their length when keys have been looked for in them: a cut through a key would hide it. */
const mostUncut = 4096
const mostStrays = 10_000

/**
 * Folds one parsed chunk (or whole response body) into the draft; gives the problem when it cannot be read as an answer. `event` is the name of its
 * server-sent event.
 */
export function foldChunk(draft: Draft, chunk: unknown, event: string | null = null): FoldProblem | null {
  draft.token = false
  draft.content = false
  if (!isFields(chunk)) return foldBareError(draft, chunk, event)
  const error = errorIn(chunk, event)
  if (error !== null) return errorProblem(draft, error, chunk)
  if (typeof chunk.model === 'string' && chunk.model !== '') draft.model = chunk.model.slice(0, mostUncut)
  if (typeof chunk.system_fingerprint === 'string') draft.system_fingerprint = chunk.system_fingerprint.slice(0, mostUncut)
  const { choices } = chunk
  if (choices === undefined || choices === null) return foldBeside(draft, chunk)
  if (!Array.isArray(choices)) return bad('choices is not a list')
  if (choices.length === 0) return foldBeside(draft, chunk)
  const choice: unknown = choices[0]
  if (!isFields(choice)) return bad('choices[0] is not an object')
  if (choice.index !== 0 && choice.index !== undefined && choice.index !== null) return foldOther(draft, chunk, choices)
  const problem = foldChoice(draft, choice)
  if (chunk.usage || choice.usage || chunk.timings || chunk.x_groq || chunk.usageMetadata) foldUsages(draft, chunk, choice)
  return problem
}

/** An error that is a text in an error event, or stands in a list as Gemini sends it; anything else that is no object is no chunk. */
function foldBareError(draft: Draft, chunk: unknown, event: string | null): FoldProblem {
  const first: unknown = Array.isArray(chunk) ? chunk[0] : undefined
  const error = isFields(first) ? errorIn(first, event) : event === 'error' ? chunk : null
  return error === null ? bad('a chunk is not an object') : errorProblem(draft, error, {})
}

/** A chunk without a choice: usage behind the answer, or anything else that a server tells. */
function foldBeside(draft: Draft, chunk: Fields): null {
  const before = draft.usage
  foldUsages(draft, chunk, null)
  if (draft.usage === before) draft.other = chunk
  else if (draft.finish_reason !== null) draft.sure = true
  return null
}

/** A chunk whose first choice is another than that with index 0: only one was asked for, so that others count where that one never comes. */
function foldOther(draft: Draft, chunk: Fields, choices: readonly unknown[]): FoldProblem | null {
  const first = choices.find((choice) => isFields(choice) && choice.index === 0)
  if (first !== undefined) return foldChunk(draft, { ...chunk, choices: [first] })
  foldUsages(draft, chunk, choices[0])
  if (draft.answered) return null
  if (draft.strays.length >= mostStrays) return bad('no choice has the index 0')
  draft.strays.push(chunk)
  draft.token = true
  return null
}

/** Folds the chunks of another choice where the one with index 0 never came. */
export function foldStrays(draft: Draft): FoldProblem | null {
  const strays = draft.answered ? [] : draft.strays
  draft.strays = []
  const indexOf = ({ choices }: Fields): unknown => (choices as Fields[])[0]?.index // strays have an object as their first choice
  for (const stray of strays) {
    if (indexOf(stray) !== indexOf(strays[0]!)) continue
    const problem = foldChoice(draft, (stray.choices as Fields[])[0]!)
    if (problem) return problem
  }
  return null
}

/** Usage at every place where servers put it; the chunk's own goes before the others. */
function foldUsages(draft: Draft, chunk: Fields, choice: unknown): void {
  const { usage, timings, x_groq, message } = chunk
  if (isFields(choice)) takeUsage(draft, choice.usage, null)
  if (isFields(message)) takeUsage(draft, message.usage, null)
  if (isFields(x_groq)) takeUsage(draft, x_groq.usage, null)
  takeUsage(draft, chunk.usageMetadata, null)
  takeUsage(draft, usage, timings)
  if (timings) draft.timed = readTimings(timings) ?? draft.timed
}

function takeUsage(draft: Draft, usage: unknown, timings: unknown): void {
  if (!usage) return
  draft.usage = laterUsage(draft.usage, readUsage(usage, timings))
  draft.aside = foldSpent(draft.aside, usage)
}

function foldChoice(draft: Draft, choice: Fields): FoldProblem | null {
  if (choice.error && errorIn({ error: choice.error }, null) !== null) return errorProblem(draft, choice.error, choice)
  draft.answered = true
  const { delta, message } = choice
  const problem = isFields(delta)
    ? foldDelta(draft, delta, choice)
    : isFields(message)
      ? foldMessage(draft, message)
      : foldText(draft, choice)
  const told = finishTold(choice.finish_reason)
  if (told !== null) {
    if (isFields(delta)) takeUsage(draft, delta.usage, null)
    draft.sure = !draft.token || draft.whole || (draft.unfinished && draft.finish_reason === null)
    draft.finish_reason = told.slice(0, mostUncut)
  } else {
    draft.unfinished = true
    if (draft.token) draft.sure = false
  }
  return problem
}

function foldDelta(draft: Draft, delta: Fields, choice: Fields): FoldProblem | null {
  const { content } = delta
  if (content === undefined || content === null || content === '') {
    if (typeof choice.text === 'string') addText(draft, choice.text)
    // Some servers fill both, and only the message has the words.
    else if (isFields(choice.message) && !draft.pieces) return foldMessage(draft, choice.message)
  } else if (typeof content === 'string') addText(draft, content)
  const problem = foldFields(draft, delta)
  draft.pieces ||= draft.token
  return problem
}

/** The text of a completion that is no chat: older servers put it beside the delta or in its place. */
function foldText(draft: Draft, { text, delta, message }: Fields): FoldProblem | null {
  if (typeof text === 'string') addText(draft, text)
  else if (typeof delta === 'string') addText(draft, delta)
  else if (typeof message === 'string') addText(draft, message)
  draft.pieces ||= draft.token
  return null
}

/** All that a delta holds beside a text in its content. */
function foldFields(draft: Draft, delta: Fields): FoldProblem | null {
  const { content, refusal, tool_calls, function_call } = delta
  let told = ''
  if (typeof content === 'object' && content !== null) {
    const parts = Array.isArray(content) ? readParts(content) : undefined
    if (!parts) return bad('content is neither text nor a list of parts')
    addText(draft, parts.text)
    if (parts.refusal !== '') addRefusal(draft, parts.refusal)
    told = parts.reasoning
  } else if (content !== undefined && content !== null && typeof content !== 'string')
    return bad('content is neither text nor a list of parts')
  const reasoning = reasoningIn(delta)
  if (reasoning === undefined) return bad('reasoning is neither text nor a list of parts')
  addReasoning(draft, reasoning === '' ? told : reasoning)
  if (typeof refusal === 'string' && refusal !== '') addRefusal(draft, refusal)
  if (delta.janus || delta.artifacts) draft.aside = foldAside(draft.aside, delta)
  if (tool_calls !== undefined && tool_calls !== null) {
    draft.token ||= Array.isArray(tool_calls) && tool_calls.length > 0
    const problem = foldToolCalls(draft.tool_calls, tool_calls)
    if (problem !== null) return bad(problem)
  }
  const legacy = function_call && isEmptyList(tool_calls) ? legacyFragment(function_call) : null
  if (!legacy) return null
  draft.token = true
  const problem = foldToolCalls(draft.tool_calls, [legacy])
  return problem === null ? null : bad(problem)
}

const isEmptyList = (list: unknown): boolean => list === undefined || list === null || (Array.isArray(list) && list.length === 0)

/** A message in place of a delta: the whole answer, the answer told again behind its pieces, or a piece under another name. */
function foldMessage(draft: Draft, message: Fields): FoldProblem | null {
  takeUsage(draft, message.usage, null)
  draft.whole ||= !draft.pieces
  if (isBlank(draft)) return foldFields(draft, withText(draft, message))
  const read = emptyDraft()
  const problem = foldFields(read, withText(read, { ...message, tool_calls: null, function_call: null }))
  if (problem) return problem
  settleAgain(draft, read.text)
  if (!draft.pieces && read.text !== '' && !read.text.startsWith(draft.text)) addText(draft, read.text)
  else if (read.text.length > draft.text.length && read.text.startsWith(draft.text)) addText(draft, read.text.slice(draft.text.length))
  draft.refused ||= read.refused
  if (draft.reasoning === null) addReasoning(draft, read.reasoning ?? '')
  else if (!draft.pieces && read.reasoning !== null && !read.reasoning.startsWith(draft.reasoning)) addReasoning(draft, read.reasoning)
  const legacy = legacyFragment(message.function_call)
  const calls = isEmptyList(message.tool_calls) ? (legacy ? [legacy] : []) : message.tool_calls
  const told = foldWholeCalls(draft.tool_calls, calls)
  return told === null ? null : bad(told)
}

/** Adds a text in the content of a message at once, and gives the message for the rest of it. */
function withText(draft: Draft, message: Fields): Fields {
  if (typeof message.content === 'string') addText(draft, message.content)
  return message
}

/** An error under HTTP 200. Usage in the same chunk still counts. */
function errorProblem(draft: Draft, error: unknown, chunk: Fields): FoldProblem {
  draft.error = error
  takeUsage(draft, chunk.usage, chunk.timings)
  return { reason: reasonOfError(error), detail: typeof error === 'string' ? error : JSON.stringify(error) }
}

function bad(detail: string): FoldProblem {
  return { reason: 'bad-response', detail }
}
