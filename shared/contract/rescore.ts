import * as z from 'zod'
import { Estimate } from './api.ts'
import { tableNames } from './card.ts'
import { BenchmarkName, Ordinal, RunId, Sha256, Timestamp } from './ids.ts'
import { TrialRecord } from './trial.ts'

/** The part of a record that a scorer decides. */
export const Scored = TrialRecord.pick({ outcome: true, score: true, answer: true, explanation: true, flags: true, detail: true })
export type Scored = z.infer<typeof Scored>

/** A trial whose score came out otherwise: what the record says, and what the present scorer makes of the same evidence. */
export const RescoreDifference = z.object({ ordinal: Ordinal, item_id: z.string(), epoch: z.int().min(0), before: Scored, after: Scored })
export type RescoreDifference = z.infer<typeof RescoreDifference>

/**
 * Why a score could not be computed again: its text is withheld, its evidence was not kept, lies apart from the record where it could not be read,
 * or is of another kind than the scorer reads, a table is not there, or the scorer broke. None of them makes a trial wrong.
 */
export const notRecomputedReasons = [
  'withheld',
  'no-evidence',
  'evidence-apart',
  'other-evidence',
  'table-missing',
  'scorer-error',
] as const
export const NotRecomputedReason = z.enum(notRecomputedReasons)
export type NotRecomputedReason = z.infer<typeof NotRecomputedReason>

const Count = z.int().min(0)
/** `trials` = `failed` (no answer, so nothing to score) + `unchanged` + `changed` + all of `not_recomputed`. */
export const RescoreCounts = z.object({
  trials: Count,
  failed: Count,
  unchanged: Count,
  changed: Count,
  not_recomputed: z.partialRecord(NotRecomputedReason, Count),
})
export type RescoreCounts = z.infer<typeof RescoreCounts>

/** Which scorer: the version of the benchmark's card and the fingerprint of what it does with its golden file. */
export const ScorerIdentity = z.object({ version: z.int().min(1), fingerprint: Sha256.nullable() })
export type ScorerIdentity = z.infer<typeof ScorerIdentity>

/**
 * A finished benchmark of a run scored once more from its stored evidence. The run's own records and metrics stay as they are; this stands
 * beside them. Both sides' metrics are those of the present program over the same trials; a trial that could not be computed again counts
 * in `after` as one without a score, so `n` says what it rests on.
 */
export const RescoreSummary = z.object({
  benchmark: BenchmarkName,
  profile: z.string(),
  from: ScorerIdentity,
  to: ScorerIdentity,
  counts: RescoreCounts,
  missing_tables: z.array(z.enum(tableNames)),
  /** Name of the metric that is the benchmark's score. */
  headline: z.string(),
  before: z.record(z.string(), Estimate),
  after: z.record(z.string(), Estimate),
})
export type RescoreSummary = z.infer<typeof RescoreSummary>

/** A rescoring that is kept. `client`: the owner's machine computed the new scores, the server only what follows from them. */
export const Rescore = RescoreSummary.extend({
  id: z.uuid(),
  run_id: RunId,
  computed_by: z.enum(['edge', 'client']),
  code_version: z.string(),
  created_at: Timestamp,
})
export type Rescore = z.infer<typeof Rescore>

/** Body of `POST /api/runs/{id}/rescore`: scores are computed where the server runs. */
export const RescoreRequest = z.strictObject({ benchmark: z.string().max(60).nullish() })

/** Body of `POST /api/runs/{id}/rescores`: what the owner's machine computed. Trials that are not named came out as recorded. */
export const RescoreSubmission = z.strictObject({
  benchmark: BenchmarkName,
  to: ScorerIdentity,
  code_version: z.string().min(1).max(100),
  changed: z.array(
    z.strictObject({ ordinal: Ordinal, after: Scored.extend({ outcome: z.enum(['right', 'wrong']), score: z.number().min(0).max(1) }) }),
  ),
  not_recomputed: z.array(z.strictObject({ ordinal: Ordinal, reason: NotRecomputedReason })),
  missing_tables: z.array(z.enum(tableNames)).max(tableNames.length).default([]),
})
export type RescoreSubmission = z.input<typeof RescoreSubmission>

export const RescoreList = z.object({ rescores: z.array(Rescore), total: z.int() })

/** `GET /api/runs/{id}/rescores/{rescore_id}`: the rescoring and a page of what changed in it, in the order of the plan. */
export const RescorePage = z.object({ rescore: Rescore, differences: z.array(RescoreDifference), total: z.int(), next: Ordinal.nullable() })
export type RescorePage = z.infer<typeof RescorePage>
