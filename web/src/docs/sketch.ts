/** The parts of JSON Schema that our documents use. */
export type Schema = {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  prefixItems?: Schema[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  additionalProperties?: Schema | boolean
  default?: unknown
  minimum?: number
  example?: unknown
}

/** A schema as a type one can read at a glance, in the manner of TypeScript; named schemas stay names. */
export function sketch(schema: Schema, indent = ''): string {
  if (schema.$ref) return schema.$ref.split('/').at(-1)!
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((one) => JSON.stringify(one)).join(' | ')
  const union = schema.anyOf ?? schema.oneOf
  if (union) return union.map((one) => sketch(one, indent)).join(' | ')
  if (schema.allOf) return schema.allOf.map((one) => sketch(one, indent)).join(' & ')
  const types = Array.isArray(schema.type) ? schema.type : [schema.type ?? (schema.properties ? 'object' : 'any')]
  return types.map((type) => sketchType(type, schema, indent)).join(' | ')
}

function sketchType(type: string, schema: Schema, indent: string): string {
  if (type === 'array') return sketchArray(schema, indent)
  if (type !== 'object') return type
  const fields = Object.entries(schema.properties ?? {})
  if (fields.length === 0) {
    const { additionalProperties: values } = schema
    return typeof values === 'object' ? `{ [name]: ${sketch(values, indent)} }` : 'object'
  }
  const deeper = `${indent}  `
  const lines = fields.map(([name, field]) => `${deeper}${name}${schema.required?.includes(name) ? '' : '?'}: ${sketch(field, deeper)}`)
  return `{\n${lines.join('\n')}\n${indent}}`
}

function sketchArray(schema: Schema, indent: string): string {
  if (schema.prefixItems) return `[${schema.prefixItems.map((one) => sketch(one, indent)).join(', ')}]`
  const item = schema.items ? sketch(schema.items, indent) : 'any'
  return item.includes(' | ') && !item.startsWith('{') ? `(${item})[]` : `${item}[]`
}

/** A small value that fits a schema: its required fields only. */
export function exampleOf(schema: Schema, named: Record<string, Schema>, depth = 0): unknown {
  if (depth > 6) return null
  if (schema.$ref) return exampleOf(named[schema.$ref.split('/').at(-1)!] ?? {}, named, depth + 1)
  if (schema.example !== undefined) return schema.example
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  const one = schema.anyOf?.[0] ?? schema.oneOf?.[0] ?? schema.allOf?.[0]
  if (one) return exampleOf(one, named, depth + 1)
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  if (type === 'object' || schema.properties) {
    const fields = Object.entries(schema.properties ?? {}).filter(([name]) => schema.required?.includes(name))
    return Object.fromEntries(fields.map(([name, field]) => [name, exampleOf(field, named, depth + 1)]))
  }
  if (type === 'array') return []
  if (type === 'integer' || type === 'number') return schema.minimum ?? 0
  return type === 'boolean' ? false : type === 'null' ? null : '…'
}
