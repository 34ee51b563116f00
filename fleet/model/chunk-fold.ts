import type { CallAside } from '#shared/contract/aside.ts'
import type { ProviderReason } from '#shared/contract/failure.ts'
import type { ToolCall } from '#shared/contract/message.ts'
import { noUsage, type Usage } from '#shared/contract/usage.ts'
import { foldAside, foldSpent } from './fold-aside.ts'
import { codeOf, reasonOfCode, reasonOfStatus } from './provider-failure.ts'

/** What has been read of an answer so far. Owned by one reader and changed in place: chunks are the hot path. */
export type Draft = {
  text: string
  reasoning: string | null
  finish_reason: string | null
  tool_calls: ToolCall[]
  usage: Usage | null
  model: string | null
  system_fingerprint: string | null
  /** A choice was seen at all; streams without one hold no answer. */
  answered: boolean
  /** What the provider told beside the answer; null while it told nothing. */
  aside: CallAside | null
  /** The error that ended it, as it came. */
  error: unknown
  /** Came as one finished message instead of deltas. */
  whole: boolean
  /** What the last chunk brought: a token of any kind, and content of the answer's own. */
  token: boolean
  content: boolean
}

export type FoldProblem = { reason: ProviderReason; detail: string }

export function emptyDraft(): Draft {
  return {
    text: '',
    reasoning: null,
    finish_reason: null,
    tool_calls: [],
    usage: null,
    model: null,
    system_fingerprint: null,
    answered: false,
    aside: null,
    error: null,
    whole: false,
    token: false,
    content: false,
  }
}

type Fields = Record<string, unknown>

/** Names are cut to their length when keys have been looked for in them: a cut through a key would hide it. */
const mostUncut = 4096

/** Folds one parsed chunk (or whole response body) into the draft; gives the problem when it cannot be read as an answer. */
export function foldChunk(draft: Draft, chunk: unknown): FoldProblem | null {
  draft.token = false
  draft.content = false
  if (!isObject(chunk)) return bad('a chunk is not an object')
  if (chunk.error !== undefined && chunk.error !== null) return errorProblem(draft, chunk.error)
  if (typeof chunk.model === 'string' && chunk.model !== '') draft.model = chunk.model.slice(0, mostUncut)
  if (typeof chunk.system_fingerprint === 'string') draft.system_fingerprint = chunk.system_fingerprint.slice(0, mostUncut)
  if (chunk.usage !== undefined && chunk.usage !== null) {
    draft.usage = usageOf(chunk.usage, chunk.timings)
    draft.aside = foldSpent(draft.aside, chunk.usage)
  }
  const { choices } = chunk
  if (choices === undefined || choices === null) return null
  if (!Array.isArray(choices)) return bad('choices is not a list')
  return choices.length === 0 ? null : foldChoice(draft, choices[0])
}

function foldChoice(draft: Draft, choice: unknown): FoldProblem | null {
  if (!isObject(choice)) return bad('choices[0] is not an object')
  if (choice.error !== undefined && choice.error !== null) return errorProblem(draft, choice.error)
  draft.answered = true
  if (typeof choice.finish_reason === 'string' && choice.finish_reason !== '')
    draft.finish_reason = choice.finish_reason.slice(0, mostUncut)
  if (isObject(choice.delta)) return foldDelta(draft, choice.delta)
  if (!isObject(choice.message)) return null
  draft.whole = true
  return foldDelta(draft, choice.message)
}

function foldDelta(draft: Draft, delta: Fields): FoldProblem | null {
  const content = textOf(delta.content)
  if (content === undefined) return bad('content is neither text nor a list of parts')
  draft.text += content
  draft.content = content !== ''
  const reasoning = textOf(delta.reasoning_content || delta.reasoning)
  if (reasoning === undefined) return bad('reasoning is neither text nor a list of parts')
  if (reasoning !== '') draft.reasoning = draft.reasoning === null ? reasoning : draft.reasoning + reasoning
  if (delta.janus || delta.artifacts) draft.aside = foldAside(draft.aside, delta)
  draft.token = draft.content || reasoning !== ''
  if (delta.tool_calls === undefined || delta.tool_calls === null) return null
  draft.token ||= Array.isArray(delta.tool_calls) && delta.tool_calls.length > 0
  return foldToolCalls(draft.tool_calls, delta.tool_calls)
}

