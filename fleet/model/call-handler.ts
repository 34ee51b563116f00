import { type Dispatcher, errors } from 'undici'
import type { ProviderReason } from '#shared/contract/failure.ts'
import type { StreamFacts } from '#shared/contract/stream.ts'
import { noUsage, type Usage } from '#shared/contract/usage.ts'
import { isContextOverflow } from '#shared/providers/context-overflow.ts'
import type { ProviderDef } from '#shared/providers/provider-def.ts'
import { refusalWords } from '#shared/providers/refusal-words.ts'
import { factsOf, openStreamFold, type StreamFold } from '#shared/stream/stream-fold.ts'
import { ProxyError } from '../proxy/tunnel.ts'
import type { AskedAt } from './asked-at.ts'
import type { CallDeadlines, Deadline } from './call-deadlines.ts'
import { CallAborted, type CallResult, type ModelTimeouts } from './call-result.ts'
import { type CompletionReader, createCompletionReader, type ReadResult } from './completion-reader.ts'
import { createErrorBody } from './error-body.ts'
import { type ProviderFailure, providerFailure } from './provider-failure.ts'
import { idsIn, knownBy } from './request-ids.ts'

type Options = {
  timeouts: ModelTimeouts
  /** Of the client: its calls share a timer. */
  deadlines: CallDeadlines
  redact: (text: string) => string
  refusals: Pick<ProviderDef, 'reasonOf' | 'resetAt' | 'idHeaders'>
  /** The address that is asked, for failures in which it matters. */
  asked?: AskedAt
  signal: AbortSignal | null
  resolve: (result: CallResult) => void
  reject: (error: CallAborted) => void
  onStarted?: (() => void) | undefined
  /** An answer begins; what has come of it can be read from here on. */
  onAnswer?: ((soFar: CompletionReader['soFar']) => void) | undefined
  /** Hears what the endpoint calls itself, in the header `server`. */
  onServer?: ((server: string) => void) | undefined
  /** What came before the request was sent, where somebody knows it. */
  before?: Before
}

/** How long a call had waited when it was handed to the transport, when that was, and how long a connection took that is new with the request (NaN: it was open). */
export type Before = { waitedMs: number; handedMs: number; connectMs(): number }

/** How long a body may go on behind its answer before its connection is closed, in milliseconds. One that ends by then is used again. */
const lingerMs = 2000

type Body = { kind: 'answer'; reader: CompletionReader } | { kind: 'error'; error: ReturnType<typeof createErrorBody> }

/**
 * The undici handler of one call: settles exactly once, and whatever happens afterwards on the wire is only awaited so that the
 * connection can be used again. It has one deadline, the nearest of its time limits, which is moved on where bytes have come since.
 */
