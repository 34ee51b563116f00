import * as z from 'zod'
import type { Message, Tool } from '#shared/contract/message.ts'
import type { AskRequest, Completion } from '#shared/solvers/kit.ts'
import type { Envelope } from './chat-answer.ts'
import { errorBody } from './chat-answer.ts'
import { type ChatRequest, otherModel, type Refusal } from './chat-request.ts'
import { argumentsOf, badRequest, eventsBody, jsonBody, parseBody, unreadOf, type Wire } from './wire.ts'

const Part = z.object({ type: z.enum(['input_text', 'output_text', 'text']), text: z.string() })
const Said = z.union([z.string(), z.array(Part)])
const Item = z.union([
  z.object({ type: z.literal('function_call'), call_id: z.string(), name: z.string(), arguments: z.string() }),
  z.object({ type: z.literal('custom_tool_call'), call_id: z.string(), name: z.string(), input: z.string() }),
  z.object({ type: z.literal('function_call_output'), call_id: z.string(), output: Said }),
  z.object({ type: z.literal('custom_tool_call_output'), call_id: z.string(), output: Said }),
  /** Reasoning of earlier turns is not sent on, as with chat completions. */
  z.object({ type: z.literal('reasoning') }),
  z.object({
    type: z.literal('message').default('message'),
    role: z.enum(['system', 'developer', 'user', 'assistant']),
    content: Said,
  }),
])
type Item = z.infer<typeof Item>
const FunctionTool = z.object({
  type: z.literal('function'),
  name: z.string().min(1).max(64),
  description: z.string().nullish(),
  parameters: z.record(z.string(), z.json()).nullish(),
})
const CustomTool = z.object({ type: z.literal('custom'), name: z.string().min(1).max(64), description: z.string().nullish() })
const OtherTool = z.object({ type: z.string(), name: z.string().optional() })
const Body = z.object({
  model: z.string(),
  instructions: z.string().nullish(),
  input: z.union([z.string(), z.array(Item)]),
  tools: z.array(z.union([FunctionTool, CustomTool, OtherTool])).nullish(),
  tool_choice: z.union([z.enum(['auto', 'none', 'required']), z.object({ type: z.literal('function'), name: z.string() })]).nullish(),
  stream: z.boolean().nullish(),
})
const known = new Set([
  ...Object.keys(Body.shape),
  ...['store', 'include', 'metadata', 'client_metadata', 'prompt_cache_key', 'parallel_tool_calls', 'service_tier', 'user'],
])

/** OpenAI's responses, as Codex CLI speaks them. */
export const responsesWire: Wire = {
  read: readResponses,
  answer(completion, envelope, asked) {
    const response = responseOf(completion, envelope, asked.custom ?? [])
    return asked.stream ? eventsBody(eventsOf(response), true) : jsonBody(response)
  },
  refusal: errorBody,
}

function readResponses(text: string, model: string): ChatRequest | Refusal {
  const parsed = parseBody(text)
  if ('status' in parsed) return parsed
  const read = Body.safeParse(parsed.json)
  if (!read.success) {
    const { path, message } = read.error.issues[0]!
    return badRequest(path.map(String).join('.') || null, message)
  }
  const body = read.data
  if (body.model !== model) return otherModel(body.model, model)
  const custom: string[] = []
  const left: string[] = []
  const tools = (body.tools ?? []).flatMap((tool): Tool[] => {
    if (tool.type === 'function' && 'parameters' in tool)
      return [{ name: tool.name, description: tool.description ?? '', parameters: tool.parameters ?? {} }]
    if (tool.type === 'custom' && tool.name !== undefined) {
      custom.push(tool.name)
      const description = 'description' in tool ? (tool.description ?? '') : ''
      return [{ name: tool.name, description, parameters: inputText }]
    }
    left.push(`the tool ${tool.name ?? tool.type}`)
    return []
  })
  const items: Item[] = typeof body.input === 'string' ? [{ type: 'message', role: 'user', content: body.input }] : body.input
  return {
    ask: {
      messages: [...(body.instructions ? [{ role: 'system' as const, content: body.instructions }] : []), ...toMessages(items)],
      schema: null,
      ...(tools.length > 0 && { tools, ...choiceOf(body.tool_choice) }),
      stop: null,
    },
    stream: body.stream ?? false,
    usage: true,
    unsent: [...unreadOf(parsed.json, known), ...left],
    custom,
  }
}

