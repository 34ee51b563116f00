import * as z from 'zod'

/** An upstream provider by the slug that OpenRouter has for it, e.g. `deepinfra` or `deepinfra/turbo`. */
const Upstream = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._/-]{0,79}$/, 'must be the slug of an upstream provider')
const upstreams = z.array(Upstream).min(1).max(20)
const quantizations = ['int4', 'int8', 'fp4', 'fp6', 'fp8', 'fp16', 'bf16', 'fp32', 'unknown'] as const
const usd = z.number().min(0).max(1e6)

/**
 * Which providers behind a router may answer, and which of them first: OpenRouter's `provider` object, whose names these are. Without `order`,
 * `sort` and `only` each request may go elsewhere. Prices are US dollars per million tokens, and per request and image.
 */
export const Routing = z
  .strictObject({
    order: upstreams.optional(),
    only: upstreams.optional(),
    ignore: upstreams.optional(),
    allow_fallbacks: z.boolean().optional(),
    require_parameters: z.boolean().optional(),
    data_collection: z.enum(['allow', 'deny']).optional(),
    zdr: z.boolean().optional(),
    quantizations: z.array(z.enum(quantizations)).min(1).max(quantizations.length).optional(),
    sort: z.enum(['price', 'throughput', 'latency']).optional(),
    max_price: z
      .strictObject({ prompt: usd.optional(), completion: usd.optional(), request: usd.optional(), image: usd.optional() })
      .optional(),
  })
  .refine((routing) => Object.values(routing).some((value) => value !== undefined), 'says nothing: leave it out')
  .meta({ minProperties: 1 })
export type Routing = z.infer<typeof Routing>

/** The same wishes in one form, so that runs that ask alike are known as alike: only `order` is in an order of its own. */
export function writtenRouting(routing: Routing): Routing {
  const known = Object.entries(routing).flatMap(([name, value]) => {
    if (value === undefined) return []
    const sorted = Array.isArray(value) && name !== 'order' ? [...new Set<string>(value)].sort() : value
    return [[name, sorted] as const]
  })
  return Routing.parse(Object.fromEntries(known.sort(([a], [b]) => (a < b ? -1 : 1))))
}