export function createCallHandler(options: Options): Dispatcher.DispatchHandler {
  const { timeouts, deadlines, redact, refusals, signal } = options
  let controller: Dispatcher.DispatchController | null = null
  let body: Body | null = null
  let settled = false
  let settledMs = 0
  let ended = false
  let fold: StreamFold | null = null
  let sentMs = 0
  let heardMs = 0
  let watched: Deadline | null = null
  let unwatch: (() => void) | null = null
  let ids: Record<string, string> | null = null

  const usage = (): Usage | null => {
    if (sentMs === 0) return noUsage
    return body?.kind === 'answer' ? (body.reader.usage() ?? (isRefused(body.reader) ? noUsage : null)) : null
  }
  const hangUp = (reason: string): void => {
    if (!ended) controller?.abort(new Error(reason))
  }
  const settle = (result: CallResult): void => {
    if (settled) return
    settled = true
    settledMs = performance.now()
    signal?.removeEventListener('abort', onAbort)
    options.resolve(result)
  }
  const fail = (reason: ProviderReason, detail: string, stream?: StreamFacts): void => {
    settle({
      ok: false,
      failure: providerFailure(reason, redact(detail), null),
      retry_after_ms: null,
      reset_at: null,
      usage: usage(),
      stream,
    })
  }
  const unfinished = (end: StreamFacts['end']): StreamFacts | undefined => {
    const nowMs = performance.now()
    if (body?.kind === 'answer') return body.reader.facts(nowMs, end)
    return fold ? factsOf(fold, nowMs, end, { keep_alives: 0, output_tokens: null }) : undefined
  }
  const settleRead = (read: ReadResult): void => {
    if (read.ok) settle(ids ? { ok: true, value: { ...read.value, aside: { ...read.value.aside, request_ids: ids } } } : read)
    else {
      settle({ ...read, usage: read.usage ?? usage(), failure: knownBy(meantBy(read.failure), ids), retry_after_ms: null, reset_at: null })
      hangUp('the answer cannot be used')
    }
  }
  /** The failure of an error under status 200, which may say that the question is too long, or mean more at this kind of provider. */
  const meantBy = (failure: ProviderFailure): ProviderFailure => {
    const error = body?.kind === 'answer' ? body.reader.error() : null
    if (error === null || error === undefined || !mayMeanMore.has(failure.reason)) return failure
    const reason = refusals.reasonOf(400, { error }) ?? (isContextOverflow(refusalWords({ error })) ? 'context-length' : null)
    return reason === null ? failure : providerFailure(reason, failure.detail, failure.status)
  }
  const onAbort = (): void => {
    if (settled) return
    settled = true
    stopWatch()
    options.reject(new CallAborted(usage(), signal?.reason))
    hangUp('given up')
  }
  const stopWatch = (): void => {
    unwatch?.()
    unwatch = null
  }

  const deadline = (): { at: number; reason: ProviderReason } => {
    if (settled) return { at: settledMs + lingerMs, reason: 'idle-timeout' }
    const total = { at: sentMs + timeouts.totalMs, reason: 'total-timeout' as const }
    const waiting = body?.kind !== 'answer' || !body.reader.started()
    const next = waiting ? { at: sentMs + timeouts.firstTokenMs, reason: 'first-token-timeout' as const } : total
    const idle = { at: heardMs + timeouts.idleMs, reason: 'idle-timeout' as const }
    const nearest = next.at < total.at ? next : total
    const due = body?.kind === 'answer' ? body.reader.dueMs() : Number.POSITIVE_INFINITY
    const first = body !== null && idle.at < nearest.at ? idle : nearest
    return due < first.at ? { ...first, at: due } : first
  }
  /** Settles a call whose answer has come whole although its body goes on. */
  const takeWhole = (nowMs: number): boolean => {
    const read = body?.kind === 'answer' && !settled ? body.reader.takeDue(nowMs) : null
    if (!read) return false
    stopWatch()
    settleRead(read)
    hangUp('the answer is whole')
    return true
  }
  const watch = (): void => {
    const nowMs = performance.now()
    if (body?.kind === 'answer' && body.reader.dueMs() <= nowMs && takeWhole(nowMs)) return
    const { at, reason } = deadline()
    if (at > performance.now()) {
      watched ??= { at_ms: at, due: watch }
      watched.at_ms = at
      unwatch ??= deadlines.add(watched)
    } else {
      if (takeWhole(nowMs)) return
      stopWatch()
      if (body?.kind === 'error') settle(body.error.result())
      else
        fail(
          reason,
          `${reason} after ${Math.round(performance.now() - sentMs)} ms`,
          unfinished(reason === 'total-timeout' ? 'cut' : 'stalled'),
        )
      hangUp(reason)
    }
  }
  /** Moves the deadline nearer where it has become so. */
  const watchSooner = (at: number): void => {
    if (!watched || at >= watched.at_ms) return
    watched.at_ms = at
    deadlines.nearer(watched)
  }

  signal?.addEventListener('abort', onAbort, { once: true })

  return {
    onRequestStart(started) {
      controller = started
      if (settled) {
        started.abort(new Error('given up'))
        return
      }
      sentMs = performance.now()
      fold = openStreamFold(sentMs)
      if (options.before) tellBefore(fold, options.before)
      watch()
    },
    onResponseStart(_, status, headers) {
      heardMs = performance.now()
      if (typeof headers.server === 'string') options.onServer?.(redact(headers.server))
      ids = idsIn(headers, refusals.idHeaders, redact)
      const encoding = headers['content-encoding']
      const plain = status === 200 && (encoding === undefined || encoding === 'identity')
      if (fold) fold.headMs = heardMs
      body = plain
        ? { kind: 'answer', reader: createCompletionReader(sentMs, redact, fold ?? undefined) }
        : { kind: 'error', error: createErrorBody({ status, headers, redact, wallMs: Date.now(), refusals, asked: options.asked }) }
      if (body.kind === 'answer') options.onAnswer?.(body.reader.soFar)
      // From here on silence counts too, and may end before the deadline that is armed.
      watchSooner(deadline().at)
    },
    onResponseData(_, chunk) {
      heardMs = performance.now()
      if (settled || !body) return
      if (body.kind === 'answer') {
        const before = body.reader.started()
        const read = body.reader.push(chunk, heardMs)
        if (!before && body.reader.started()) options.onStarted?.()
        if (read) settleRead(read)
        watchSooner(settled ? deadline().at : body.reader.dueMs())
      } else if (!body.error.push(chunk)) {
        settle(body.error.result())
        hangUp('the error body is too large')
      }
    },
    onResponseEnd() {
      ended = true
      stopWatch()
      if (settled || !body) return
      if (body.kind === 'answer') settleRead(body.reader.end(performance.now()))
      else settle(body.error.result())
    },
    onResponseError(_, error) {
      ended = true
      stopWatch()
      if (settled) return
      if (body?.kind === 'answer') settleRead(body.reader.end(performance.now(), true))
      else if (body?.kind === 'error') settle(body.error.result())
      else fail(reasonOfError(error), `${describe(error)}${options.asked ? ` (${options.asked.where})` : ''}`)
    },
  }
}

/** Reasons of an error under status 200 that its words may make more precise: it has no status of its own. */
const mayMeanMore = new Set<ProviderReason>(['bad-request', 'server-error', 'too-large', 'bad-response'])
/** Whether an error came in place of an answer: the model was not at work. */
const isRefused = (reader: CompletionReader): boolean => reader.error() !== null && !reader.started()

/** All the time before the request was sent is the queue's, but for making a connection. */
function tellBefore(fold: StreamFold, { waitedMs, handedMs, connectMs }: Before): void {
  fold.connectMs = connectMs()
  const connecting = Number.isNaN(fold.connectMs) ? 0 : fold.connectMs
  fold.queueMs = waitedMs + Math.max(0, fold.sentMs - handedMs - connecting)
}

const errorReasons: Record<string, ProviderReason> = {
  UND_ERR_CONNECT_TIMEOUT: 'connect-timeout',
  ETIMEDOUT: 'connect-timeout',
  UND_ERR_HEADERS_OVERFLOW: 'too-large',
  HPE_HEADER_OVERFLOW: 'too-large',
}

/** Classifies an error before any response by its machine code; bytes that are no HTTP are a bad response, all else the connection. */
function reasonOfError(error: Error): ProviderReason {
  if (error instanceof ProxyError && error.status === 407) return 'forbidden' // somebody must give it credentials first
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return errorReasons[code] ?? (error instanceof errors.HTTPParserError ? 'bad-response' : 'connection')
}

function describe(error: Error): string {
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : ''
  return `${error.message || error.name}${cause}`
}
