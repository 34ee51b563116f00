import { createHash, randomUUID, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Failure } from '#shared/contract/failure.ts'
import type { Answered, AskRequest, Completion, Kit } from '#shared/solvers/kit.ts'
import { type BodyShare, createBodyBudget } from './body-budget.ts'
import { chatAnswer, chatEvents, errorBody, failureRefusal, isOfRequest, limitRefusal } from './chat-answer.ts'
import { type ChatRequest, otherModel, paramsWith, type Refusal, readChatRequest } from './chat-request.ts'
import { geminiPath, geminiWire } from './gemini-wire.ts'
import { messagesWire } from './messages-wire.ts'
import { responsesWire } from './responses-wire.ts'
import { jsonBody, type Wire } from './wire.ts'

/** Bytes of a request. */
const mostBody = 32 * 2 ** 20
/** Different notes of one attempt. */
const mostNotes = 50
/** Brackets and commas of a request: each costs many times its byte when it is read as JSON. */
const mostParts = 4_000_000

/** Whom requests are sent on to, and what is told of them. */
export type ChatPort = {
  model: string
  token: string
  params: Kit['params']
  ask(request: AskRequest): Promise<Answered>
  note(text: string): void
}

/** What went through so far: see `ModelDoor.told`. */
export type ChatTold = { answers: number; last: Completion | null; failure: Failure | null }

/**
 * Answers OpenAI's chat completions from one model. Only who sends the token is heard. The server listens nowhere by itself: connections are handed to it.
 */
export function createChatServer(port: ChatPort, budget = createBodyBudget()): { server: Server; told(): ChatTold } {
  const told: ChatTold = { answers: 0, last: null, failure: null }
  const noted = new Set<string>()
  const note = (text: string): void => {
    if (noted.has(text) || noted.size >= mostNotes) return
    port.note(text)
    noted.add(text)
  }
  const chat: Chat = async (request, response, wire, path) => {
    const share = budget.enter()
    try {
      const text = await readBody(request, share)
      if (typeof text === 'string') await answer(text, response, wire, path)
      else refuse(response, text, wire)
    } finally {
      share.leave()
    }
  }
  const answer = async (text: string, response: ServerResponse, wire: Wire, path: string): Promise<void> => {
    const asked = wire.read(text, port.model, path)
    if ('status' in asked) return refuse(response, asked, wire)
    tellUnsent(asked, port, note)
    const { stop, ...ask } = asked.ask
    const answered = await port.ask({ ...ask, params: paramsWith(port.params, stop) })
    if (!answered.ok) return refuse(response, keep(told, answered), wire)
    told.answers++
    told.last = answered.value
    told.failure = null
    const envelope = { id: randomUUID(), model: port.model, created: Math.floor(Date.now() / 1000) }
    const { type, body } = wire.answer(answered.value, envelope, asked)
    send(response, 200, type, body)
  }
  const server = createServer((request, response) => {
    response.on('error', () => undefined) // who asked has gone
    const stop = isAllowed(request, port.token) ? route(request, response, port, chat) : Promise.resolve(refuse(response, notAllowed))
    stop.catch(() => response.destroy())
  })
  server.on('clientError', (_error, socket) => socket.destroy())
  return { server, told: () => ({ ...told }) }
}

async function route(request: IncomingMessage, response: ServerResponse, { model }: ChatPort, chat: Chat): Promise<void> {
  const { pathname } = new URL(request.url ?? '/', 'http://door')
  const wire = request.method === 'POST' ? wireAt(pathname) : undefined
  if (wire) return chat(request, response, wire, pathname)
  const listed = { id: model, object: 'model', created: 0, owned_by: 'bench' }
  if (request.method === 'GET' && pathname === '/v1/models') return sendJson(response, 200, { object: 'list', data: [listed] })
  if (request.method === 'GET' && pathname.startsWith('/v1/models/')) {
    const asked = decodeURIComponent(pathname.slice('/v1/models/'.length))
    return asked === model ? sendJson(response, 200, listed) : refuse(response, otherModel(asked, model))
  }
  const message = `There is no ${request.method} ${pathname.slice(0, 200)} here, only POST /v1/chat/completions, /v1/responses, /v1/messages, /v1beta/models/MODEL:generateContent, and GET /v1/models.`
  return refuse(response, { status: 404, code: 'not_found', param: null, message })
}

