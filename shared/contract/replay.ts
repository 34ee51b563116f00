import * as z from 'zod'
import { mostEpochs } from './epochs.ts'
import { foreign } from './foreign.ts'
import { BenchmarkName, RunId, Sha256 } from './ids.ts'

/** Longest replay, in UTF-16 units of its texts: it travels in the body of the request that starts its run. */
export const mostReplayChars = 900_000

/**
 * Answers given in place of a model. `item` is the item's id or its key in the data set: `by` says which, where one item's id may be another's key. `epoch`
 * counts from 0; what is left out or null stands for any.
 * `texts` answer the first, second … question of a trial in turn.
 */
export const ReplayAnswer = z.strictObject({
  benchmark: BenchmarkName.nullish(),
  item: foreign('data-set', z.string().min(1).max(300)).nullish(),
  by: z.enum(['id', 'key']).nullish(),
  epoch: z
    .int()
    .min(0)
    .max(mostEpochs - 1)
    .nullish(),
  texts: z.array(foreign('model', z.string())).min(1).max(500),
})
export type ReplayAnswer = z.infer<typeof ReplayAnswer>

export const ReplayAnswers = z
  .array(ReplayAnswer)
  .min(1)
  .max(20_000)
  .refine(
    (answers) => answers.reduce((sum, { texts }) => sum + texts.reduce((chars, text) => chars + text.length, 0), 0) <= mostReplayChars,
    `the answers of a replay may have ${mostReplayChars.toLocaleString('en-US')} characters together`,
  )
export type ReplayAnswers = z.infer<typeof ReplayAnswers>

/** What a run's plan holds of its replay: the answers are kept apart, and named by the hash over their JSON. */
export const PlannedReplay = z.object({ sha256: Sha256, answers: z.int().min(1) })
export type PlannedReplay = z.infer<typeof PlannedReplay>

/**
 * Said of a run that only grades again: of which run the episodes are, who served its model there, and how many are graded. Which they are, and what each handed
 * over by its hash, stands in the answers that are kept beside the plan.
 */
export const PlannedRegrade = z.object({ run_id: RunId, provider: z.string(), trials: z.int().min(1) })
export type PlannedRegrade = z.infer<typeof PlannedRegrade>

/** The provider of answers that no model gave for the run. */
export const replayProvider = 'replay'
