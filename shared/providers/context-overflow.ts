import type { Fields } from './provider-def.ts'

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The error that a refusal speaks of: under `error`, or the body itself as older servers send it. */
export function errorOf(body: Fields | null): Fields {
  if (isFields(body?.error)) return body.error
  return typeof body?.error === 'string' ? { message: body.error } : (body ?? {})
}

/**
 * Whether a refusal says that question and answer are longer than the window. For servers that say it by nothing but their words: `words` is the beginning
 * or the heart of a sentence of theirs that stands for nothing else.
 */
export function saysOverflow(body: Fields | null, words: RegExp): boolean {
  const { message } = errorOf(body)
  return typeof message === 'string' && words.test(message)
}
