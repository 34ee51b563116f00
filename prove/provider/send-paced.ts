import type { ServerResponse } from 'node:http'
import { type Book, billed, sse } from './book.ts'
import type { Fault, Span } from './fault.ts'
import type { Frames } from './reply.ts'

/** The milliseconds that a span means before this frame of the answer. */
export type SpanOf = (span: Span, frame: number) => number

/** Sends an answer at its pace: frames behind the last token go with it, as a server that is done says so at once. */
export function sendPaced(
  res: ServerResponse,
  { first_ms, gap_ms, keep_alive_ms }: Extract<Fault, { kind: 'paced' }>,
  reply: Frames,
  book: Book,
  spanOf: SpanOf,
): void {
  const { frames } = reply
  const lastToken = frames.findLastIndex((frame) => /"(?:content|reasoning_content)":/.test(frame.toString('utf8')))
  let next = 0
  let sent = 0
  const stop = (): void => {
    clearTimeout(timer)
    clearInterval(alive)
    book(200, billed(reply, sent))
  }
  const step = (): void => {
    const upTo = next >= lastToken ? frames.length : next + 1
    for (; next < upTo; next++) {
      const frame = frames[next]!
      res.write(frame)
      sent += frame.length
    }
    if (next < frames.length) timer = setTimeout(step, spanOf(gap_ms, next))
    else {
      stop()
      res.end()
    }
  }
  res.writeHead(200, sse)
  res.flushHeaders()
  const alive = keep_alive_ms === null ? undefined : setInterval(() => res.write(': keep-alive\n\n'), keep_alive_ms)
  let timer = setTimeout(step, spanOf(first_ms, 0))
  res.on('close', stop)
}
