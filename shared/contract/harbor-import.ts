import * as z from 'zod'
import { foreign } from './foreign.ts'
import { ComparedMeans } from './harbor-means.ts'
import { RunId, Sha256 } from './ids.ts'
import { RunStatus, visibilities } from './run.ts'
import { TeamId } from './team-place.ts'

/** What may stand in the address of `POST /api/import/harbor`. */
export const HarborImportQuery = z.object({ visibility: z.enum(visibilities).default('private'), team: TeamId.optional() })

/** Most things that an answer tells of what was left out. */
export const mostLeftOut = 200

/** A run that was made of a job: one for each agent and model. */
export const HarborRun = z.object({
  run_id: RunId,
  url: z.string(),
  agent: z.string(),
  model: z.string(),
  status: RunStatus,
  trials: z.int(),
  planned: z.int(),
  artifacts: z.int(),
  /** False where the same archive made it before. */
  made: z.boolean(),
  means: ComparedMeans,
})
export type HarborRun = z.infer<typeof HarborRun>

/** Answer of `POST /api/import/harbor`: a ZIP of one job's folder, as `file` of a form or as the body. */
export const HarborImported = z.object({
  job: z.string(),
  job_id: z.string(),
  sha256: Sha256,
  runs: z.array(HarborRun),
  left_out: z.array(z.object({ entry: foreign('data-set', z.string()), text: foreign('data-set', z.string()) })).max(mostLeftOut),
  left_out_total: z.int(),
})
export type HarborImported = z.infer<typeof HarborImported>
