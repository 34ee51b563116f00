import { OpenAPIHono } from '@hono/zod-openapi'
import * as z from 'zod'
import { SandyMetric, SandyResources, SandySandbox } from '#shared/contract/ops.ts'
import { queryInteger } from '#shared/contract/query-integer.ts'
import type { SandyQuestion } from '#shared/contract/sandy.ts'
import type { AppEnv } from '../app-env.ts'
import type { Deps } from '../deps.ts'
import { Problem } from '../problem.ts'
import { json, refusals } from './answers.ts'
import { declareRoute } from './declare-route.ts'

const access = { who: 'key holder', scope: 'admin' } as const
const refused = refusals('validation', 'unauthorized', 'forbidden', 'unavailable')
const description =
  'The first connected agent with a Sandy service asks it and hands its answer on. Where no agent has one, the answer is 503.'
const resources = declareRoute({
  method: 'get',
  path: '/api/ops/sandy/resources',
  ...{ access, cost: 'search', description },
  summary: 'Admin: what the Sandy service of an agent has and takes now',
  responses: { 200: json(SandyResources, 'The service now'), ...refused },
})
const metrics = declareRoute({
  method: 'get',
  path: '/api/ops/sandy/metrics',
  ...{ access, cost: 'search', description },
  summary: 'Admin: how full the Sandy service of an agent was over the last hours',
  request: { query: z.object({ hours: queryInteger(1, 48).default(12) }) },
  responses: { 200: json(z.array(SandyMetric), 'Oldest first'), ...refused },
})
const sandboxes = declareRoute({
  method: 'get',
  path: '/api/ops/sandy/sandboxes',
  ...{ access, cost: 'search', description },
  summary: 'Admin: what sandboxes of the Sandy service take',
  request: {
    query: z.object({
      ids: z
        .string()
        .max(4000)
        .transform((text) => text.split(',').filter(Boolean).slice(0, 200))
        .optional(),
    }),
  },
  responses: { 200: json(z.array(SandySandbox), 'One entry for each sandbox'), ...refused },
})

export function opsSandyRoutes(deps: Pick<Deps, 'fleet'>) {
  const ask = async (question: SandyQuestion): Promise<unknown> => {
    const answer = await deps.fleet.askSandy(question)
    if (!answer)
      throw new Problem('unavailable', 'No connected agent has a Sandy service. Set SANDY_BASE_URL and SANDY_API_KEY where an agent runs.')
    if (!answer.ok) throw new Problem('unavailable', `${answer.why}.`)
    try {
      return JSON.parse(answer.body) as unknown
    } catch (cause) {
      throw new Problem('unavailable', 'Sandy answered with something that is no JSON.', { cause })
    }
  }
  return new OpenAPIHono<AppEnv>()
    .openapi(resources, async (c) => c.json(toResources(await ask({ what: 'resources' })), 200))
    .openapi(metrics, async (c) => {
      const { hours } = c.req.valid('query')
      return c.json(listOf(await ask({ what: 'metrics', hours })).map(toMetric), 200)
    })
    .openapi(sandboxes, async (c) => {
      const { ids } = c.req.valid('query')
      const found = listOf(await ask({ what: 'sandboxes', ...(ids && { ids }) }))
      return c.json(
        found.flatMap((one) => toSandbox(one) ?? []),
        200,
      )
    })
}

type Fields = Record<string, unknown>
const fieldsOf = (value: unknown): Fields => (value !== null && typeof value === 'object' ? (value as Fields) : {})
/** A list, or the one list of an object around it. */
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : (Object.values(fieldsOf(value)).find(Array.isArray) ?? []))
/** A field under its name with underscores or in camel case, as services differ. */
const field = (fields: Fields, name: string): unknown =>
  fields[name] ?? fields[name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())]
const number = (fields: Fields, name: string): number | null => {
  const value = field(fields, name)
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}
const text = (fields: Fields, name: string): string | null => {
  const value = field(fields, name)
  return typeof value === 'string' ? value.slice(0, 300) : typeof value === 'number' ? String(value) : null
}
const data = (fields: Fields, name: string): z.core.util.JSONType => (field(fields, name) ?? null) as z.core.util.JSONType // it was read from JSON

function toResources(body: unknown): SandyResources {
  const fields = fieldsOf(body)
  const can = field(fields, 'can_create_sandbox')
  const told = {
    can_create_sandbox: typeof can === 'boolean' ? can : null,
    reject_reason: text(fields, 'reject_reason'),
    limits: data(fields, 'limits'),
    priority_breakdown: data(fields, 'priority_breakdown'),
    cpu_count: number(fields, 'cpu_count'),
    load1: number(fields, 'load1') ?? number(fields, 'load_avg_1m'),
    load5: number(fields, 'load5') ?? number(fields, 'load_avg_5m'),
    load15: number(fields, 'load15') ?? number(fields, 'load_avg_15m'),
    memory_total_bytes: number(fields, 'memory_total_bytes'),
    memory_used_bytes: number(fields, 'memory_used_bytes'),
    memory_available_bytes: number(fields, 'memory_available_bytes'),
    disk_total_bytes: number(fields, 'disk_total_bytes'),
    disk_used_bytes: number(fields, 'disk_used_bytes'),
    disk_free_bytes: number(fields, 'disk_free_bytes'),
    disk_used_ratio: number(fields, 'disk_used_ratio'),
  }
  const { memory_total_bytes: total, memory_used_bytes: used, memory_available_bytes: available } = told
  return {
    ...told,
    canCreateSandbox: told.can_create_sandbox,
    rejectReason: told.reject_reason,
    priorityBreakdown: told.priority_breakdown,
    cpu_percent: number(fields, 'cpu_percent'),
    memory_percent: number(fields, 'memory_percent') ?? (total && used !== null ? (used / total) * 100 : null),
    memory_total_gb: number(fields, 'memory_total_gb') ?? gibibytes(total),
    memory_available_gb: number(fields, 'memory_available_gb') ?? gibibytes(available),
    cpuCount: told.cpu_count,
    memoryTotalBytes: total,
    memoryUsedBytes: used,
    memoryAvailableBytes: available,
    diskTotalBytes: told.disk_total_bytes,
    diskUsedBytes: told.disk_used_bytes,
    diskFreeBytes: told.disk_free_bytes,
    diskUsedRatio: told.disk_used_ratio,
  }
}

const gibibytes = (bytes: number | null): number | null => (bytes === null ? null : bytes / 1024 ** 3)

function toMetric(one: unknown): SandyMetric {
  const fields = fieldsOf(one)
  return {
    timestamp: text(fields, 'timestamp') ?? '',
    cpu_ratio: number(fields, 'cpu_ratio'),
    memory_ratio: number(fields, 'memory_ratio'),
    disk_ratio: number(fields, 'disk_ratio'),
  }
}

function toSandbox(one: unknown): SandySandbox | null {
  const fields = fieldsOf(one)
  const sandbox_id = text(fields, 'sandbox_id')
  if (sandbox_id === null) return null
  return {
    sandbox_id,
    container_id: text(fields, 'container_id'),
    cpu_ratio: number(fields, 'cpu_ratio'),
    cpu_cores_used: number(fields, 'cpu_cores_used'),
    cpu_cores_total: number(fields, 'cpu_cores_total'),
    memory_usage_bytes: number(fields, 'memory_usage_bytes'),
    memory_limit_bytes: number(fields, 'memory_limit_bytes'),
    memory_ratio: number(fields, 'memory_ratio'),
    disk_bytes: number(fields, 'disk_bytes'),
    updated_at: text(fields, 'updated_at'),
  }
}
