/** What no text of a request may hold: see `limitRequests`. */
const withoutNul = '^[^\\u0000]*$'
const bounded = ['enum', 'const', 'format', 'pattern']

/**
 * Writes the defaults of a body's fields into their descriptions. Generators of TypeScript take a field with a `default` as one that is always there, which
 * holds for answers and not for requests.
 */
export function tellDefaults(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(tellDefaults)
  if (typeof node !== 'object' || node === null) return node
  const { default: standard, example, ...rest } = node as Record<string, unknown>
  const inner = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, tellDefaults(value)]))
  const told = { ...inner, ...('example' in node && { example }) }
  if (!('default' in node)) return told
  const description = [inner.description, `Default: ${JSON.stringify(standard)}.`].filter(Boolean).join(' ')
  return { ...told, description }
}

/** Says in the schema of a request what its parser alone does not refuse: NUL in texts, and providers that are not configured. */
export function narrowInput(node: unknown, providers: readonly string[]): unknown {
  if (Array.isArray(node)) return node.map((one) => narrowInput(one, providers))
  if (typeof node !== 'object' || node === null) return node
  const { default: standard, example, ...rest } = node as Record<string, unknown>
  const inner: Record<string, unknown> = {
    ...Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, narrowInput(value, providers)])),
    ...('default' in node && { default: standard }),
    ...('example' in node && { example }),
  }
  if (inner.type !== 'string') return inner
  if (inner.format === 'provider-id' && providers.length > 0) return { type: 'string', enum: [...providers] }
  return bounded.some((key) => key in inner) ? inner : { ...inner, pattern: withoutNul }
}
