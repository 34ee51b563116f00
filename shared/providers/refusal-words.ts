import type { Fields } from './provider-def.ts'

/** What a refusal says: its sentences, its machine codes, and the parameter it names; all in small letters, sentences in one plain form. */
export type RefusalWords = { texts: readonly string[]; codes: readonly string[]; param: string | null }

/** Fields that hold words of the server itself. Others may repeat the question: `input` of a validation error, `flagged_input`. */
const textFields = new Set([
  'message',
  'msg',
  'detail',
  'details',
  'error',
  'errors',
  'error_message',
  'errormessage',
  'title',
  'reason',
  'raw',
  'description',
])
const codeFields = new Set(['code', 'type', 'error_type', 'error_code', 'errorcode', 'name', '__type'])
/** Fields in which a further error may stand. */
const nested = new Set([
  'error',
  'errors',
  'detail',
  'details',
  'metadata',
  'innererror',
  'inner_error',
  'cause',
  'body',
  'response',
  'message',
])

const mostChars = 16_384
const mostTexts = 40
const mostDepth = 6

/**
 * Reads the words of a refusal from its parsed body in any form that servers give it: OpenAI's `error`, a bare text, FastAPI's `detail`, a list as Gemini
 * sends, an error within `metadata.raw` or `innererror`.
 */
export function refusalWords(body: unknown): RefusalWords {
  const texts: string[] = []
  const codes: string[] = []
  let param: string | null = null
  const take = (value: unknown, depth: number): void => {
    if (typeof value === 'string') {
      if (texts.length < mostTexts) texts.push(plainWords(value))
    } else if (Array.isArray(value)) {
      for (const one of value.slice(0, mostTexts)) if (depth < mostDepth) take(one, depth + 1)
    } else if (isFields(value) && depth < mostDepth) takeFields(value, depth)
  }
  const takeFields = (fields: Fields, depth: number): void => {
    for (const [name, value] of Object.entries(fields).slice(0, mostTexts)) {
      const field = name.toLowerCase()
      if (typeof value === 'string' && codeFields.has(field)) codes.push(value.slice(0, 200).toLowerCase())
      else if (typeof value === 'string' && field === 'param') param ??= value.slice(0, 200).toLowerCase()
      else if (typeof value === 'string' ? textFields.has(field) : nested.has(field)) take(value, depth + 1)
    }
  }
  take(body, 0)
  return { texts, codes, param }
}

/** Small letters, single spaces, no quotes, backticks or backslashes, no separators within numbers. */
const plainWords = (text: string): string =>
  text
    .slice(0, mostChars)
    .toLowerCase()
    .replaceAll(/[\\'"`’‘“”]/g, '')
    .replaceAll(/(\d)[,_](?=\d{3})/g, '$1')
    .replaceAll(/\s+/g, ' ')

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value)
