import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { plainDialect } from '#fleet/model/testing/dialect.ts'
import { usageForms } from '#fleet/model/testing/dialect-columns.ts'
import { type Book, billed, sse } from './book.ts'
import { dialectReply } from './dialect-reply.ts'
import type { Fault } from './fault.ts'
import type { Frames, Reply } from './reply.ts'
import { type SpanOf, sendPaced } from './send-paced.ts'

/** Sends a whole reply: in one piece, or frame by frame with a pause between them. A client that leaves early pays what it was told. */
export function sendFrames(res: ServerResponse, reply: Frames, options: { drip_ms: number | null; book: Book }): void {
  if (options.drip_ms === null) {
    res.writeHead(200, sse)
    res.end(reply.whole)
    options.book(200, billed(reply, reply.whole.length))
    return
  }
  dripFrames(res, reply.frames, options.drip_ms, (sent) => options.book(200, billed(reply, sent)))
}

function dripFrames(res: ServerResponse, frames: readonly Buffer[], everyMs: number, done: (sentBytes: number) => void): void {
  res.writeHead(200, sse)
  let next = 0
  let sent = 0
  const step = (): void => {
    const frame = frames[next]
    next += 1
    if (frame) {
      res.write(frame)
      sent += frame.length
    }
    if (next < frames.length) return
    clearInterval(timer)
    res.end()
    done(sent)
  }
  const timer = setInterval(step, everyMs)
  res.on('close', () => {
    clearInterval(timer)
    done(sent)
  })
  step()
}

const page = '<!DOCTYPE html><html><head><title>Error</title></head><body><h1>Bad gateway</h1></body></html>\n'

/** Misbehaves in the given way and books what it did; `spanOf` draws the milliseconds before a frame, `said` is the reply without frames. */
export function sendFault(res: ServerResponse, fault: Fault, reply: Frames, book: Book, spanOf: SpanOf, said: Reply): void {
  switch (fault.kind) {
    case 'dialect':
      sendDialect(res, reply, said, fault, book)
      break
    case 'status':
      book(fault.status, null)
      res.writeHead(fault.status, { 'content-type': 'application/json', ...fault.headers })
      res.end(fault.body ?? JSON.stringify({ detail: `status ${fault.status}` }))
      break
    case 'paced':
      sendPaced(res, fault, reply, book, spanOf)
      break
    case 'quota':
      sendQuota(res, fault, book)
      break
    case 'usage':
      sendUsage(res, reply, fault.usage, book)
      break
    case 'cut':
      sendCut(res, reply, fault.after_bytes, fault.how, book)
      break
    case 'hang':
      sendHang(res, reply, fault.when, book)
      break
    case 'error-in-200':
      sendError(res, reply, fault, book)
      break
    case 'body':
      sendBody(res, 200, fault.content_type, fault.body, book)
      break
    case 'html':
      sendBody(res, fault.status, 'text/html', page, book)
      break
    case 'garbage':
      sendBody(res, 200, 'text/event-stream', garbage(fault.bytes), book)
      break
    case 'raw':
      book(0, null)
      res.socket?.end(fault.bytes)
      break
    case 'redirect':
      book(fault.status, null)
      res.writeHead(fault.status, { location: fault.location })
      res.end()
      break
    case 'endless':
      sendEndless(res, reply, book)
      break
    case 'big-header':
      book(200, null)
      res.writeHead(200, { 'x-big': 'a'.repeat(fault.bytes) })
      res.end(reply.whole)
      break
    case 'gzip':
      book(200, null)
      res.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' })
      res.end(gzipSync(Buffer.alloc(10_000_000)))
      break
    case 'slow':
      dripFrames(res, pieces(reply.whole, fault.bytes), fault.every_ms, (sent) => book(200, billed(reply, sent)))
  }
}

