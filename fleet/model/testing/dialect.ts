import { type Fields, isFields } from '../json-fields.ts'
import {
  errorForms,
  heartbeats,
  type Ideal,
  reasoningForms,
  textForms,
  thirds,
  toolForms,
  trailings,
  usageForms,
} from './dialect-columns.ts'

/** How chunks are framed: as events in several spellings, as lines of JSON, or as one body. */
export const framings = [
  'events',
  'events, CRLF',
  'events, CR',
  'events, bare',
  'events, named',
  'JSON lines',
  'body',
  'body, indented',
] as const

/** What is told again at the end: nothing, the text as one more delta, the text as a message, all of it as a message or as a delta. */
export const repeats = ['nothing', 'text in a delta', 'text in a message', 'all in a message', 'all in a delta'] as const

/** One dialect: a row of each column. `error` is the form of an error in the middle of the answer; null where it ends well. */
export type Dialect = {
  reasoning: keyof typeof reasoningForms
  text: keyof typeof textForms
  tools: string
  usage: string
  /** The finish reason as it is spelled. */
  finish: string
  repeat: (typeof repeats)[number]
  framing: (typeof framings)[number]
  heartbeat: string
  trailing: string
  error: string | null
}

/** An answer as OpenAI's own server sends it. */
export const plainDialect: Dialect = {
  reasoning: 'reasoning_content',
  text: 'content',
  tools: 'by index',
  usage: 'chunk of its own',
  finish: 'stop',
  repeat: 'nothing',
  framing: 'events',
  heartbeat: 'none',
  trailing: 'done',
  error: null,
}

/** The body of a response, and how it ends. */
export type Rendered = { text: string; end: 'closed' | 'broken' | 'silent' }

type Chunk = { json: object | string; event?: string }

const head = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1_700_000_000, model: 'org/model' }
const chunkOf = (choice: object, finish_reason: string | null = null, more: object = {}): Chunk => ({
  json: { ...head, choices: [{ index: 0, ...choice, finish_reason }], ...more },
})

/** Puts an answer into a dialect. */
export function renderDialect(ideal: Ideal, dialect: Dialect): Rendered {
  return dialect.framing.startsWith('body') ? renderBody(ideal, dialect) : renderStream(ideal, dialect)
}

function renderStream(ideal: Ideal, dialect: Dialect): Rendered {
  const usage = usageForms[dialect.usage]!
  const begins: Chunk[] = [
    ...(usage.first ? [{ json: { ...head, ...usage.first(ideal.usage) } }] : []),
    chunkOf({ delta: { role: 'assistant', content: '' } }),
    ...thirds(ideal.reasoning).map((piece) => chunkOf({ delta: reasoningForms[dialect.reasoning](piece) })),
    ...thirds(ideal.text).map((piece) => chunkOf(textForms[dialect.text](piece))),
  ]
  if (dialect.error !== null)
    return { text: framed([...begins, errorForms[dialect.error]!], dialect) + trailings.done!.text, end: 'closed' }
  const chunks = [...begins, ...callDeltas(ideal, dialect).map((delta) => chunkOf({ delta })), ...repeated(ideal, dialect)]
  chunks.push(chunkOf({ delta: {}, ...usage.choice?.(ideal.usage) }, dialect.finish, usage.chunk?.(ideal.usage)))
  if (usage.last) chunks.push({ json: { ...head, ...usage.last(ideal.usage) } })
  const trailing = trailings[dialect.trailing]!
  return dialect.framing === 'JSON lines'
    ? { text: framed(chunks, dialect), end: trailing.end }
    : { text: framed(chunks, dialect) + spelled(trailing.text, dialect), end: trailing.end }
}

function callDeltas({ calls }: Ideal, { tools }: Dialect): object[] {
  if (tools !== 'function_call') return toolForms[tools]!.fragments(calls).map((tool_calls) => ({ tool_calls }))
  return calls.flatMap((call) => [
    { function_call: { name: call.name, arguments: '' } },
    ...thirds(call.arguments).map((piece) => ({ function_call: { arguments: piece } })),
  ])
}

