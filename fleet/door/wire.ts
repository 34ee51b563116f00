import type { Completion } from '#shared/solvers/kit.ts'
import type { Envelope } from './chat-answer.ts'
import type { ChatRequest, Refusal } from './chat-request.ts'

/** A body to be sent and its media type. */
export type WireBody = { type: string; body: string }

/** An API in which a program may ask the model: OpenAI's chat completions and responses, Anthropic's messages, Gemini's contents. */
export type Wire = {
  /** Reads a request for the one model that there is. `path` is that of the request. */
  read(text: string, model: string, path: string): ChatRequest | Refusal
  answer(completion: Completion, envelope: Envelope, asked: ChatRequest): WireBody
  refusal(refusal: Refusal): object
}

export const jsonBody = (value: unknown): WireBody => ({ type: 'application/json', body: JSON.stringify(value) })

/** Server-sent events, named by their `type` where `named`. */
export const eventsBody = (events: readonly { readonly [field: string]: unknown }[], named: boolean): WireBody => ({
  type: 'text/event-stream',
  body: events.map((event) => `${named ? `event: ${event.type}\n` : ''}data: ${JSON.stringify(event)}\n\n`).join(''),
})

/** Parses a body. Gives a refusal for text that is no JSON. */
export function parseBody(text: string): { json: unknown } | Refusal {
  try {
    return { json: JSON.parse(text) }
  } catch {
    return badRequest(null, 'the body is no JSON')
  }
}

export const badRequest = (param: string | null, message: string): Refusal => ({
  status: 400,
  code: 'invalid_request_error',
  param,
  message: param === null ? message : `${param}: ${message}`,
})

/** Arguments of a call as an object: what the model wrote where that is one, else its text under `invalid_json`. */
export function argumentsOf(text: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(text === '' ? '{}' : text)
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed as Record<string, unknown> // checked
  } catch {}
  return { invalid_json: text }
}

/** Names of fields that a request gave and that nobody reads. */
export const unreadOf = (json: unknown, known: ReadonlySet<string>): string[] =>
  Object.entries(json as object) // it was parsed as an object
    .filter(([name, value]) => !known.has(name) && value !== null)
    .map(([name]) => name)