/** Text, or a list of text parts as some servers send; null counts as nothing. Undefined: none of these. */
function textOf(content: unknown): string | undefined {
  if (typeof content === 'string') return content
  if (content === undefined || content === null) return ''
  if (!Array.isArray(content)) return undefined
  let text = ''
  for (const part of content) {
    if (typeof part === 'string') text += part
    else if (isObject(part) && typeof part.text === 'string') text += part.text
    else if (!isObject(part)) return undefined
  }
  return text
}

const mostToolCalls = 1000

function foldToolCalls(calls: ToolCall[], fragments: unknown): FoldProblem | null {
  if (!Array.isArray(fragments)) return bad('tool_calls is not a list')
  for (const [position, fragment] of fragments.entries()) {
    if (!isObject(fragment)) return bad('a tool call is not an object')
    const index = typeof fragment.index === 'number' ? fragment.index : position
    if (!Number.isInteger(index) || index < 0 || index >= mostToolCalls) return bad('a tool call has no usable index')
    while (calls.length <= index) calls.push({ id: null, name: null, arguments: '' })
    const call = calls[index]
    const named = isObject(fragment.function) ? fragment.function : {}
    if (!call) return bad('a tool call has no usable index')
    if (typeof fragment.id === 'string') call.id = fragment.id
    if (typeof named.name === 'string') call.name = named.name
    if (typeof named.arguments === 'string') call.arguments += named.arguments
  }
  return null
}

/** More tokens than any request can cost: a figure above is a fault of the provider, not a bill. */
const mostTokens = 100_000_000

/**
 * Usage of one call; null (unknown) when either count is missing, negative, fractional or absurd. Parts never exceed their whole. What came from a cache
 * DeepSeek tells as `prompt_cache_hit_tokens`, and llama.cpp, where it leaves out the details, in its `timings`.
 */
export function usageOf(usage: unknown, timings: unknown = null): Usage | null {
  if (!isObject(usage)) return null
  const input = tokens(usage.prompt_tokens)
  const output = tokens(usage.completion_tokens)
  if (input === null || output === null) return null
  const inputDetails = isObject(usage.prompt_tokens_details) ? usage.prompt_tokens_details : {}
  const outputDetails = isObject(usage.completion_tokens_details) ? usage.completion_tokens_details : {}
  const fromCache = inputDetails.cached_tokens ?? usage.prompt_cache_hit_tokens ?? (isObject(timings) ? timings.cache_n : null)
  const cached = tokens(fromCache) ?? 0
  const reasoning = tokens(outputDetails.reasoning_tokens ?? usage.reasoning_tokens) ?? 0
  if (input === 0 && output === 0 && cached === 0 && reasoning === 0) return noUsage
  return {
    input_tokens: input,
    output_tokens: output,
    cached_tokens: Math.min(cached, input),
    reasoning_tokens: Math.min(reasoning, output),
  }
}

function tokens(value: unknown): number | null {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= mostTokens ? value : null
}

/** An error object under HTTP 200: its machine code decides, a numeric code is read as the status it stands for. */
function errorProblem(draft: Draft, error: unknown): FoldProblem {
  draft.error = error
  const detail = typeof error === 'string' ? error : JSON.stringify(error)
  const named = reasonOfCode(codeOf(error))
  if (named) return { reason: named, detail }
  const code = isObject(error) ? Number(error.code) : Number.NaN
  const reason = Number.isInteger(code) && code >= 400 && code < 600 ? reasonOfStatus(code, null) : 'server-error'
  return { reason, detail }
}

function bad(detail: string): FoldProblem {
  return { reason: 'bad-response', detail }
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