/** Bills the answer where the dialect can tell its usage. A body that never ends stays open. */
function sendDialect(res: ServerResponse, frames: Frames, said: Reply, { dialect }: Extract<Fault, { kind: 'dialect' }>, book: Book): void {
  const { text, end } = dialectReply(said, { input: frames.input_tokens, output: frames.output_tokens }, dialect)
  book(200, usageForms[dialect.usage ?? plainDialect.usage]?.known ? frames : null)
  res.writeHead(200, dialect.framing?.startsWith('body') ? { 'content-type': 'application/json' } : sse)
  if (end === 'closed') res.end(text)
  else res.write(text, () => end === 'broken' && res.destroy())
}

function sendQuota(res: ServerResponse, { reset_in_s, form }: Extract<Fault, { kind: 'quota' }>, book: Book): void {
  const at_ms = Date.now() + reset_in_s * 1000
  const quota_reset_timestamp = form === 'iso' ? new Date(at_ms).toISOString() : form === 'seconds' ? Math.round(at_ms / 1000) : at_ms
  book(402, null)
  res.writeHead(402, { 'content-type': 'application/json' })
  res.end(JSON.stringify({ detail: { message: 'Quota exceeded', quota_reset_timestamp } }))
}

/** Bills nothing: what the usage says is nobody's figure. */
function sendUsage(res: ServerResponse, { frames }: Frames, usage: unknown, book: Book): void {
  book(200, null)
  res.writeHead(200, sse)
  const told = frames.filter((frame) => !frame.includes('"usage"'))
  const wrong = `data: ${JSON.stringify({ object: 'chat.completion.chunk', choices: [], usage })}\n\n`
  res.end(Buffer.concat([...told.slice(0, -1), Buffer.from(wrong), ...told.slice(-1)]))
}

function sendBody(res: ServerResponse, status: number, type: string, body: string | Buffer, book: Book): void {
  book(status, null)
  res.writeHead(status, { 'content-type': type })
  res.end(body)
}

function sendCut(res: ServerResponse, reply: Frames, bytes: number, how: 'destroy' | 'end', book: Book): void {
  const head = reply.whole.subarray(0, bytes)
  book(200, billed(reply, bytes))
  res.writeHead(200, sse)
  if (how === 'end') {
    res.end(head)
    return
  }
  res.flushHeaders()
  if (head.length === 0) res.destroy()
  else res.write(head, () => res.destroy())
}

function sendHang(res: ServerResponse, reply: Frames, when: 'headers' | 'body' | 'middle', book: Book): void {
  const middle = reply.whole.length >> 1
  res.on('close', () => book(200, when === 'middle' ? billed(reply, middle) : null))
  if (when === 'headers') return
  res.writeHead(200, sse)
  res.flushHeaders()
  if (when === 'middle') res.write(reply.whole.subarray(0, middle))
}

function sendError(res: ServerResponse, reply: Frames, fault: Extract<Fault, { kind: 'error-in-200' }>, book: Book): void {
  const error = JSON.stringify({ error: fault.error })
  book(200, null)
  res.writeHead(200, sse)
  res.write(reply.whole.subarray(0, fault.after_bytes))
  res.end(fault.framed ? `data: ${error}\n\n` : error)
}

function sendEndless(res: ServerResponse, reply: Frames, book: Book): void {
  const block = Buffer.concat(Array.from({ length: 64 }, () => reply.frames[0] ?? Buffer.alloc(0)))
  res.on('close', () => book(200, null))
  res.writeHead(200, sse)
  const pour = (): void => {
    while (!res.destroyed && res.write(block));
  }
  res.on('drain', pour)
  pour()
}

/** Bytes that are no text in any encoding, the same every time. */
function garbage(size: number): Buffer {
  return Buffer.from(Array.from({ length: size }, (_, index) => (index * 197 + 131) & 0xff))
}

function pieces(bytes: Buffer, size: number): Buffer[] {
  const parts: Buffer[] = []
  for (let from = 0; from < bytes.length; from += size) parts.push(bytes.subarray(from, from + size))
  return parts
}
