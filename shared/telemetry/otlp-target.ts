import * as z from 'zod'

/** Where metrics are pushed, with what headers (a key among them), and how often. */
export type OtlpTarget = { url: string; headers: Record<string, string>; intervalMs: number }

const Headers = z.string().transform((text, context) => {
  const pairs = text.split(',').filter((one) => one.trim() !== '')
  const read = pairs.map((one) => /^\s*([A-Za-z0-9!#$%&'*+.^_`|~-]+)\s*=\s*(.*?)\s*$/.exec(one))
  try {
    return Object.fromEntries(read.map((one) => [one![1]!.toLowerCase(), decodeURIComponent(one![2]!)]))
  } catch {
    context.addIssue('is not of the form name=value,name=value')
    return z.NEVER
  }
})

/** The variables of OpenTelemetry that are understood here; the names are its own. */
export const OtlpEnv = z.object({
  OTEL_EXPORTER_OTLP_ENDPOINT: z.union([z.literal(''), z.url({ protocol: /^https?$/, error: 'is not an address' })]).optional(),
  OTEL_EXPORTER_OTLP_HEADERS: Headers.optional(),
  OTEL_METRIC_EXPORT_INTERVAL: z
    .union([z.literal('').transform(() => undefined), z.coerce.number().int().min(1000, 'is less than 1000 ms').max(3_600_000)])
    .optional(),
})

/** Where to push; null where no endpoint is set, which is how nothing is pushed. */
export function otlpTarget(env: z.infer<typeof OtlpEnv>): OtlpTarget | null {
  const endpoint = env.OTEL_EXPORTER_OTLP_ENDPOINT
  if (!endpoint) return null
  const { OTEL_EXPORTER_OTLP_HEADERS: headers = {}, OTEL_METRIC_EXPORT_INTERVAL: intervalMs = 60_000 } = env
  return { url: `${endpoint.replace(/\/+$/, '')}/v1/metrics`, headers, intervalMs }
}