/** A tool that takes any text is offered as a function of one text. */
const inputText = { type: 'object', properties: { input: { type: 'string' } }, required: ['input'], additionalProperties: false }

const textOf = (said: z.infer<typeof Said>): string => (typeof said === 'string' ? said : said.map(({ text }) => text).join(''))

/** Calls that follow one another, and the words before them, are one message of the assistant. */
function toMessages(items: readonly Item[]): Message[] {
  const messages: Message[] = []
  for (const item of items) {
    if (item.type === 'reasoning') continue
    if (item.type === 'message') {
      messages.push({ role: item.role === 'developer' ? 'system' : item.role, content: textOf(item.content) })
      continue
    }
    if (item.type === 'function_call_output' || item.type === 'custom_tool_call_output') {
      messages.push({ role: 'tool', content: textOf(item.output), tool_call_id: item.call_id })
      continue
    }
    const written = item.type === 'function_call' ? item.arguments : JSON.stringify({ input: item.input })
    const call = { id: item.call_id, name: item.name, arguments: written }
    const last = messages.at(-1)
    if (last?.role === 'assistant') messages[messages.length - 1] = { ...last, tool_calls: [...(last.tool_calls ?? []), call] }
    else messages.push({ role: 'assistant', content: '', tool_calls: [call] })
  }
  return messages
}

function choiceOf(choice: z.infer<typeof Body>['tool_choice']): Pick<AskRequest, 'tool_choice'> {
  if (choice == null || choice === 'auto') return {}
  return { tool_choice: typeof choice === 'string' ? choice : { name: choice.name } }
}

function responseOf(
  { text, tool_calls = [], usage, finish_reason }: Completion,
  { id, model, created }: Envelope,
  custom: readonly string[],
) {
  const calls = tool_calls.map((call, at) => {
    const name = call.name ?? ''
    const named = { id: `fc_${id}_${at}`, call_id: call.id ?? `call_${id}_${at}`, name, status: 'completed' }
    if (!custom.includes(name)) return { type: 'function_call', ...named, arguments: call.arguments }
    const { input } = argumentsOf(call.arguments)
    return { type: 'custom_tool_call', ...named, input: typeof input === 'string' ? input : call.arguments }
  })
  const content = [{ type: 'output_text', text, annotations: [] }]
  const message = { type: 'message', id: `msg_${id}`, role: 'assistant', status: 'completed', content }
  const cut = finish_reason === 'length'
  return {
    ...{ id: `resp_${id}`, object: 'response', created_at: created, model, status: cut ? 'incomplete' : 'completed', error: null },
    incomplete_details: cut ? { reason: 'max_output_tokens' } : null,
    output: [...(text === '' && calls.length > 0 ? [] : [message]), ...calls],
    usage: {
      input_tokens: usage.input_tokens,
      input_tokens_details: { cached_tokens: usage.cached_tokens },
      output_tokens: usage.output_tokens,
      output_tokens_details: { reasoning_tokens: usage.reasoning_tokens },
      total_tokens: usage.input_tokens + usage.output_tokens,
    },
  }
}

/** The whole answer as the events of a stream, numbered: each item begins and ends, and a message comes in one piece. */
function eventsOf(response: ReturnType<typeof responseOf>): { type: string; [field: string]: unknown }[] {
  const { output, ...head } = response
  const open = { ...head, status: 'in_progress', output: [], usage: null, incomplete_details: null }
  const items = output.flatMap((item, output_index) => [
    {
      type: 'response.output_item.added',
      output_index,
      item: { ...item, status: 'in_progress', ...('content' in item && { content: [] }) },
    },
    ...('content' in item
      ? [{ type: 'response.output_text.delta', item_id: item.id, output_index, content_index: 0, delta: item.content[0]!.text }]
      : []),
    { type: 'response.output_item.done', output_index, item },
  ])
  const end = { type: response.status === 'incomplete' ? 'response.incomplete' : 'response.completed', response }
  return [{ type: 'response.created', response: open }, ...items, end].map((event, sequence_number) => ({ ...event, sequence_number }))
}
