import { hash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type FaultRule, FaultScript, faultFor, spanMs } from './fault.ts'
import { type Ledger, type LedgerEntry, openLedger } from './ledger.ts'
import { createRateWindow, type RetryAfterForm, retryAfterHeader } from './rate-window.ts'
import { type Frames, type Reply, renderReply, tokensOf, type UsageForm } from './reply.ts'
import { sendFault, sendFrames } from './send.ts'
import { monotonicMs, openTruths, type Truth, WatchedResponse } from './truth.ts'

export type ProviderOptions = {
  port?: number
  /** Time to the first byte, and in drip mode the pause between frames, in milliseconds. */
  latency_ms?: number
  mode?: 'stream' | 'drip'
  drip_ms?: number
  chunk_chars?: number
  usage?: UsageForm
  rate?: { per_second: number; retry_after: RetryAfterForm } | null
  script?: FaultRule[]
  seed?: number
  ledger_file?: string | null
  /** Keeps the log of truth: when each piece of each answer was sent. `truth_file` gets it as JSON lines. */
  truth?: boolean
  truth_file?: string | null
  /** The reply to a prompt: all message contents joined by blank lines. */
  answer?: (prompt: string) => Reply
}

export type Provider = {
  port: number
  /** Base URL for an OpenAI-compatible client. */
  url: string
  ledger: Ledger
  /** What was sent when, of every answer that has ended; empty where no log of it is kept. */
  truths: readonly Truth[]
  setScript(script: FaultRule[]): void
  close(): Promise<void>
}

type ChatBody = { model?: string; stream?: boolean; messages?: { content?: unknown }[] }

const alwaysA = (): Reply => ({ text: 'The answer is (A)' })

/**
 * A simulated OpenAI-compatible provider on loopback with faults by script and an account of every request. `GET /_sim/ledger` gives the
 * entries, `/_sim/truth` what was sent when, `/_sim/cpu` the process's CPU time in microseconds, `PUT /_sim/script` replaces the fault script.
 */
