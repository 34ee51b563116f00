import type { Message, ModelParams, ToolCall } from '#shared/contract/message.ts'
import type { ProviderDef } from '#shared/providers/provider-def.ts'
import type { AskRequest, ToolChoice } from '#shared/solvers/kit.ts'

/** What a model is asked, with its parameters. */
export type ModelRequest = AskRequest & { params: ModelParams }

const names = [
  'temperature',
  'top_p',
  'max_tokens',
  'stop',
  'seed',
  'reasoning_effort',
  'reasoning_budget_tokens',
  'routing',
] as const satisfies (keyof ModelParams)[]

/**
 * Bodies of chat requests to one model at one host, always streaming, with parameters as this kind of provider takes them. Parameters that are null or absent are left out; a message with pictures is sent
 * as content parts, the text first; a schema asks for a structured reply that keeps to it strictly. `budgetField` takes a budget for reasoning in place of the kind's own.
 */
export function createBodies(
  model: string,
  host: string,
  { sent }: Pick<ProviderDef, 'sent'>,
  budgetField: string | null = null,
): (request: ModelRequest) => string {
  const beginningOf = (params: ModelParams): object => {
    const fields = names.flatMap((name) => {
      const value = params[name]
      if (value == null) return []
      return [name === 'reasoning_budget_tokens' && budgetField ? [budgetField, value] : sent(name, value, host)]
    })
    return { model, stream: true, stream_options: { include_usage: true }, ...Object.fromEntries(fields) }
  }
  /** All questions of a benchmark are asked with the same parameters. */
  let latest: { params: ModelParams; beginning: object } | undefined
  return ({ messages, params, schema, tools, tool_choice }) => {
    if (latest?.params !== params) latest = { params, beginning: beginningOf(params) }
    // In one go: text that is put together of parts is copied once more when it is sent.
    return JSON.stringify({
      ...latest.beginning,
      ...(schema && { response_format: { type: 'json_schema', json_schema: { ...schema, strict: true } } }),
      ...(tools && tools.length > 0 && { tools: tools.map((tool) => ({ type: 'function', function: tool })) }),
      ...(tool_choice !== undefined && { tool_choice: choiceAsSent(tool_choice) }),
      messages: messages.map(asSent),
    })
  }
}

const choiceAsSent = (choice: ToolChoice): ToolChoice | object =>
  typeof choice === 'string' ? choice : { type: 'function', function: choice }

/** A picture whose data is not at hand is an error of the caller: a question must not be asked without its picture. */
function asSent({ role, content, pictures = [], tool_calls, tool_call_id }: Message): object {
  const told = { ...(tool_calls && { tool_calls: tool_calls.map(callAsSent) }), ...(tool_call_id !== undefined && { tool_call_id }) }
  if (pictures.length === 0) return { role, content, ...told }
  const shown = pictures.map(({ data, sha256 }) => {
    if (data === undefined) throw new TypeError(`the picture ${sha256} has no data`)
    return { type: 'image_url', image_url: { url: data } }
  })
  return { role, content: [{ type: 'text', text: content }, ...shown], ...told }
}

/** A call goes back as it came; some servers leave out its id. */
function callAsSent({ id, name, arguments: written }: ToolCall): object {
  return { ...(id !== null && { id }), type: 'function', function: { name: name ?? '', arguments: written } }
}
