import type { ModelParams } from '../contract/message.ts'

/** The parameters that are sent, each with its value for people; what is left to the provider is left out. */
export function paramTexts(params: Partial<ModelParams>): [name: string, text: string][] {
  return Object.entries(params).flatMap(([name, value]) => (value == null ? [] : [[name, valueText(value)] satisfies [string, string]]))
}

/** A value as people read it: lists by commas, wishes by their names, e.g. `order deepinfra, together; allow_fallbacks false`. */
export function valueText(value: unknown): string {
  if (Array.isArray(value)) return value.map(String).join(', ')
  if (typeof value !== 'object' || value === null) return String(value)
  const known = Object.entries(value).filter(([, inner]) => inner !== undefined)
  return known.map(([name, inner]) => `${name} ${valueText(inner)}`).join('; ')
}
