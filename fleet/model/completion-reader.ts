import type { ProviderReason } from '#shared/contract/failure.ts'
import type { ToolCall } from '#shared/contract/message.ts'
import type { StreamFacts } from '#shared/contract/stream.ts'
import { noUsage, type Usage } from '#shared/contract/usage.ts'
import { flatText } from '#shared/flat-text.ts'
import type { Completion } from '#shared/solvers/kit.ts'
import { factsOf, openStreamFold, sawChunk, sawData, sawLines } from '#shared/stream/stream-fold.ts'
import { type FoldProblem, foldChunk, foldStrays } from './chunk-fold.ts'
import { type Draft, emptyDraft, hasEnded, isFinished } from './draft.ts'
import { errorIn } from './error-forms.ts'
import { finishMeaning } from './finish-reasons.ts'
import { type Fields, isFields } from './json-fields.ts'
import { type ProviderFailure, providerFailure } from './provider-failure.ts'
import { usageTold } from './read-usage.ts'
import { createSseParser } from './sse-parser.ts'
import { closeCalls } from './tool-call-fold.ts'

/**
 * A completion with the tool calls of the model, also those nobody offered; `streamed` where it did not come as one whole message. `usage_told`: which
 * parts of the usage the provider told; those that it did not tell are zero there and unknown.
 */
export type Answer = Completion & {
  tool_calls: ToolCall[]
  streamed: boolean
  usage_told?: { cached_tokens: boolean; reasoning_tokens: boolean }
}

export type ReadResult = { ok: true; value: Answer } | { ok: false; failure: ProviderFailure; usage: Usage | null; stream: StreamFacts }

/** Largest body that is read, in bytes. */
export const mostBytes = 32 * 1024 * 1024