export async function startProvider(options: ProviderOptions = {}): Promise<Provider> {
  const { latency_ms = 0, mode = 'stream', drip_ms = 5, chunk_chars = 16, usage = 'last', rate = null, seed = 1 } = options
  const answer = options.answer ?? alwaysA
  const ledger = openLedger(options.ledger_file ?? null)
  const admit = rate && createRateWindow(rate.per_second)
  const truth_file = options.truth_file ?? null
  const watched = options.truth === true || truth_file !== null
  const truths = openTruths(truth_file)
  const rendered = new Map<string, Frames>()
  let script = FaultScript.parse(options.script ?? [])
  let requests = 0

  const framesFor = (reply: Reply, prompt: string, model: string): Frames => {
    const promptTokens = tokensOf(prompt)
    const key = `${promptTokens}|${model}|${reply.finish_reason}|${reply.reasoning}|${reply.text}`
    let frames = rendered.get(key)
    if (!frames) {
      frames = renderReply(reply, promptTokens, model, usage, chunk_chars)
      if (rendered.size >= 4096) rendered.clear()
      rendered.set(key, frames)
    }
    return frames
  }

  const chat = (req: IncomingMessage, res: ServerResponse, raw: Buffer): void => {
    const started = performance.now()
    const received_ms = monotonicMs()
    requests += 1
    const key = req.headers.authorization
    const body = parseChat(raw)
    const prompt = body ? promptOf(body) : ''
    const entry: LedgerEntry = {
      id: requests,
      prompt_sha256: hash('sha256', prompt),
      keyed: key !== undefined,
      status: 200,
      fault: null,
      started_ms: performance.timeOrigin + started,
      ended_ms: 0,
      input_tokens: 0,
      output_tokens: 0,
    }
    const { id, prompt_sha256 } = entry
    const begun = { id, prompt_sha256, fault: null as string | null, received_ms }
    if (watched) truths.watch(res, begun)
    let booked = false
    const book = (status: number, billed: Frames | null): void => {
      if (booked) return
      booked = true
      entry.status = status
      entry.ended_ms = performance.timeOrigin + performance.now()
      entry.input_tokens = billed?.input_tokens ?? 0
      entry.output_tokens = billed?.output_tokens ?? 0
      ledger.add(entry)
    }
    const waitMs = admit?.(key ?? '', started) ?? 0
    if (waitMs > 0 && rate) {
      book(429, null)
      sendJson(res, 429, { detail: 'rate limit' }, retryAfterHeader(rate.retry_after, waitMs))
      return
    }
    if (!body) {
      book(400, null)
      sendJson(res, 400, { detail: 'the body is not a chat completion request' }, {})
      return
    }
    const fault = faultFor(script, requests, seed)
    const said = answer(prompt)
    const frames = framesFor(said, prompt, body.model ?? 'sim')
    entry.fault = fault?.kind ?? null
    begun.fault = entry.fault
    const send = (): void => {
      if (fault) sendFault(res, fault, frames, book, (span, frame) => spanMs(span, seed, id, frame), said)
      else sendFrames(res, frames, { drip_ms: mode === 'drip' ? drip_ms : null, book })
    }
    if (latency_ms > 0) setTimeout(send, latency_ms)
    else send()
  }

  const server = createServer({ keepAliveTimeout: 60_000, ...(watched && { ServerResponse: WatchedResponse }) }, (req, res) => {
    if (req.method === 'POST' && req.url?.endsWith('/chat/completions')) readBody(req, (raw) => chat(req, res, raw))
    else if (req.url === '/_sim/ledger') sendJson(res, 200, ledger.entries, {})
    else if (req.url === '/_sim/truth') sendJson(res, 200, truths.all, {})
    else if (req.url === '/_sim/cpu') sendJson(res, 200, process.cpuUsage(), {})
    else if (req.url === '/_sim/script' && req.method === 'PUT') {
      readBody(req, (raw) => {
        const parsed = FaultScript.safeParse(JSON.parse(raw.toString('utf8')))
        if (parsed.success) script = parsed.data
        sendJson(res, parsed.success ? 200 : 422, { ok: parsed.success }, {})
      })
    } else if (req.url?.endsWith('/models')) sendJson(res, 200, { object: 'list', data: [{ id: 'sim', object: 'model' }] }, {})
    else sendJson(res, 404, { detail: 'not found' }, {})
  })
  server.listen(options.port ?? 0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // a listening TCP server has an address record
  return {
    port,
    url: `http://127.0.0.1:${port}/v1`,
    ledger,
    truths: truths.all,
    setScript(next) {
      script = FaultScript.parse(next)
    },
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
      ledger.close()
    },
  }
}

function readBody(req: IncomingMessage, done: (raw: Buffer) => void): void {
  let first: Buffer | null = null
  let more: Buffer[] | null = null
  req.on('data', (chunk: Buffer) => {
    if (first === null) first = chunk
    else if (more === null) more = [first, chunk]
    else more.push(chunk)
  })
  req.on('end', () => done(more ? Buffer.concat(more) : (first ?? Buffer.alloc(0))))
}

function parseChat(raw: Buffer): ChatBody | null {
  try {
    const body: ChatBody | null = JSON.parse(raw.toString('utf8'))
    return body && Array.isArray(body.messages) ? body : null
  } catch {
    return null
  }
}

/** The text of a request as answers and hashes see it. */
export function promptOf(body: ChatBody): string {
  return (body.messages ?? []).map((message) => (typeof message?.content === 'string' ? message.content : '')).join('\n\n')
}

function sendJson(res: ServerResponse, status: number, value: unknown, headers: Record<string, string>): void {
  res.writeHead(status, { 'content-type': 'application/json', ...headers })
  res.end(JSON.stringify(value))
}
