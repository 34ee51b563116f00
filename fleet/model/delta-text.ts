import { type Fields, isFields } from './json-fields.ts'

/** The text, the reasoning and the refusal that stand in one content field. */
export type Parts = { text: string; reasoning: string; refusal: string }

/** Types of content parts that hold reasoning: OpenAI and Databricks, Mistral and Anthropic, Bedrock. */
const reasoningTypes = new Set([
  'reasoning',
  'thinking',
  'thought',
  'reasoning_text',
  'reasoning_content',
  'reasoning.text',
  'reasoning.summary',
])

/** Reads a list of content parts. Parts of other types, such as pictures, are nothing; undefined where an entry is neither a text nor a part. */
export function readParts(parts: readonly unknown[]): Parts | undefined {
  const read: Parts = { text: '', reasoning: '', refusal: '' }
  for (const part of parts) {
    if (typeof part === 'string') read.text += part
    else if (!isFields(part)) return undefined
    else if (typeof part.type === 'string' && reasoningTypes.has(part.type)) read.reasoning += thoughtIn(part)
    else if (part.thought === true) read.reasoning += thoughtIn(part)
    else if (typeof part.refusal === 'string') read.refusal += part.refusal
    else if (typeof part.text === 'string') read.text += part.text
  }
  return read
}

/** The words of a reasoning part, under whichever name they stand; encrypted ones have none. */
function thoughtIn(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(thoughtIn).join('')
  if (!isFields(value)) return ''
  const { text, thinking, summary, reasoning, content } = value
  return thoughtIn([text, thinking, summary, reasoning, content].find((one) => one !== undefined && one !== null && one !== '') ?? '')
}

/** Fields of a delta that hold reasoning. A server that fills several repeats itself: the first that is filled counts. */
export const reasoningFields = ['reasoning_content', 'reasoning', 'reasoning_text', 'thinking', 'reasoning_details'] as const

/** The reasoning of a delta or a message; undefined where the first field that is filled cannot be read. */
export function reasoningIn(delta: Fields): string | undefined {
  const told = delta.reasoning_content || delta.reasoning || delta.reasoning_text || delta.thinking || delta.reasoning_details
  if (!told || told === true) return ''
  if (typeof told === 'string') return told
  return typeof told === 'object' ? thoughtIn(told) : undefined
}
