import * as z from 'zod'
import { RunStatus } from './run.ts'

const score = z.number().min(0).max(100).nullable()
const parts = { quality: score, speed: score, cost: score, streaming: score, multimodal: score }

/** A composite of the Janus suite by one reading, from 0 to 100, and what it is made of. */
export const CompositeScore = z.object({
  version: z.enum(['v1', 'v2']),
  composite: score,
  of_present: score,
  parts: z.object(parts),
  weights: z.object({ quality: z.number(), speed: z.number(), cost: z.number(), streaming: z.number(), multimodal: z.number() }),
  absent: z.array(z.string()),
  benchmarks: z.record(z.string(), z.object({ score: z.number(), results: z.int(), failed: z.int() })),
})
export type CompositeScore = z.infer<typeof CompositeScore>

/** The composite of a run by both readings. */
export const RunComposite = z.object({
  run_id: z.string(),
  status: RunStatus,
  profiles: z.record(z.string(), z.string()),
  mended: CompositeScore,
  official: CompositeScore,
})
export type RunComposite = z.infer<typeof RunComposite>
