const replacement = '\ufffd'
const unstorable = /\\(?:u(?:0000|d[89a-f][0-9a-f]{2})|.)/gs

/** Text as Postgres can keep it: NUL and lone surrogates become U+FFFD. */
export function storableText(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed()
  return whole.includes('\0') ? whole.replaceAll('\0', replacement) : whole
}

/**
 * A value as JSON text that `jsonb` accepts: escaped NUL and lone surrogates become U+FFFD, in keys and in values.
 * `JSON.stringify` escapes exactly these, in lower case, and an escaped backslash is skipped as a pair.
 */
export function storableJson(value: unknown): string {
  return storableJsonText(JSON.stringify(value) ?? 'null')
}

/** The same for text that `JSON.stringify` has made already. */
export function storableJsonText(text: string): string {
  if (!text.includes('\\u0000') && !text.includes('\\ud')) return text
  return text.replace(unstorable, (found) => (found.length === 6 ? replacement : found))
}
