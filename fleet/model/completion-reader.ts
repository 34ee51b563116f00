import type { ProviderReason } from '#shared/contract/failure.ts'
import type { ToolCall } from '#shared/contract/message.ts'
import type { StreamFacts } from '#shared/contract/stream.ts'
import { noUsage, type Usage } from '#shared/contract/usage.ts'
import { flatText } from '#shared/flat-text.ts'
import type { Completion } from '#shared/solvers/kit.ts'
import { factsOf, openStreamFold, sawChunk, sawData, sawLines } from '#shared/stream/stream-fold.ts'
import { type Draft, emptyDraft, type FoldProblem, foldChunk } from './chunk-fold.ts'
import { type ProviderFailure, providerFailure } from './provider-failure.ts'
import { createSseParser, type SseRest } from './sse-parser.ts'

/** A completion with the tool calls of the model, also those nobody offered; `streamed` where it did not come as one whole message. */
export type Answer = Completion & { tool_calls: ToolCall[]; streamed: boolean }

export type ReadResult = { ok: true; value: Answer } | { ok: false; failure: ProviderFailure; usage: Usage | null; stream: StreamFacts }

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
  /** How it came in so far, for an answer that is given up. */
  facts(nowMs: number, end: StreamFacts['end']): StreamFacts
}

/**
 * Reads a chat completion, streamed or whole, from the bytes of a response body, and observes how it comes in. Times are milliseconds of one
 * monotonic clock; `sentMs` is the moment the request was sent. Gaps run from line to line with the send as the first (janus 1.6). `fold` holds
 * what was observed before the body.
 */
export function createCompletionReader(sentMs: number, redact: (text: string) => string, fold = openStreamFold(sentMs)): CompletionReader {
  const draft = emptyDraft()
  let problem: FoldProblem | null = null
  let done = false
  let bytesRead = 0
  let nowMs = sentMs

  const takeChunk = (chunk: unknown): void => {
    problem = foldChunk(draft, chunk)
    sawChunk(fold, nowMs, draft.token, draft.content)
  }
  const onData = (data: string): void => {
    if (done || problem) return
    sawData(fold, nowMs)
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
    else for (const chunk of chunks) if (!problem) takeChunk(chunk)
  }
  const parser = createSseParser(onData)

  const facts = (now: number, end: StreamFacts['end']): StreamFacts =>
    factsOf(fold, now, end, { keep_alives: parser.comments(), output_tokens: draft.usage?.output_tokens ?? null })
  const fail = (reason: ProviderReason, detail: string, end: StreamFacts['end']): ReadResult => {
    return { ok: false, failure: providerFailure(reason, redact(detail), 200), usage: draft.usage, stream: facts(nowMs, end) }
  }
  const complete = (): ReadResult => {
    const end = done || draft.whole ? 'done' : 'closed'
    const refused = finishProblems[draft.finish_reason ?? '']
    if (refused) return fail(refused, `finish_reason ${draft.finish_reason}`, end)
    if (!isAnswer(draft)) return fail('empty-response', 'the reply holds no choice, or neither text nor a finish reason', end)
    return { ok: true, value: answerOf(draft, facts(nowMs, end)) }
  }

  const finish = (): ReadResult => {
    const rest = parser.end()
    if (rest.data !== null || rest.bare !== null) {
      sawLines(fold, nowMs)
      sawData(fold, nowMs)
    }
    readRest(rest, draft, onData, takeChunk)
    if (problem) return fail(problem.reason, problem.detail, 'cut')
    if (done || draft.finish_reason !== null || draft.whole) return complete()
    if (!draft.answered && rest.bare !== null && !isTorn(rest.bare)) {
      return fail('bad-response', `the body is no completion: ${rest.bare}`, 'cut')
    }
    return fail('cut-stream', 'the stream ended before the answer was finished', 'cut')
  }

  return {
    push(bytes, now) {
      nowMs = now
      bytesRead += bytes.byteLength
      if (bytesRead > mostBytes) return fail('too-large', `the answer is larger than ${mostBytes} bytes`, 'cut')
      if (parser.push(bytes) > 0) sawLines(fold, nowMs)
      if (problem) return fail(problem.reason, problem.detail, 'cut')
      return done ? finish() : null
    },
    end(now) {
      nowMs = now
      return finish()
    },
    usage: () => draft.usage,
    error: () => draft.error,
    soFar: () => draft,
    started: () => fold.tokenChunks > 0,
    facts,
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

function answerOf(draft: Draft, stream: StreamFacts): Answer {
  return {
    text: flatText(draft.text), // until now the pieces in which it came
    reasoning: draft.reasoning && flatText(draft.reasoning),
    finish_reason: draft.finish_reason,
    usage: draft.usage ?? noUsage,
    usage_known: draft.usage !== null,
    latency_ms: stream.duration_ms,
    ttft_ms: stream.first_token_ms,
    max_gap_ms: stream.max_gap_ms,
    stream,
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
