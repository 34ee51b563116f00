import * as z from 'zod'
import type { Message, Tool } from '#shared/contract/message.ts'
import type { AskRequest, Completion } from '#shared/solvers/kit.ts'
import type { Envelope } from './chat-answer.ts'
import { type ChatRequest, otherModel, type Refusal } from './chat-request.ts'
import { argumentsOf, badRequest, eventsBody, jsonBody, parseBody, unreadOf, type Wire, type WireBody } from './wire.ts'

const Text = z.object({ type: z.literal('text'), text: z.string() })
const Block = z.discriminatedUnion('type', [
  Text,
  z.object({ type: z.literal('tool_use'), id: z.string(), name: z.string(), input: z.record(z.string(), z.json()) }),
  z.object({ type: z.literal('tool_result'), tool_use_id: z.string(), content: z.union([z.string(), z.array(Text)]).nullish() }),
  /** Reasoning of earlier turns is not sent on, as with chat completions. */
  z.object({ type: z.literal('thinking') }),
  z.object({ type: z.literal('redacted_thinking') }),
])
type Block = z.infer<typeof Block>
const Body = z.object({
  model: z.string(),
  system: z.union([z.string(), z.array(Text)]).nullish(),
  messages: z.array(z.object({ role: z.enum(['user', 'assistant', 'system']), content: z.union([z.string(), z.array(Block)]) })).min(1),
  tools: z
    .array(
      z.object({
        type: z.string().optional(),
        name: z.string().min(1).max(64),
        description: z.string().nullish(),
        input_schema: z.record(z.string(), z.json()).nullish(),
      }),
    )
    .nullish(),
  tool_choice: z.object({ type: z.enum(['auto', 'any', 'tool', 'none']), name: z.string().optional() }).nullish(),
  stop_sequences: z.array(z.string()).max(4).nullish(),
  stream: z.boolean().nullish(),
})
const known = new Set([...Object.keys(Body.shape), 'metadata', 'service_tier'])

/** Anthropic's messages, as Claude Code speaks them. */
export const messagesWire: Wire = {
  read: readMessages,
  answer: (completion, envelope, { stream }) => (stream ? messageEvents(completion, envelope) : jsonBody(messageOf(completion, envelope))),
  refusal: ({ status, message }) => ({ type: 'error', error: { type: errorTypes[status] ?? 'api_error', message } }),
}

const errorTypes: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
}

function readMessages(text: string, model: string): ChatRequest | Refusal {
  const parsed = parseBody(text)
  if ('status' in parsed) return parsed
  const read = Body.safeParse(parsed.json)
  if (!read.success) {
    const { path, message } = read.error.issues[0]!
    return badRequest(path.map(String).join('.') || null, message)
  }
  const body = read.data
  if (body.model !== model) return otherModel(body.model, model)
  const system = textOf(body.system)
  const functions = (body.tools ?? []).filter((tool) => tool.type === undefined || tool.type === 'custom')
  const tools = functions.map(
    ({ name, description, input_schema }): Tool => ({ name, description: description ?? '', parameters: input_schema ?? {} }),
  )
  return {
    ask: {
      messages: [...(system ? [{ role: 'system' as const, content: system }] : []), ...body.messages.flatMap(toMessages)],
      schema: null,
      ...(tools.length > 0 && { tools, ...choiceOf(body.tool_choice) }),
      stop: body.stop_sequences?.length ? body.stop_sequences : null,
    },
    stream: body.stream ?? false,
    usage: true,
    unsent: [
      ...unreadOf(parsed.json, known),
      ...(body.tools ?? []).filter((tool) => !functions.includes(tool)).map(({ name }) => `the tool ${name}`),
    ],
  }
}

const textOf = (content: z.infer<typeof Body>['system']): string =>
  typeof content === 'string' ? content : (content ?? []).map(({ text }) => text).join('\n\n')

/** Results of tools are messages of their own, which stand before what the user says beside them. */
function toMessages({ role, content }: z.infer<typeof Body>['messages'][number]): Message[] {
  if (typeof content === 'string') return [{ role, content }]
  const results = content.flatMap((block): Message[] =>
    block.type === 'tool_result' ? [{ role: 'tool', content: resultOf(block), tool_call_id: block.tool_use_id }] : [],
  )
  const calls = content.flatMap((block) =>
    block.type === 'tool_use' ? [{ id: block.id, name: block.name, arguments: JSON.stringify(block.input) }] : [],
  )
  const text = content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n\n')
  const said = text !== '' || calls.length > 0 || results.length === 0
  return [...results, ...(said ? [{ role, content: text, ...(calls.length > 0 && { tool_calls: calls }) }] : [])]
}

const resultOf = ({ content }: Extract<Block, { type: 'tool_result' }>): string =>
  typeof content === 'string' ? content : (content ?? []).map(({ text }) => text).join('\n')

function choiceOf(choice: z.infer<typeof Body>['tool_choice']): Pick<AskRequest, 'tool_choice'> {
  if (choice?.type === 'any') return { tool_choice: 'required' }
  if (choice?.type === 'none') return { tool_choice: 'none' }
  return choice?.type === 'tool' && choice.name !== undefined ? { tool_choice: { name: choice.name } } : {}
}

function messageOf(completion: Completion, { id, model }: Envelope) {
  const { text, tool_calls = [], usage, finish_reason } = completion
  const calls = tool_calls.map((call, at) => ({
    ...{ type: 'tool_use' as const, id: call.id ?? `toolu_${id}_${at}`, name: call.name ?? '', input: argumentsOf(call.arguments) },
  }))
  return {
    ...{ id: `msg_${id}`, type: 'message', role: 'assistant', model },
    content: [...(text === '' && calls.length > 0 ? [] : [{ type: 'text' as const, text }]), ...calls],
    stop_reason: calls.length > 0 ? 'tool_use' : finish_reason === 'length' ? 'max_tokens' : 'end_turn',
    stop_sequence: null,
    usage: {
      input_tokens: usage.input_tokens - usage.cached_tokens,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: usage.cached_tokens,
      output_tokens: usage.output_tokens,
    },
  }
}

/** The whole answer as the events of a stream: each block begins, comes in one piece and ends. */
function messageEvents(completion: Completion, envelope: Envelope): WireBody {
  const { content, stop_reason, stop_sequence, usage, ...message } = messageOf(completion, envelope)
  const blocks = content.flatMap((block, index) => [
    {
      type: 'content_block_start',
      index,
      content_block: block.type === 'text' ? { ...block, text: '' } : { ...block, input: {} },
    },
    {
      type: 'content_block_delta',
      index,
      delta:
        block.type === 'text'
          ? { type: 'text_delta', text: block.text }
          : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) },
    },
    { type: 'content_block_stop', index },
  ])
  const start = { ...message, content: [], stop_reason: null, stop_sequence, usage: { ...usage, output_tokens: 0 } }
  return eventsBody(
    [
      { type: 'message_start', message: start },
      ...blocks,
      { type: 'message_delta', delta: { stop_reason, stop_sequence }, usage },
      { type: 'message_stop' },
    ],
    true,
  )
}