export type CompletionReader = {
  /** Takes the next bytes; gives the result as soon as it stands (`[DONE]`, a whole body, a failure) and null while more must come. */
  push(bytes: Uint8Array, nowMs: number): ReadResult | null
  /** The body ended: an answer with a finish reason is whole, anything else was cut. `broken`: not in order, so that a doubtful end is none. */
  end(nowMs: number, broken?: boolean): ReadResult
  /** When to try `takeDue`: a grace after a finish reason, or after a brace that may end a whole body. Infinity while there is neither. */
  dueMs(): number
  /** The answer of a body that goes on or is silent, where one has come whole; null where more must come. */
  takeDue(nowMs: number): ReadResult | null
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

/** How long usage is waited for behind a finish reason, in milliseconds. Then the answer is taken, whatever the connection does. */
export const finishGraceMs = 2000

/**
 * Reads a chat completion, streamed or whole, from the bytes of a response body, and observes how it comes in. It knows every dialect of servers, and
 * everything above it sees one shape. Times are milliseconds of one monotonic clock; `sentMs` is the moment the request was sent. Gaps run from line to
 * line with the send as the first (janus 1.6). `fold` holds what was observed before the body.
 */
export function createCompletionReader(sentMs: number, redact: (text: string) => string, fold = openStreamFold(sentMs)): CompletionReader {
  const draft = emptyDraft()
  let problem: FoldProblem | null = null
  let done = false
  let bytesRead = 0
  let heartbeats = 0
  let triedBytes = 0
  let finishedMs = Number.POSITIVE_INFINITY
  /** When the last byte was a brace that may end a whole body. */
  let braceMs = Number.POSITIVE_INFINITY
  let nowMs = sentMs

  const takeChunk = (chunk: unknown, event: string | null): void => {
    const finished = isFinished(draft)
    const found = foldChunk(draft, chunk, event)
    sawChunk(fold, nowMs, draft.token, draft.content)
    // A finished answer stays one, whatever trails it: asking again would re-roll it.
    if (found && !finished) problem = found
    finishedMs = hasEnded(draft) ? Math.min(finishedMs, nowMs) : Number.POSITIVE_INFINITY
  }
  const onData = (data: string, event: string | null): void => {
    if (done || problem) return
    const plain = data.charCodeAt(0) === 123 && event === null // a JSON object, as nearly always
    if (!plain && isHeartbeat(data, event)) {
      heartbeats++
      return
    }
    sawData(fold, nowMs)
    if (!plain && isDone(data)) {
      done = true
      return
    }
    if (data.endsWith('\n[DONE]')) {
      onData(data.slice(0, -7), event)
      done = true
      return
    }
    const chunks = parseData(data)
    if (chunks) for (const chunk of chunks) if (!problem) takeChunk(chunk, event)
    if (!chunks && event === 'error') takeChunk({ error: data }, event)
    else if (!chunks && !isFinished(draft)) problem = { reason: 'bad-response', detail: `a chunk is not JSON: ${data}` }
    if (event === 'done') done = true
  }
  /** A line of JSON lines, or of a body that is one line; a line of anything else is left to the end. */
  const onLine = (line: string): boolean => {
    if (!line.startsWith('{') || !line.endsWith('}')) return false
    const chunk = parseJson(line)
    if (!isFields(chunk) || (!Array.isArray(chunk.choices) && errorIn(chunk, null) === null)) return false
    if (done || problem) return true
    sawLines(fold, nowMs)
    sawData(fold, nowMs)
    takeChunk(chunk, null)
    if (isWholeBody(chunk) && !draft.pieces) done = true
    return true
  }
  const parser = createSseParser(onData, onLine)

  const usage = (): Usage | null => usageTold(draft.usage ?? draft.timed, hasToken(draft))
  const facts = (now: number, end: StreamFacts['end']): StreamFacts =>
    factsOf(fold, now, end, { keep_alives: parser.comments() + heartbeats, output_tokens: usage()?.output_tokens ?? null })
  const fail = (reason: ProviderReason, detail: string, end: StreamFacts['end']): ReadResult => {
    return { ok: false, failure: providerFailure(reason, redact(detail), 200), usage: usage(), stream: facts(nowMs, end) }
  }
  const complete = (): ReadResult => {
    const end = done || draft.whole ? 'done' : 'closed'
    const stray = foldStrays(draft)
    if (stray) return fail(stray.reason, stray.detail, end)
    const meaning = finishMeaning(draft.finish_reason ?? '')
    if (meaning && 'fails' in meaning) return fail(meaning.fails, `finish_reason ${draft.finish_reason}`, end)
    if (!isAnswer(draft)) return fail('empty-response', emptyDetail(draft), end)
    return { ok: true, value: answerOf(draft, usage(), facts(nowMs, end)) }
  }

  const finish = (broken: boolean): ReadResult => {
    const rest = parser.end()
    if (rest.data !== null || rest.bare !== null) {
      sawLines(fold, nowMs)
      sawData(fold, nowMs)
    }
    if (rest.data !== null && isWholeData(rest.data, rest.event)) onData(rest.data, rest.event)
    if (rest.bare !== null && draft.finish_reason === null) readBare(rest.bare)
    if (problem) return fail(problem.reason, problem.detail, 'cut')
    const ends = draft.finish_reason !== null && (!broken || draft.sure)
    if (done || ends) return complete()
    if (!draft.answered && rest.bare !== null && !isTorn(rest.bare)) {
      return fail('bad-response', `the body is no completion: ${rest.bare}`, 'cut')
    }
    return fail('cut-stream', cutDetail(draft), 'cut')
  }
  /** Folds what stands outside of events, where it is a whole JSON body or lines of JSON; anything else is the torn end of a cut stream. */
  const readBare = (bare: string): void => {
    const body = parseJson(bare)
    if (body === undefined) return
    takeChunk(body, null)
    done ||= !isFields(body) || !draft.pieces
  }
  /** Tries to read a body that is no stream of events. While it grows it is tried at each doubling, so that the work stays linear. */
  const tryWhole = (): ReadResult | null => {
    if (done || bytesRead < triedBytes * 2) return null
    const bare = parser.bare()
    if (bare === null) return null
    triedBytes = bytesRead
    const body = parseJson(bare)
    return isFields(body) && isWholeBody(body) ? finish(false) : null
  }

  return {
    push(bytes, now) {
      nowMs = now
      bytesRead += bytes.byteLength
      if (bytesRead > mostBytes) return fail('too-large', `the answer is larger than ${mostBytes} bytes`, 'cut')
      if (parser.push(bytes) > 0) sawLines(fold, nowMs)
      if (problem) return fail(problem.reason, problem.detail, 'cut')
      if (done) return finish(false)
      const braced = bytes.at(-1) === 125 && !draft.pieces
      braceMs = braced ? nowMs : Number.POSITIVE_INFINITY
      return braced ? tryWhole() : null
    },
    end(now, broken = false) {
      nowMs = now
      return finish(broken)
    },
    dueMs: () => Math.min(finishedMs, braceMs) + finishGraceMs,
    takeDue(now) {
      nowMs = now
      triedBytes = 0
      braceMs = Number.POSITIVE_INFINITY
      return hasEnded(draft) ? finish(false) : tryWhole()
    },
    usage,
    error: () => draft.error,
    soFar: () => draft,
    started: () => fold.tokenChunks > 0,
    facts,
  }
}

/** Events and words that servers send to keep a connection open. */
const heartbeatEvents = new Set(['ping', 'heartbeat', 'keepalive', 'keep-alive', 'keep_alive'])
const heartbeatWord = /^[\s:"']*(?:(?:ping|pong|heart[-_ ]?beat|keep[-_ ]?alive|(?:openrouter )?processing)[\s.!"']*)?$/i

const isHeartbeat = (data: string, event: string | null): boolean =>
  (event !== null && heartbeatEvents.has(event.toLowerCase())) || (data.length < 40 && heartbeatWord.test(data))

/** `[DONE]` in any case, bare or in quotes. */
const isDone = (data: string): boolean => data === '[DONE]' || (data.length < 20 && /^\s*["']?(?:\[\s*done\s*\]|DONE)["']?\s*$/i.test(data))

const isWholeData = (data: string, event: string | null): boolean => isDone(data) || event === 'error' || parseData(data) !== null

/** Whether a JSON body is a whole answer, or an error, and no chunk of a stream. */
function isWholeBody(body: Fields): boolean {
  const choice: unknown = Array.isArray(body.choices) ? body.choices[0] : undefined
  if (!isFields(choice)) return errorIn(body, null) !== null
  return (isFields(choice.message) || body.object === 'text_completion') && !isFields(choice.delta)
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

const toldInstead = ({ other }: Draft): string => (other ? `: ${JSON.stringify(other)}` : '')
const emptyDetail = (draft: Draft): string => `the reply holds no choice, or neither text nor a finish reason${toldInstead(draft)}`
const cutDetail = (draft: Draft): string => `the stream ended before the answer was finished${draft.answered ? '' : toldInstead(draft)}`

function answerOf(draft: Draft, usage: Usage | null, stream: StreamFacts): Answer {
  const { cached, reasoning } = draft.usage ?? draft.timed ?? { cached: null, reasoning: null }
  const meaning = finishMeaning(draft.finish_reason ?? '')
  const finish_reason = meaning && 'as' in meaning ? meaning.as : draft.finish_reason
  const aside = finish_reason === draft.finish_reason ? draft.aside : { ...draft.aside, finish_reason: draft.finish_reason ?? undefined }
  return {
    text: flatText(draft.text), // until now the pieces in which it came
    reasoning: draft.reasoning && flatText(draft.reasoning),
    finish_reason,
    usage: usage ?? noUsage,
    usage_known: usage !== null,
    usage_told: { cached_tokens: usage !== null && cached !== null, reasoning_tokens: usage !== null && reasoning !== null },
    latency_ms: stream.duration_ms,
    ttft_ms: stream.first_token_ms,
    max_gap_ms: stream.max_gap_ms,
    stream,
    model_reported: draft.model,
    system_fingerprint: draft.system_fingerprint,
    tool_calls: closeCalls(draft.tool_calls),
    streamed: !draft.whole,
    ...(draft.refused && { refused: true }),
    ...(aside && { aside }),
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
