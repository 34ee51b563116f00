import * as z from 'zod'
import type { Message, ModelParams, Tool } from '#shared/contract/message.ts'
import type { AskRequest } from '#shared/solvers/kit.ts'

/** Why a request goes no further, as a program that speaks to OpenAI is told; `code` and `status` are OpenAI's. */
export type Refusal = { status: number; code: string; param: string | null; message: string }

/** What a program asks, as the kit takes it. `unsent`: parameters it gave that the plan's stand in place of. */
export type ChatRequest = {
  ask: Pick<AskRequest, 'messages' | 'schema' | 'tools' | 'tool_choice'> & { stop: string[] | null }
  stream: boolean
  usage: boolean
  unsent: string[]
  /** Names of tools that take any text, of OpenAI's responses; absent elsewhere. */
  custom?: readonly string[]
}

const Parts = z.array(z.object({ type: z.string(), text: z.string().optional() }))
const Content = z.union([z.string(), Parts]).nullish()
const Call = z.object({
  id: z.string(),
  type: z.literal('function').default('function'),
  function: z.object({ name: z.string(), arguments: z.string() }),
})
const ChatMessage = z.object({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool']),
  content: Content,
  tool_calls: z.array(Call).nullish(),
  tool_call_id: z.string().nullish(),
})
const Body = z.object({
  model: z.string(),
  messages: z.array(ChatMessage).min(1),
  stream: z.boolean().nullish(),
  stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
  n: z.literal(1, 'one answer is given to a request').nullish(),
  stop: z.union([z.string(), z.array(z.string()).max(4)]).nullish(),
  tools: z
    .array(
      z.object({
        type: z.literal('function', 'tools are functions'),
        function: z.object({
          name: z.string().min(1).max(64),
          description: z.string().nullish(),
          parameters: z.record(z.string(), z.json()).nullish(),
        }),
      }),
    )
    .nullish(),
  tool_choice: z
    .union([z.enum(['auto', 'none', 'required']), z.object({ type: z.literal('function'), function: z.object({ name: z.string() }) })])
    .nullish(),
  response_format: z
    .discriminatedUnion('type', [
      z.object({ type: z.literal('text') }),
      z.object({ type: z.literal('json_schema'), json_schema: z.object({ name: z.string(), schema: z.record(z.string(), z.json()) }) }),
    ])
    .nullish(),
  functions: z.null('functions are from before tools: offer tools').optional(),
})
type Body = z.infer<typeof Body>

/** Fields that are read here, and those of a client's own bookkeeping, which change no answer. */
const known = new Set([
  ...Object.keys(Body.shape),
  'user',
  'metadata',
  'store',
  'service_tier',
  'safety_identifier',
  'prompt_cache_key',
  'parallel_tool_calls',
])

/** Reads the body of a chat completion for the one model that there is. */
export function readChatRequest(text: string, model: string): ChatRequest | Refusal {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return refused(null, 'the body is no JSON')
  }
  const parsed = Body.safeParse(json)
  if (!parsed.success) {
    const { path, message } = parsed.error.issues[0]!
    return refused(path.map(String).join('.') || null, message)
  }
  const body = parsed.data
  if (body.model !== model) return otherModel(body.model, model)
  const messages: Message[] = []
  for (const [at, message] of body.messages.entries()) {
    const content = textOf(message.content)
    if (content === null) return refused(`messages.${at}.content`, 'only text goes through here')
    messages.push({
      role: message.role === 'developer' ? 'system' : message.role,
      content,
      ...(message.tool_calls?.length && {
        tool_calls: message.tool_calls.map(({ id, function: called }) => ({ id, name: called.name, arguments: called.arguments })),
      }),
      ...(message.tool_call_id != null && { tool_call_id: message.tool_call_id }),
    })
  }
  const tools = body.tools?.map(
    ({ function: tool }): Tool => ({ name: tool.name, description: tool.description ?? '', parameters: tool.parameters ?? {} }),
  )
  return {
    ask: {
      messages,
      schema: body.response_format?.type === 'json_schema' ? body.response_format.json_schema : null,
      ...(tools?.length && { tools }),
      ...choiceOf(body),
      stop: body.stop == null ? null : [body.stop].flat(),
    },
    stream: body.stream ?? false,
    usage: body.stream_options?.include_usage ?? false,
    unsent: Object.entries(json as object) // it is an object, as it was parsed as one
      .filter(([name, value]) => !known.has(name) && value !== null)
      .map(([name]) => name),
  }
}

/** The parameters of the plan. Where it names no stop sequences those of the program hold: they are how it reads answers, not how they are drawn. */
export const paramsWith = (planned: ModelParams, stop: string[] | null): ModelParams =>
  stop === null || planned.stop !== null ? planned : { ...planned, stop }

export const otherModel = (asked: string, model: string): Refusal => ({
  status: 404,
  code: 'model_not_found',
  param: 'model',
  message: `There is no model ${JSON.stringify(asked.slice(0, 200))} here. The one that is tested is ${JSON.stringify(model)}.`,
})

const refused = (param: string | null, message: string): Refusal => ({
  status: 400,
  code: 'invalid_request_error',
  param,
  message: param === null ? message : `${param}: ${message}`,
})

function choiceOf({ tool_choice, tools }: Body): Pick<AskRequest, 'tool_choice'> {
  if (!tools?.length || tool_choice == null || tool_choice === 'auto') return {}
  return { tool_choice: typeof tool_choice === 'string' ? tool_choice : { name: tool_choice.function.name } }
}

/** The text of a message; null where something else is in it. */
function textOf(content: Body['messages'][number]['content']): string | null {
  if (content == null) return ''
  if (typeof content === 'string') return content
  return content.every((part) => part.type === 'text' && part.text !== undefined) ? content.map((part) => part.text).join('') : null
}