/** The chunks that tell again what has been told. */
function repeated({ text, reasoning, calls }: Ideal, { repeat, tools, text: form }: Dialect): Chunk[] {
  const content = form.startsWith('refusal') ? { content: null, refusal: text } : { content: text }
  const legacy = tools === 'function_call'
  const told = calls.map(({ id, name, arguments: written }, index) => ({
    index,
    id,
    type: 'function',
    function: { name, arguments: written },
  }))
  const all = {
    role: 'assistant',
    ...content,
    ...(reasoning && { reasoning_content: reasoning }),
    ...(calls.length > 0 && (legacy ? { function_call: told[0]!.function } : { tool_calls: told })),
  }
  if (repeat === 'text in a delta') return text.length < 16 ? [] : [chunkOf({ delta: content })]
  if (repeat === 'text in a message') return [chunkOf({ message: { role: 'assistant', ...content } })]
  if (repeat === 'all in a message') return [chunkOf({ message: all })]
  // Calls without ids can only be told again by those who have told none.
  if (repeat === 'all in a delta') return toolForms[tools]!.ids === false || text.length < 16 ? [] : [chunkOf({ delta: all })]
  return []
}

function renderBody(ideal: Ideal, dialect: Dialect): Rendered {
  const { end } = trailings[dialect.trailing]!
  const indent = dialect.framing === 'body' ? undefined : 2
  if (dialect.error !== null) {
    const { json, event } = errorForms[dialect.error]!
    return { text: JSON.stringify(typeof json === 'string' || event !== undefined ? { error: json } : json, null, indent), end }
  }
  const usage = usageForms[dialect.usage]!
  const choice = { index: 0, message: messageOf(ideal, dialect), finish_reason: dialect.finish, ...usage.choice?.(ideal.usage) }
  const [first, last, beside]: Fields[] = [usage.first, usage.last, usage.chunk].map((form) => ({ ...form?.(ideal.usage) }))
  const told = beside?.usage ?? { ...(first?.usage as object), ...(last?.usage as object) }
  return { text: JSON.stringify({ ...head, object: 'chat.completion', ...beside, usage: told, choices: [choice] }, null, indent), end }
}

/** The whole message of a body. Forms of tool calls that come in pieces are whole in it. */
function messageOf({ text, reasoning, calls }: Ideal, dialect: Dialect): object {
  const whole: Fields = { ...textForms[dialect.text](text) }
  const said: Fields = isFields(whole.delta) && !('text' in whole) ? whole.delta : { content: text }
  const thought: Fields = reasoning ? { ...reasoningForms[dialect.reasoning](reasoning) } : {}
  const parts = typeof said.content === 'string' ? [{ type: 'text', text: said.content }] : (said.content ?? [])
  const content = Array.isArray(thought.content) && Array.isArray(parts) ? [...thought.content, ...parts] : said.content
  const plain = calls.map(({ id, name, arguments: written }) => ({ id, type: 'function', function: { name, arguments: written } }))
  const listed = toolForms[dialect.tools]!.fragments(calls)
  const tool_calls = listed.length === calls.length || listed.length === 1 ? listed.flat() : plain
  const told = dialect.tools === 'function_call' ? { function_call: plain[0]?.function } : tool_calls.length > 0 && { tool_calls }
  return { role: 'assistant', ...said, ...thought, content, ...told }
}

function framed(chunks: readonly Chunk[], dialect: Dialect): string {
  const lines = chunks.map(({ json, event }, at) => {
    const data = typeof json === 'string' ? json : JSON.stringify(json)
    if (dialect.framing === 'JSON lines') return `${typeof json === 'string' || event ? JSON.stringify({ error: json }) : data}\n`
    const name = event ?? (dialect.framing === 'events, named' ? 'message' : null)
    const beat = at % 2 === 1 ? heartbeats[dialect.heartbeat]! : ''
    const title = name === null ? '' : `event: ${name}\n`
    return `${beat}${title}data: ${data}\n\n`
  })
  return (dialect.framing === 'events, bare' ? '\ufeff' : '') + spelled(lines.join(''), dialect)
}

/** The same events with the line ends and the spaces of the framing. */
function spelled(text: string, { framing }: Dialect): string {
  if (framing === 'events, CRLF') return text.replaceAll('\n', '\r\n')
  if (framing === 'events, CR') return text.replaceAll('\n', '\r')
  return framing === 'events, bare' ? text.replaceAll('data: ', 'data:') : text
}
