import * as z from 'zod'
import { mostArtifacts } from './artifact.ts'
import { RewardEvidence } from './evidence/reward.ts'
import { foreign } from './foreign.ts'
import { BenchmarkName, Ordinal, RunId, Sha256, Timestamp } from './ids.ts'
import { ReplayAnswer } from './replay.ts'
import { RunStatus } from './run.ts'
import { TrialOutcome } from './trial.ts'

/** Longest end of an agent that goes on with a hand-over, in UTF-16 units: it is told again, not graded. */
export const mostEndDetail = 200

/** An episode of an earlier run, as far as grading it again needs it. `archives`: what its steps handed over, each by the name that the trial kept it under. */
export const HandedOver = z.object({
  run_id: RunId,
  ordinal: Ordinal,
  attempt: z.int().min(1),
  epoch: z.int().min(0),
  source_id: foreign('data-set', z.string().nullable()),
  /** What it was graded with then. */
  score: z.number().min(0).max(1).nullable(),
  agent: RewardEvidence.shape.agent,
  image: RewardEvidence.shape.image,
  steps: z
    .array(z.object({ name: z.string().max(200), agent: RewardEvidence.shape.steps.element.shape.agent }))
    .min(1)
    .max(100),
  archives: z.array(z.object({ name: z.string().max(200), sha256: Sha256 })).max(mostArtifacts),
})
export type HandedOver = z.infer<typeof HandedOver>

/** Who worked in an episode, in what, and how that ended: what grading it needs beside its archives. */
export const HandOverFacts = HandedOver.pick({ agent: true, image: true, steps: true })
export type HandOverFacts = z.infer<typeof HandOverFacts>

/** Answers as they are kept beside their run: whoever starts a replay gives texts, the service itself hand-overs. */
export const KeptAnswer = ReplayAnswer.extend({ handed_over: foreign('model', HandedOver).optional() })
export type KeptAnswer = z.infer<typeof KeptAnswer>
export const KeptAnswers = z.array(KeptAnswer).min(1).max(20_000)
export type KeptAnswers = z.infer<typeof KeptAnswers>

/** Most episodes of a run that grades again: their hand-overs are read at once by each agent. */
export const mostRegraded = 2000

/** Body of `POST /api/runs/{id}/regrade`, which may be left out: everything of the run. Each field narrows it. */
export const RegradeRequest = z.strictObject({
  benchmark: BenchmarkName.nullish(),
  item: foreign('data-set', z.string().min(1).max(300)).nullish(),
  epoch: z.int().min(0).nullish(),
  /** An uploaded task whose tests grade, in place of the newest that its owner uploaded under the same name. */
  task_id: z.string().max(100).nullish(),
})
export type RegradeRequest = z.infer<typeof RegradeRequest>

/** An episode of a run that is not graded again, with the reason. */
export const LeftOutEpisode = z.object({
  benchmark: BenchmarkName,
  item_id: z.string(),
  source_id: foreign('data-set', z.string().nullable()),
  epoch: z.int().min(0),
  why: foreign('provider', z.string()),
})
export type LeftOutEpisode = z.infer<typeof LeftOutEpisode>

/** Episodes that an answer names as left out, at most. */
export const mostLeftOut = 500

/**
 * What `POST /api/runs/{id}/regrade` answers: the run that grades, which is a run like any other, and which of the episodes asked for are not graded in it. A service of
 * before names none.
 */
export const RegradeStarted = z.object({
  run_id: RunId,
  regrades: RunId,
  episodes: z.int().min(1),
  message: z.string(),
  left_out: z.array(LeftOutEpisode).max(mostLeftOut).default([]),
})
export type RegradeStarted = z.infer<typeof RegradeStarted>

/** An episode with both of its rewards. `after` is null while it waits, and where it could not be graded again: `why` says so. */
export const RegradedEpisode = z.object({
  benchmark: BenchmarkName,
  item_id: z.string(),
  source_id: foreign('data-set', z.string().nullable()),
  epoch: z.int().min(0),
  /** Its epoch in the run that it was made in. */
  epoch_before: z.int().min(0),
  before: z.number().nullable(),
  after: z.number().nullable(),
  outcome: TrialOutcome.nullable(),
  changed: z.boolean(),
  why: foreign('provider', z.string().nullable()),
})
export type RegradedEpisode = z.infer<typeof RegradedEpisode>

const Mean = z.object({ before: z.number().nullable(), after: z.number().nullable() })

/** `GET /api/runs/{id}/regrade` of a run that grades again: rewards then and now. Means and changes are over the `graded` episodes that have both; `first` have one now and had none. */
export const RegradeComparison = z.object({
  run_id: RunId,
  regrades: RunId,
  created_at: Timestamp,
  episodes: z.int(),
  graded: z.int(),
  first: z.int().default(0),
  changed: z.int(),
  better: z.int(),
  worse: z.int(),
  mean: Mean,
  /** Changed ones first, then by their place in the plan; at most 500. */
  listed: z.array(RegradedEpisode),
})
export type RegradeComparison = z.infer<typeof RegradeComparison>

/** `GET /api/runs/{id}/regrades`: runs that graded the episodes of this one again, newest first, as far as who asks may see them. */
export const RegradeList = z.object({
  regrades: z.array(z.object({ run_id: RunId, created_at: Timestamp, status: RunStatus, episodes: z.int() })),
})
