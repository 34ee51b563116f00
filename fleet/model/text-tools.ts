import type { Message, Tool, ToolCall } from '#shared/contract/message.ts'
import { scoringInput } from '#shared/scorers/reasoning.ts'
import type { ToolChoice } from '#shared/solvers/kit.ts'
import type { Answer } from './completion-reader.ts'
import type { ModelRequest } from './request-body.ts'

/** The language of the fenced block in which a model without tools of its server's own writes a call. */
const fence = 'tool_call'

/**
 * The request as a model is asked that calls tools by its text: tools are described in the system message, calls and their results are written into the
 * conversation, and nothing of tools goes into the body. A request without tools changes only where its conversation has calls.
 */
export function askedByText({ tools, tool_choice, messages, ...rest }: ModelRequest): ModelRequest {
  const told = messages.map(asText)
  if (!tools || tools.length === 0) return { ...rest, messages: told }
  const guide = guideTo(tools, tool_choice)
  const [first, ...others] = told
  if (first?.role !== 'system') return { ...rest, messages: [{ role: 'system', content: guide }, ...told] }
  // What items begin with in common still begins the message.
  return { ...rest, messages: [{ ...first, content: `${first.content}\n\n${guide}` }, ...others] }
}

function guideTo(tools: readonly Tool[], choice: ToolChoice | undefined): string {
  const listed = tools.map(({ name, description, parameters }) => `- ${JSON.stringify({ name, description, parameters })}`)
  return [
    'You can use tools. Each is listed on a line of its own as JSON; its parameters are a JSON schema:',
    ...listed,
    '',
    'To call a tool, write a block like this one, with its name and its arguments as one JSON object:',
    `\`\`\`${fence}`,
    '{"name": "the_name_of_a_tool", "arguments": {"parameter": "value"}}',
    '```',
    'Write one block for each call, several where you need several, and end your message after the last one: the results come in the next message.',
    wish(choice),
  ].join('\n')
}

function wish(choice: ToolChoice | undefined): string {
  if (choice === undefined) return 'Where you need no tool, answer without a block.'
  if (choice === 'required') return 'You must call at least one tool in this message.'
  return choice === 'none' ? 'Call no tool in this message.' : `You must call the tool ${choice.name} in this message.`
}

/** A message in words alone: calls as blocks behind what was said, a result as a message of the user that names its call. */
function asText({ tool_calls, tool_call_id, ...message }: Message): Message {
  if (message.role === 'tool') {
    const whose = tool_call_id === undefined ? '' : ` of ${tool_call_id}`
    return { ...message, role: 'user', content: `Result${whose}:\n${message.content}` }
  }
  if (!tool_calls) return message
  const blocks = tool_calls.map(({ name, arguments: written }) => {
    return `\`\`\`${fence}\n${JSON.stringify({ name: name ?? '', arguments: parsed(written) ?? written })}\n\`\`\``
  })
  return { ...message, content: [...(message.content === '' ? [] : [message.content]), ...blocks].join('\n') }
}

const block = /^[ \t]*```[ \t]*tool_call[ \t]*\r?\n([\s\S]*?)(?:^[ \t]*```[ \t]*$|$(?![\s\S]))/gm

/**
 * The answer with the calls that its text holds, as if its server had told them apart: what stands before a closing think tag is no call, what is no JSON object
 * with a name is a call without one, whose arguments are what was written. Ids go on from the calls of the conversation. Where
 * the answer holds none, and where it was asked without tools, it stays as it is.
 */
export function readByText(answer: Answer, { tools, messages }: Pick<ModelRequest, 'tools' | 'messages'>): Answer {
  if (!tools || tools.length === 0 || answer.tool_calls.length > 0) return answer
  const { text: said } = scoringInput(answer.text)
  const before = messages.reduce((sum, { tool_calls = [] }) => sum + tool_calls.length, 0)
  const found = [...said.matchAll(block)].filter((match) => isWhole(match, answer.finish_reason))
  if (found.length === 0) return answer
  const tool_calls = found.map(([, written = ''], at) => callIn(written, `call_${before + at + 1}`))
  const text = found.reduce((rest, [whole]) => rest.replace(whole, () => ''), said)
  return { ...answer, text: text.trim(), tool_calls, finish_reason: answer.finish_reason === 'stop' ? 'tool_calls' : answer.finish_reason }
}

/** A block without its end counts where the model stopped by itself: at a stop text, or because it said enough. One that was cut is no call. */
const isWhole = ([whole]: RegExpExecArray, finish: string | null): boolean => finish !== 'length' || /```[ \t]*$/.test(whole.trimEnd())

function callIn(written: string, id: string): ToolCall {
  const json = parsed(written)
  if (typeof json !== 'object' || json === null || !('name' in json) || typeof json.name !== 'string')
    return { id, name: null, arguments: written.trim() }
  const given = 'arguments' in json ? json.arguments : {}
  return { id, name: json.name, arguments: typeof given === 'string' ? given : JSON.stringify(given) }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
