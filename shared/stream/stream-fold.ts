import type { StreamFacts } from '../contract/stream.ts'
import { bucketOf } from '../metrics/log-histogram.ts'

/**
 * What has been seen of one answer. Owned by one reader and changed in place: lines are the hot path, so that seeing one makes no object. Moments are
 * milliseconds of one monotonic clock; NaN where one has not come.
 */
export type StreamFold = {
  readonly sentMs: number
  queueMs: number
  connectMs: number
  headMs: number
  tokenMs: number
  contentMs: number
  lastTokenMs: number
  lastContentMs: number
  lineMs: number
  dataMs: number
  maxGapMs: number
  maxDataGapMs: number
  maxTokenGapMs: number
  maxTokenGapFromMs: number
  chunks: number
  contentChunks: number
  tokenChunks: number
  /** Of the intervals between chunks with content: mean and sum of squared deviations (Welford), shortest above 0, longest. */
  meanMs: number
  squares: number
  leastMs: number
  mostMs: number
  /** The first intervals one by one, and those beyond in buckets: which of them are long is known only at the end. */
  readonly intervals: number[]
  beyond: Map<number, number> | null
}

/** So many intervals are kept one by one. */
export const mostIntervals = 4096

/** Begins to observe the answer to a request that was sent at this moment. */
export function openStreamFold(sentMs: number): StreamFold {
  return {
    sentMs,
    queueMs: 0,
    connectMs: Number.NaN,
    headMs: Number.NaN,
    tokenMs: Number.NaN,
    contentMs: Number.NaN,
    lastTokenMs: Number.NaN,
    lastContentMs: Number.NaN,
    lineMs: sentMs,
    dataMs: sentMs,
    maxGapMs: Number.NaN,
    maxDataGapMs: Number.NaN,
    maxTokenGapMs: Number.NaN,
    maxTokenGapFromMs: Number.NaN,
    chunks: 0,
    contentChunks: 0,
    tokenChunks: 0,
    meanMs: 0,
    squares: 0,
    leastMs: Number.POSITIVE_INFINITY,
    mostMs: 0,
    intervals: [],
    beyond: null,
  }
}

/** Lines of any kind have come, comments and blank ones too. */
export function sawLines(fold: StreamFold, nowMs: number): void {
  const gap = nowMs - fold.lineMs
  if (!(gap <= fold.maxGapMs)) fold.maxGapMs = gap
  fold.lineMs = nowMs
}

/** An event with data has come, `[DONE]` too. */
export function sawData(fold: StreamFold, nowMs: number): void {
  const gap = nowMs - fold.dataMs
  if (!(gap <= fold.maxDataGapMs)) fold.maxDataGapMs = gap
  fold.dataMs = nowMs
}

/** A chunk was read: whether it held a token of any kind, and whether content. */
export function sawChunk(fold: StreamFold, nowMs: number, token: boolean, content: boolean): void {
  fold.chunks++
  if (!token) return
  if (fold.tokenChunks++ === 0) fold.tokenMs = nowMs
  else {
    const gap = nowMs - fold.lastTokenMs
    if (!(gap <= fold.maxTokenGapMs)) {
      fold.maxTokenGapMs = gap
      fold.maxTokenGapFromMs = fold.lastTokenMs
    }
  }
  fold.lastTokenMs = nowMs
  if (!content) return
  if (fold.contentChunks++ === 0) fold.contentMs = nowMs
  else sawInterval(fold, nowMs - fold.lastContentMs)
  fold.lastContentMs = nowMs
}

function sawInterval(fold: StreamFold, interval: number): void {
  const off = interval - fold.meanMs
  fold.meanMs += off / (fold.contentChunks - 1)
  fold.squares += off * (interval - fold.meanMs)
  if (interval > 0 && interval < fold.leastMs) fold.leastMs = interval
  if (interval > fold.mostMs) fold.mostMs = interval
  if (fold.intervals.length < mostIntervals) fold.intervals.push(interval)
  else {
    fold.beyond ??= new Map()
    const bucket = bucketOf(interval)
    fold.beyond.set(bucket, (fold.beyond.get(bucket) ?? 0) + 1)
  }
}

/** What is known when the body ends or is given up. Times are told to the microsecond, as clocks tell more digits than they know. */
export function factsOf(
  fold: StreamFold,
  endMs: number,
  end: StreamFacts['end'],
  { keep_alives, output_tokens }: { keep_alives: number; output_tokens: number | null },
): StreamFacts {
  const { sentMs } = fold
  return {
    queue_ms: rounded(fold.queueMs),
    connect_ms: known(fold.connectMs),
    first_byte_ms: known(fold.headMs - sentMs),
    first_token_ms: known(fold.tokenMs - sentMs),
    first_content_ms: known(fold.contentMs - sentMs),
    last_token_ms: known(fold.lastTokenMs - sentMs),
    duration_ms: rounded(endMs - sentMs),
    chunks: fold.chunks,
    content_chunks: fold.contentChunks,
    token_chunks: fold.tokenChunks,
    keep_alives,
    max_gap_ms: known(fold.maxGapMs),
    max_data_gap_ms: known(fold.maxDataGapMs),
    max_token_gap_ms: known(fold.maxTokenGapMs),
    max_token_gap_from_ms: known(fold.maxTokenGapFromMs - sentMs),
    content: fold.contentChunks < 2 ? null : intervalsOf(fold),
    end,
    output_tokens,
  }
}

/** These keep every digit that means something: rates and continuity are computed of them, and intervals may be microseconds. */
function intervalsOf(fold: StreamFold): NonNullable<StreamFacts['content']> {
  const count = fold.contentChunks - 1
  const spanMs = fold.lastContentMs - fold.contentMs
  const mean = spanMs / count
  return {
    span_ms: digits(spanMs),
    mean_ms: digits(mean),
    sd_ms: digits(Math.sqrt(Math.max(0, fold.squares) / count)),
    least_ms: fold.leastMs === Number.POSITIVE_INFINITY ? null : digits(fold.leastMs),
    most_ms: digits(fold.mostMs),
    long: longOf(fold, 3 * mean),
  }
}

function longOf({ intervals, beyond }: StreamFold, limitMs: number): number {
  let long = 0
  for (const interval of intervals) if (interval > limitMs) long++
  if (!beyond) return long
  const bucket = bucketOf(limitMs)
  for (const [each, count] of beyond) if (each > bucket) long += count
  return long
}

const rounded = (ms: number): number => Math.round(ms * 1000) / 1000
const known = (ms: number): number | null => (Number.isNaN(ms) ? null : rounded(ms))
/** Twelve digits, less than any clock tells; what has fewer anyway, as in an answer of one piece, needs no writing and reading. */
const digits = (ms: number): number => (Number.isInteger(ms) && ms < 1e11 ? ms : Number(ms.toPrecision(12)))
