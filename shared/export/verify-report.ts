import * as z from 'zod'
import { RunMark } from '../contract/data-source.ts'
import { packedAnew } from './bundle-files.ts'

/** What a verifier looks at, in this order. */
export const checkNames = [
  'structure',
  'archive',
  'manifest',
  'key',
  'signature',
  'hash',
  'canonical',
  'schema',
  'consistency',
  'completeness',
  'dates',
  'fields',
  'scores',
  'aggregates',
  'metrics',
  'costs',
  'status',
  'artifacts',
] as const
export type CheckName = (typeof checkNames)[number]

/** One check: `ok` is null when it could not be made or does not apply; `partial` when it was made for a part only; `detail` says why in a sentence. */
export const Check = z.object({ name: z.enum(checkNames), ok: z.boolean().nullable(), detail: z.string(), partial: z.boolean().optional() })
export type Check = z.infer<typeof Check>

/** A benchmark's result as a bundle has it. `low` and `high` are the ends of the 95 % interval, `n` counts items scored. */
export const VerifiedBenchmark = z.object({
  benchmark_name: z.string(),
  score: z.number().nullable(),
  low: z.number().nullable(),
  high: z.number().nullable(),
  n: z.int(),
  right: z.int(),
  wrong: z.int(),
  failed: z.int(),
  unfinished: z.int(),
})
export type VerifiedBenchmark = z.infer<typeof VerifiedBenchmark>

/**
 * What verification found. Fields up to `public_key_fingerprint` are the predecessor's; the summary values are null unless the
 * results are exactly those the manifest names. `valid` means that no check failed.
 */
export const VerifyReport = z.object({
  valid: z.boolean(),
  signature_valid: z.boolean(),
  hash_match: z.boolean(),
  errors: z.array(z.string()),
  run_id: z.string().nullable(),
  model_slug: z.string().nullable(),
  subset_pct: z.int().nullable(),
  subset_count: z.int().nullable(),
  subset_seed: z.string().nullable(),
  overall_score: z.number().nullable(),
  exported_at: z.string().nullable(),
  benchmark_count: z.int().nullable(),
  /** What keeps the result from being taken for a real one: the demo model, answers that were given, a run of somebody else's, the invented sample, an operator's own data. */
  labels: z.array(RunMark),
  public_key_fingerprint: z.string().nullable(),
  format: z.enum(['bundle', 'predecessor']).nullable(),
  checks: z.array(Check),
  items: z.int(),
  rescored: z.int(),
  /** Every benchmark with its headline's interval as the bundle has it; empty where its numbers cannot be trusted. */
  results: z.array(VerifiedBenchmark).default([]),
})
export type VerifyReport = z.infer<typeof VerifyReport>

/** A public key the verifier was given beforehand. A retired key still verifies what it signed while it was in use. */
export const TrustedKey = z.object({
  fingerprint: z.string(),
  public_key: z.string(),
  valid_from: z.string(),
  retired_at: z.string().nullable(),
})
export type TrustedKey = z.infer<typeof TrustedKey>

const blank: VerifyReport = {
  valid: false,
  signature_valid: false,
  hash_match: false,
  errors: [],
  run_id: null,
  model_slug: null,
  subset_pct: null,
  subset_count: null,
  subset_seed: null,
  overall_score: null,
  exported_at: null,
  benchmark_count: null,
  labels: [],
  public_key_fingerprint: null,
  format: null,
  checks: [],
  items: 0,
  rescored: 0,
  results: [],
}

export type ReportWriter = {
  /** Records a check and returns whether it did not fail. */
  check(name: CheckName, ok: boolean | null, detail: string, partial?: boolean): boolean
  set(values: Partial<VerifyReport>): void
  close(): VerifyReport
}

/** Collects checks; those never reached are listed as not made. */
export function openReport(): ReportWriter {
  const made = new Map<CheckName, Check>()
  let values = blank
  return {
    check(name, ok, detail, partial = false) {
      made.set(name, { name, ok, detail, ...(partial && { partial }) })
      return ok !== false
    },
    set(more) {
      values = { ...values, ...more }
    },
    close() {
      const anew = made.get('archive')
      const bad = [...made.values()].some(({ ok }) => ok === false)
      if (anew?.detail === packedAnew && bad) made.set('archive', { ...anew, detail: 'packed anew' })
      const checks = checkNames.map((name) => made.get(name) ?? { name, ok: null, detail: 'not reached' })
      const failed = checks.filter((check) => check.ok === false)
      const signature_valid = made.get('signature')?.ok === true && made.get('key')?.ok === true
      const hash_match = made.get('hash')?.ok === true
      const valid = failed.length === 0 && signature_valid && hash_match
      return { ...values, valid, signature_valid, hash_match, errors: failed.map((check) => `${check.name}: ${check.detail}`), checks }
    },
  }
}