const notAllowed: Refusal = {
  status: 401,
  code: 'invalid_api_key',
  param: null,
  message: 'Send the token of this attempt, OPENAI_API_KEY, as bearer.',
}

/** Compared by hash and in constant time, so that nothing is learned from how long it takes. Each API has its own header for a key. */
function isAllowed({ headers }: IncomingMessage, token: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest()
  const same = (given: unknown, wanted: string) => timingSafeEqual(hash(typeof given === 'string' ? given : ''), hash(wanted))
  return [
    same(headers.authorization, `Bearer ${token}`),
    same(headers['x-api-key'], token),
    same(headers['x-goog-api-key'], token),
  ].includes(true)
}

type Chat = (request: IncomingMessage, response: ServerResponse, wire: Wire, path: string) => Promise<void>

/** OpenAI's chat completions. */
const chatWire: Wire = {
  read: readChatRequest,
  answer: (completion, envelope, asked) =>
    asked.stream
      ? { type: 'text/event-stream', body: chatEvents(completion, envelope, asked) }
      : jsonBody(chatAnswer(completion, envelope)),
  refusal: errorBody,
}
const wires: Readonly<Record<string, Wire>> = {
  '/v1/chat/completions': chatWire,
  '/v1/responses': responsesWire,
  '/v1/messages': messagesWire,
}
const wireAt = (path: string): Wire | undefined => wires[path] ?? (geminiPath.test(path) ? geminiWire : undefined)

const tooLarge: Refusal = {
  status: 413,
  code: 'request_too_large',
  param: null,
  message: `A request has ${mostBody} bytes and ${mostParts} parts of JSON at most.`,
}
const tooMuch: Refusal = {
  status: 429,
  code: 'rate_limit_exceeded',
  param: null,
  message: 'Requests under way hold as many bytes as this attempt may send at a time. Send it again when one of them is answered.',
}

/** The body as text, or why it is not read to its end. */
async function readBody(request: IncomingMessage, share: BodyShare): Promise<string | Refusal> {
  const parts: Buffer[] = []
  let bytes = 0
  let structure = 0
  for await (const part of request) {
    bytes += part.length
    structure += structureOf(part)
    if (bytes > mostBody || structure > mostParts) return tooLarge
    if (!share.take(part.length)) return tooMuch
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

const structural = new Uint8Array(256)
for (const byte of Buffer.from('[{,:')) structural[byte] = 1

/** Characters that begin or part something in JSON, inside of texts too. */
function structureOf(part: Buffer): number {
  let found = 0
  for (let at = 0; at < part.length; at++) found += structural[part[at]!]!
  return found
}

/** What goes on without the program's own parameters is told once in the transcript, by their names. */
function tellUnsent({ unsent, ask: { stop } }: ChatRequest, { params }: ChatPort, note: (text: string) => void): void {
  const dropped = [...unsent, ...(stop !== null && params.stop !== null ? ['stop'] : [])].sort()
  if (dropped.length > 0)
    note(`The command asked with ${dropped.join(', ').slice(0, 500)} of its own; the plan’s parameters hold in their place.`)
  if (stop !== null && params.stop === null) note(`The command’s own stop sequences hold: ${JSON.stringify(stop).slice(0, 500)}.`)
}

/** What stands in the way. What only the request is to blame for is no failure of the trial, unless nothing was ever answered. */
function keep(told: ChatTold, answered: Exclude<Answered, { ok: true }>): Refusal {
  if ('limit' in answered) return limitRefusal(answered.limit)
  const { failure } = answered
  if (!isOfRequest(failure.reason) || (failure.reason === 'bad-request' && told.answers === 0)) told.failure = failure
  return failureRefusal(failure)
}

/** Clients of OpenAI ask again by themselves where that may help. Where all was tried already they are told not to. */
function refuse(response: ServerResponse, refusal: Refusal, wire: Pick<Wire, 'refusal'> = chatWire): void {
  response.setHeader('x-should-retry', String(refusal === tooMuch))
  if (refusal === tooLarge || refusal === tooMuch) response.setHeader('connection', 'close')
  sendJson(response, refusal.status, wire.refusal(refusal))
}

const sendJson = (response: ServerResponse, status: number, value: unknown): void =>
  send(response, status, 'application/json', JSON.stringify(value))

function send(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) })
  response.end(body)
}
