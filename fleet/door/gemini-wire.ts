import * as z from 'zod'
import type { Message, Tool } from '#shared/contract/message.ts'
import type { AskRequest, Completion } from '#shared/solvers/kit.ts'
import type { Envelope } from './chat-answer.ts'
import { type ChatRequest, otherModel, type Refusal } from './chat-request.ts'
import { argumentsOf, badRequest, eventsBody, jsonBody, parseBody, unreadOf, type Wire } from './wire.ts'

const Schema = z.record(z.string(), z.json())
const Part = z.object({
  text: z.string().optional(),
  thought: z.boolean().optional(),
  functionCall: z.object({ id: z.string().nullish(), name: z.string(), args: Schema.nullish() }).optional(),
  functionResponse: z.object({ id: z.string().nullish(), name: z.string(), response: Schema.nullish() }).optional(),
  inlineData: z.never('only text goes through here').optional(),
  fileData: z.never('only text goes through here').optional(),
})
const Content = z.object({ role: z.string().nullish(), parts: z.array(Part) })
const Declared = z.object({
  name: z.string().min(1).max(64),
  description: z.string().nullish(),
  parameters: Schema.nullish(),
  parametersJsonSchema: Schema.nullish(),
})
const Body = z.object({
  contents: z.array(Content).min(1),
  systemInstruction: z.union([Content, z.object({ text: z.string() }).transform(({ text }) => ({ parts: [{ text }] }))]).nullish(),
  tools: z.array(z.object({ functionDeclarations: z.array(Declared).optional() })).nullish(),
  toolConfig: z.object({ functionCallingConfig: z.object({ mode: z.string().nullish() }).nullish() }).nullish(),
  generationConfig: z
    .looseObject({
      stopSequences: z.array(z.string()).max(4).nullish(),
      responseSchema: Schema.nullish(),
      responseJsonSchema: Schema.nullish(),
    })
    .nullish(),
})
type Body = z.infer<typeof Body>
const known = new Set([...Object.keys(Body.shape), 'labels', 'safetySettings', 'session_id', 'user_prompt_id'])

/** Gemini's contents, as Gemini CLI speaks them. Its own helpers ask models of their names: the tested model answers for them too. */
export const geminiWire: Wire = {
  read: readContents,
  answer(completion, envelope, { stream }) {
    const answer = answerOf(completion, envelope)
    return stream ? eventsBody([answer], false) : jsonBody(answer)
  },
  refusal: ({ status, message }) => ({ error: { code: status, message, status: statusNames[status] ?? 'INTERNAL' } }),
}

/** Path of a question: the model, whose id may hold slashes, and whether the answer is a stream. */
export const geminiPath = /^\/v1(?:beta)?\/models\/(.+):(generateContent|streamGenerateContent)$/

const statusNames: Record<number, string> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
}

function readContents(text: string, model: string, path: string): ChatRequest | Refusal {
  const [, named = '', way] = geminiPath.exec(path) ?? []
  const asked = decodeURIComponent(named)
  const parsed = parseBody(text)
  if ('status' in parsed) return parsed
  const read = Body.safeParse(parsed.json)
  if (!read.success) {
    const { path: at, message } = read.error.issues[0]!
    return badRequest(at.map(String).join('.') || null, message)
  }
  if (asked !== model && !asked.startsWith('gemini-')) return otherModel(asked, model)
  const { contents, systemInstruction, tools, toolConfig, generationConfig } = read.data
  const { stopSequences, responseSchema, responseJsonSchema, responseMimeType: _form, ...own } = generationConfig ?? {}
  const schema = responseJsonSchema ?? responseSchema
  const functions = (tools ?? []).flatMap(({ functionDeclarations = [] }) => functionDeclarations).map(toTool)
  const system = systemInstruction?.parts.map(({ text: said = '' }) => said).join('\n\n')
  return {
    ask: {
      messages: [...(system ? [{ role: 'system' as const, content: system }] : []), ...toMessages(contents)],
      schema: schema ? { name: 'answer', schema: plainSchema(schema) as Record<string, unknown> } : null,
      ...(functions.length > 0 && { tools: functions, ...choiceOf(toolConfig) }),
      stop: stopSequences?.length ? stopSequences : null,
    },
    stream: way === 'streamGenerateContent',
    usage: true,
    unsent: [
      ...unreadOf(parsed.json, known),
      ...Object.entries(own).flatMap(([name, value]) => (value == null ? [] : [name])),
      ...(asked === model ? [] : [`the model ${asked.slice(0, 60)}`]),
    ],
  }
}

