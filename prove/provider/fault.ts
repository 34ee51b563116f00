import * as z from 'zod'
import { DialectChoice } from './dialect-reply.ts'

const text = z.string()
const kind = <K extends string, S extends z.ZodRawShape>(name: K, shape: S) => z.object({ kind: z.literal(name), ...shape })

/** Milliseconds: always so many, or a draw between two of them. */
export const Span = z.union([z.number().min(0), z.tuple([z.number().min(0), z.number().min(0)])])
export type Span = z.infer<typeof Span>

/** One way in which a provider misbehaves, or answers at a pace. Bytes count from the start of the response body. */
export const Fault = z.discriminatedUnion('kind', [
  kind('status', { status: z.int(), body: text.optional(), headers: z.record(text, text).optional() }),
  kind('cut', { after_bytes: z.int().min(0), how: z.enum(['destroy', 'end']).default('destroy') }),
  kind('hang', { when: z.enum(['headers', 'body', 'middle']) }),
  kind('error-in-200', { framed: z.boolean(), error: z.json(), after_bytes: z.int().min(0).default(0) }),
  kind('body', { body: text, content_type: text.default('text/event-stream') }),
  kind('html', { status: z.int().default(200) }),
  kind('garbage', { bytes: z.int().default(512) }),
  kind('raw', { bytes: text }),
  kind('redirect', { location: text, status: z.int().default(302) }),
  kind('endless', {}),
  kind('big-header', { bytes: z.int().default(1_048_576) }),
  kind('gzip', {}),
  /** An answer as it should be, at a pace of its own: the head at once, the first frame after `first_ms`, each later one with a token after `gap_ms`. */
  kind('paced', { first_ms: Span.default(0), gap_ms: Span.default(5), keep_alive_ms: z.number().min(1).nullable().default(null) }),
  /** 402 as Chutes says it, with when the quota is filled again. */
  kind('quota', { reset_in_s: z.number().default(3600), form: z.enum(['iso', 'seconds', 'milliseconds']).default('iso') }),
  /** A whole answer whose usage says this. */
  kind('usage', { usage: z.json() }),
  /** A whole answer as another server puts it. */
  kind('dialect', { dialect: DialectChoice }),
  kind('slow', { bytes: z.int().min(1).default(1), every_ms: z.number().default(10) }),
])
export type Fault = z.infer<typeof Fault>

/** A fault for requests `from`..`to` (by arrival, from 1, both ends included), for a `share` of them, by a seeded draw. */
export const FaultRule = z.object({
  fault: Fault,
  from: z.int().min(1).default(1),
  to: z.int().min(1).nullable().default(null),
  share: z.number().min(0).max(1).default(1),
})
export type FaultRule = z.infer<typeof FaultRule>
export const FaultScript = z.array(FaultRule)

/** The fault of request `id`, if any rule strikes; the first that does wins. Same seed, same script: same faults. */
export function faultFor(script: readonly FaultRule[], id: number, seed: number): Fault | null {
  for (const [index, rule] of script.entries()) {
    if (id < rule.from || (rule.to !== null && id > rule.to)) continue
    if (rule.share >= 1 || draw(seed, index, id) < rule.share) return rule.fault
  }
  return null
}

/** The milliseconds of a span for one frame of a request. Same seed: same draws. */
export function spanMs(span: Span, seed: number, id: number, frame: number): number {
  if (typeof span === 'number') return span
  const [least, most] = span
  return least + draw(seed, frame + 1000, id) * (most - least)
}

/** A uniform draw in [0, 1) from three integers (murmur3's finaliser). */
function draw(seed: number, index: number, id: number): number {
  let h = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(index + 1, 0xc2b2ae35) ^ Math.imul(id, 0x27d4eb2f)
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return ((h ^ (h >>> 16)) >>> 0) / 2 ** 32
}
