import { meaningOf } from '#shared/contract/meanings/meanings.ts'

type JsonObject = Record<string, unknown>

export const tags = [
  { name: 'runs', description: 'Start runs, steer them, read their results and events' },
  { name: 'tasks', description: 'Tasks in Harbor’s format that are uploaded, and episodes of them' },
  { name: 'leaderboard', description: 'Models compared by their ended runs' },
  { name: 'exports', description: 'Signed exports and the keys they are checked with' },
  { name: 'models', description: 'Models to run on' },
  { name: 'benchmarks', description: 'Benchmarks to run' },
  { name: 'agents', description: 'Machines that work on runs' },
  { name: 'teams', description: 'Teams, which own runs, tasks, keys and a budget; their members and invitations' },
  { name: 'keys', description: 'Keys of this service, and of yours at providers' },
  { name: 'service', description: 'State and administration of the service' },
  { name: 'predecessor', description: 'What clients of the predecessor ask for and this service answers by name' },
] as const

/** The group an operation is shown in. */
export function tagOf(path: string): (typeof tags)[number]['name'] {
  if (path.startsWith('/api/provider-keys')) return 'keys'
  if (path.startsWith('/api/run-defaults')) return 'runs'
  if (/^\/api\/auth\//.test(path)) return 'predecessor'
  if (path === '/api/stats') return 'tasks'
  if (path.startsWith('/api/import/')) return 'runs'
  return tags.find(({ name }) => path.startsWith(`/api/${name}`))?.name ?? 'service'
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
