/** A JSON object that has not been looked into yet. */
export type Fields = Record<string, unknown>

/** Whether a JSON value is an object and no list. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