const toTool = ({ name, description, parameters, parametersJsonSchema }: z.infer<typeof Declared>): Tool => ({
  name,
  description: description ?? '',
  parameters: (parametersJsonSchema ?? plainSchema(parameters ?? {})) as Tool['parameters'],
})

/** Gemini writes types of its schemas in capital letters, and bounds as text. */
function plainSchema(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainSchema)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => {
      if (key === 'type' && typeof one === 'string') return [key, one.toLowerCase()]
      if (/^(min|max)[A-Z]/.test(key) && typeof one === 'string') return [key, Number(one)]
      return [key, plainSchema(one)]
    }),
  )
}

/** Calls without an id get one by their place, and results without one belong to the first open call of their name. */
function toMessages(contents: Body['contents']): Message[] {
  const open: { id: string; name: string }[] = []
  let calls = 0
  return contents.flatMap(({ role, parts }): Message[] => {
    const results = parts.flatMap(({ functionResponse }): Message[] => {
      if (!functionResponse) return []
      const at = open.findIndex(({ id, name }) => (functionResponse.id ? id === functionResponse.id : name === functionResponse.name))
      const [call] = at < 0 ? [] : open.splice(at, 1)
      const { id, name, response } = functionResponse
      return [{ role: 'tool', content: JSON.stringify(response ?? {}), tool_call_id: call?.id ?? id ?? name }]
    })
    const called = parts.flatMap(({ functionCall }) => {
      if (!functionCall) return []
      const call = { id: functionCall.id || `call_${calls++}`, name: functionCall.name }
      open.push(call)
      return [{ ...call, arguments: JSON.stringify(functionCall.args ?? {}) }]
    })
    const content = parts.flatMap(({ text, thought }) => (text === undefined || thought ? [] : [text])).join('')
    const said = content !== '' || called.length > 0 || results.length === 0
    const message = { role: role === 'model' ? ('assistant' as const) : ('user' as const), content }
    return [...results, ...(said ? [{ ...message, ...(called.length > 0 && { tool_calls: called }) }] : [])]
  })
}

function choiceOf(config: Body['toolConfig']): Pick<AskRequest, 'tool_choice'> {
  const mode = config?.functionCallingConfig?.mode
  return mode === 'ANY' ? { tool_choice: 'required' } : mode === 'NONE' ? { tool_choice: 'none' } : {}
}

function answerOf({ text, tool_calls = [], usage, finish_reason }: Completion, { id, model }: Envelope) {
  const calls = tool_calls.map((call, at) => ({
    functionCall: { id: call.id ?? `call_${id}_${at}`, name: call.name ?? '', args: argumentsOf(call.arguments) },
  }))
  const parts = [...(text === '' && calls.length > 0 ? [] : [{ text }]), ...calls]
  return {
    candidates: [{ index: 0, content: { role: 'model', parts }, finishReason: finish_reason === 'length' ? 'MAX_TOKENS' : 'STOP' }],
    usageMetadata: {
      promptTokenCount: usage.input_tokens,
      cachedContentTokenCount: usage.cached_tokens,
      candidatesTokenCount: usage.output_tokens - usage.reasoning_tokens,
      thoughtsTokenCount: usage.reasoning_tokens,
      totalTokenCount: usage.input_tokens + usage.output_tokens,
    },
    modelVersion: model,
    responseId: id,
  }
}
