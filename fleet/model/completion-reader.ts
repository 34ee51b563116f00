import type { ProviderReason } from '#shared/contract/failure.ts'
import type { ToolCall } from '#shared/contract/message.ts'
import { noUsage, type Usage } from '#shared/contract/usage.ts'
import type { Completion } from '#shared/solvers/kit.ts'
import { type Draft, emptyDraft, type FoldProblem, foldChunk } from './chunk-fold.ts'
import { type ProviderFailure, providerFailure } from './provider-failure.ts'
import { createSseParser, type SseRest } from './sse-parser.ts'

/** A completion with the tool calls of the model, also those nobody offered; `streamed` where it did not come as one whole message. */
export type Answer = Completion & { tool_calls: ToolCall[]; streamed: boolean }

export type ReadResult = { ok: true; value: Answer } | { ok: false; failure: ProviderFailure; usage: Usage | null }

/** Largest body that is read, in bytes. */
export const mostBytes = 32 * 1024 * 1024

export type CompletionReader = {
  /** Takes the next bytes; gives the result as soon as it stands, `[DONE]` or a failure, and null while more must come. */
  push(bytes: Uint8Array, nowMs: number): ReadResult | null
  /** The body ended, orderly or not: an answer with a finish reason is whole, anything else was cut. */
  end(nowMs: number): ReadResult
  /** Usage told so far, for calls that end in a failure. */
  usage(): Usage | null
  /** The error that the provider ended the answer with, where it did. */
  error(): unknown
  /** What has come of the answer, as the provider sent it. */
  soFar(): Pick<Draft, 'text' | 'reasoning'>
  /** Whether something of the answer has come. */
  started(): boolean
}

/**
 * Reads a chat completion, streamed or whole, from the bytes of a response body. Times are milliseconds of one monotonic clock;
 * `sentMs` is the moment the request was sent. Gaps run from line to line with the send as the first (janus 1.6).
 */
export function createCompletionReader(sentMs: number, redact: (text: string) => string): CompletionReader {
  const draft = emptyDraft()
  let problem: FoldProblem | null = null
  let done = false
  let bytesRead = 0
  let lineMs = sentMs
  let gapMs: number | null = null
  let tokenMs: number | null = null
  let nowMs = sentMs

  const fold = (chunk: unknown): void => {
    problem = foldChunk(draft, chunk)
    if (tokenMs === null && hasToken(draft)) tokenMs = nowMs
  }
  const onData = (data: string): void => {
    if (done || problem) return
    if (data === '[DONE]') {
      done = true
      return
    }
    if (data.endsWith('\n[DONE]')) {
      onData(data.slice(0, -7))
      done = true
      return
    }
    const chunks = parseData(data)
    if (!chunks) problem = { reason: 'bad-response', detail: `a chunk is not JSON: ${data}` }
    else for (const chunk of chunks) if (!problem) fold(chunk)
  }
  const parser = createSseParser(onData)

  const sawLine = (): void => {
    gapMs = Math.max(gapMs ?? 0, nowMs - lineMs)
    lineMs = nowMs
  }
  const fail = (reason: ProviderReason, detail: string): ReadResult => {
    return { ok: false, failure: providerFailure(reason, redact(detail), 200), usage: draft.usage }
  }
  const complete = (): ReadResult => {
    const refused = finishProblems[draft.finish_reason ?? '']
    if (refused) return fail(refused, `finish_reason ${draft.finish_reason}`)
    if (!isAnswer(draft)) return fail('empty-response', 'the reply holds no choice, or neither text nor a finish reason')
    const times = {
      latency_ms: toMicroseconds(nowMs - sentMs),
      ttft_ms: tokenMs === null ? null : toMicroseconds(tokenMs - sentMs),
      max_gap_ms: gapMs === null ? null : toMicroseconds(gapMs),
    }
    return { ok: true, value: answerOf(draft, times) }
  }

  const finish = (): ReadResult => {
    const rest = parser.end()
    if (rest.data !== null || rest.bare !== null) sawLine()
    readRest(rest, draft, onData, fold)
    if (problem) return fail(problem.reason, problem.detail)
    if (done || draft.finish_reason !== null || draft.whole) return complete()
    if (!draft.answered && rest.bare !== null && !isTorn(rest.bare)) {
      return fail('bad-response', `the body is no completion: ${rest.bare}`)
    }
    return fail('cut-stream', 'the stream ended before the answer was finished')
  }

  return {
    push(bytes, now) {
      nowMs = now
      bytesRead += bytes.byteLength
      if (bytesRead > mostBytes) return fail('too-large', `the answer is larger than ${mostBytes} bytes`)
      if (parser.push(bytes) > 0) sawLine()
      if (problem) return fail(problem.reason, problem.detail)
      return done ? finish() : null
    },
    end(now) {
      nowMs = now
      return finish()
    },
    usage: () => draft.usage,
    error: () => draft.error,
    soFar: () => draft,
    started: () => tokenMs !== null,
  }
}

/** Finish reasons with which a server says that this is no answer of the model. */
const finishProblems: Record<string, ProviderReason> = { content_filter: 'content-filter', error: 'server-error', abort: 'cut-stream' }

/** Folds what stands behind the last terminator, where it is whole JSON; anything else is the torn end of a cut stream. */
function readRest(rest: SseRest, draft: Draft, onData: (data: string) => void, fold: (chunk: unknown) => void): void {
  if (rest.data !== null && (rest.data === '[DONE]' || parseData(rest.data))) onData(rest.data)
  // A finished answer stays one, whatever trails it: asking again would re-roll it.
  if (rest.bare === null || draft.finish_reason !== null) return
  const body = parseJson(rest.bare)
  if (body !== undefined) fold(body)
}

/** Whether unreadable text may be the torn beginning of a JSON body or of a field name; anything else was never an answer. */
function isTorn(text: string): boolean {
  return /^\s*(?:\{|[a-z]{0,5}$)/.test(text)
}

function hasToken(draft: Draft): boolean {
  return draft.text !== '' || draft.reasoning !== null || draft.tool_calls.length > 0
}

/**
 * Whether the model has answered, if only with silence or with tool calls nobody offered: a finished choice is an answer, and asking again would give
 * the model a second try that others do not have. Without a choice, or with nothing in it and no end, something on the way is broken.
 */
function isAnswer(draft: Draft): boolean {
  return draft.answered && (draft.finish_reason !== null || hasToken(draft))
}

/** Clocks tell more digits than they know. */
const toMicroseconds = (ms: number): number => Math.round(ms * 1000) / 1000

function answerOf(draft: Draft, times: Pick<Completion, 'latency_ms' | 'ttft_ms' | 'max_gap_ms'>): Answer {
  return {
    text: draft.text,
    reasoning: draft.reasoning,
    finish_reason: draft.finish_reason,
    usage: draft.usage ?? noUsage,
    usage_known: draft.usage !== null,
    ...times,
    model_reported: draft.model,
    system_fingerprint: draft.system_fingerprint,
    tool_calls: draft.tool_calls,
    streamed: !draft.whole,
    ...(draft.aside && { aside: draft.aside }),
  }
}

/** The JSON documents of one event: one, or one a line where a server leaves out the blank lines between events. */
function parseData(data: string): unknown[] | null {
  const whole = parseJson(data)
  if (whole !== undefined) return [whole]
  if (!data.includes('\n')) return null
  const chunks = data.split('\n').map(parseJson)
  return chunks.includes(undefined) ? null : chunks
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
