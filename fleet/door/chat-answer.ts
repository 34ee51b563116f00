import type { Failure } from '#shared/contract/failure.ts'
import type { LimitHit } from '#shared/contract/trial-limits.ts'
import type { Completion } from '#shared/solvers/kit.ts'
import type { ChatRequest, Refusal } from './chat-request.ts'

/** What an answer is sent with. `id` tells it from others, `created` is in seconds since 1970. */
export type Envelope = { id: string; model: string; created: number }

const finishOf = ({ finish_reason, tool_calls }: Completion): string => finish_reason ?? (tool_calls?.length ? 'tool_calls' : 'stop')

/** The calls as the model wrote them; one without an id gets one, as programs answer calls by it. */
const callsOf = ({ tool_calls }: Completion, { id }: Envelope) =>
  tool_calls?.map((call, at) => ({
    id: call.id ?? `call_${id}_${at}`,
    type: 'function',
    function: { name: call.name ?? '', arguments: call.arguments },
  })) ?? []

const usageOf = ({ usage }: Completion) => ({
  prompt_tokens: usage.input_tokens,
  completion_tokens: usage.output_tokens,
  total_tokens: usage.input_tokens + usage.output_tokens,
  prompt_tokens_details: { cached_tokens: usage.cached_tokens },
  completion_tokens_details: { reasoning_tokens: usage.reasoning_tokens },
})

/** An answer as one object. */
export function chatAnswer(completion: Completion, envelope: Envelope): object {
  const { text, reasoning } = completion
  const tool_calls = callsOf(completion, envelope)
  const message = {
    role: 'assistant',
    content: text === '' && tool_calls.length > 0 ? null : text,
    ...(reasoning !== null && { reasoning_content: reasoning }),
    ...(tool_calls.length > 0 && { tool_calls }),
  }
  return {
    id: `chatcmpl-${envelope.id}`,
    object: 'chat.completion',
    created: envelope.created,
    model: envelope.model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: finishOf(completion) }],
    usage: usageOf(completion),
  }
}

/** The same as server-sent events: the answer is there as a whole before the first of them, and each part of it comes in one. */
export function chatEvents(completion: Completion, envelope: Envelope, { usage }: Pick<ChatRequest, 'usage'>): string {
  const head = { id: `chatcmpl-${envelope.id}`, object: 'chat.completion.chunk', created: envelope.created, model: envelope.model }
  const chunk = (delta: object, finish_reason: string | null = null): object => ({
    ...head,
    choices: [{ index: 0, delta, logprobs: null, finish_reason }],
  })
  const { text, reasoning } = completion
  const calls = callsOf(completion, envelope).map((call, index) => ({ index, ...call }))
  const chunks = [
    chunk({ role: 'assistant', content: '' }),
    ...(reasoning === null ? [] : [chunk({ reasoning_content: reasoning })]),
    ...(text === '' ? [] : [chunk({ content: text })]),
    ...calls.map((call) => chunk({ tool_calls: [call] })),
    chunk({}, finishOf(completion)),
    ...(usage ? [{ ...head, choices: [], usage: usageOf(completion) }] : []),
  ]
  return `${chunks.map((one) => `data: ${JSON.stringify(one)}\n\n`).join('')}data: [DONE]\n\n`
}

/** What a program is told by whom a limit was met: as OpenAI tells that nothing is left, which clients take for the end. */
export const limitRefusal = ({ limit, most }: LimitHit): Refusal => ({
  status: 429,
  code: 'insufficient_quota',
  param: null,
  message: `This attempt has met its limit of ${most} ${limit === 'usd' ? 'dollars' : limit}: the model is asked no more. Stop.`,
})

/** What a program is told of a model that could not be asked, after all that was tried again. */
export function failureRefusal({ reason, detail, status }: Failure): Refusal {
  if (reason === 'context-length') return { status: 400, code: 'context_length_exceeded', param: 'messages', message: detail }
  const ofRequest = isOfRequest(reason)
  return {
    status: ofRequest ? 400 : 502,
    code: reason,
    param: null,
    message: `The model could not be asked (${reason}${status === null ? '' : ` ${status}`}): ${detail}`,
  }
}

/** Whether a failure lies in what the program asked: it may ask otherwise, and is graded by what it does. */
export const isOfRequest = (reason: Failure['reason']): boolean =>
  ['bad-request', 'context-length', 'too-large', 'content-filter'].includes(reason)

/** An error in OpenAI's shape. */
export const errorBody = ({ code, param, message, status }: Refusal): object => ({
  error: {
    message,
    type:
      code === 'rate_limit_exceeded'
        ? 'requests'
        : status === 429
          ? 'insufficient_quota'
          : status < 500
            ? 'invalid_request_error'
            : 'server_error',
    param,
    code,
  },
})
