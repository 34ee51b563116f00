import type { RouteConfig } from '@hono/zod-openapi'
import { meaningOf } from '#shared/contract/meanings/meanings.ts'

type JsonObject = Record<string, unknown>

export const tags = [
  { name: 'runs', description: 'Start runs, steer them, read their results and events' },
  { name: 'exports', description: 'Signed exports and the keys they are checked with' },
  { name: 'models', description: 'Models to run on' },
  { name: 'benchmarks', description: 'Benchmarks to run' },
  { name: 'agents', description: 'Machines that work on runs' },
  { name: 'keys', description: 'Keys of this service' },
  { name: 'service', description: 'State and administration of the service' },
  { name: 'predecessor', description: 'What clients of the predecessor ask for and this service answers by name' },
] as const

/** The group an operation is shown in. */
export function tagOf(path: string): (typeof tags)[number]['name'] {
  if (/^\/api\/(ops|auth)\//.test(path)) return 'predecessor'
  return tags.find(({ name }) => path.startsWith(`/api/${name}`))?.name ?? 'service'
}

type Security = readonly Record<string, readonly string[]>[]

/** Who may call an operation, for every one: its own requirement, a key that may be left out, or nothing. */
export function securityOf(route: Pick<RouteConfig, 'security' | 'responses'>): Security {
  const own = route.security as Security | undefined // written by our own routes, whose scopes are lists
  // The operator may do whatever a key may.
  if (own) return own.some((one) => 'admin' in one) ? own : [...own, { admin: [] }]
  return '401' in route.responses ? [{}, { bearer: [] }, { admin: [] }] : []
}

/** What an operation does and who may call it. */
export function descriptionOf(route: Pick<RouteConfig, 'summary' | 'description' | 'security' | 'responses'>): string {
  const told = route.description ?? `${route.summary}.`
  return `${told} ${accessSentence(securityOf(route))}`
}

function accessSentence(security: Security): string {
  if (security.length === 0) return 'Anybody may call it.'
  if (security.some((one) => Object.keys(one).length === 0))
    return 'Anybody may call it; a key shows what is private besides. A key that does not hold is 401.'
  return Object.keys(security[0]!).includes('admin')
    ? 'Needs the admin secret, or a key with the scope `admin`.'
    : 'Needs a key, or the admin secret.'
}

/** Gives every property of a schema the sentence that says what it means, unless its schema has one of its own. */
export function describeFields(node: unknown, holder: string): unknown {
  if (Array.isArray(node)) return node.map((one) => describeFields(one, holder))
  if (typeof node !== 'object' || node === null) return node
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) =>
      key === 'properties' && typeof value === 'object' ? [key, describeAll(value ?? {}, holder)] : [key, describeFields(value, holder)],
    ),
  )
}

function describeAll(properties: object, holder: string): JsonObject {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]: [string, JsonObject]) => {
      const description = schema.description ?? meaningOf(holder, name)
      const described = describeFields(schema, name) as JsonObject // an object goes in, an object comes out
      return [name, description === undefined ? described : { ...described, description }]
    }),
  )
}

/** How the fields of an answer or body that has no name of its own are looked up: the last word of its path. */
export function holderOf(path: string): string {
  return path.split('/').findLast((part) => part !== '' && !part.startsWith('{')) ?? ''
}
