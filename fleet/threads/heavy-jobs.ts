import type { Survey } from '#shared/benchmarks/survey.ts'
import { findTask } from '#shared/benchmarks/tasks.ts'
import type { TableName } from '#shared/contract/card.ts'
import type { Evidence } from '#shared/contract/evidence/evidence.ts'
import type { Outcome } from '#shared/contract/failure.ts'
import type { ItemFacts, Score } from '#shared/contract/item.ts'
import type { TableFiles } from '#shared/scorers/tables.ts'
import { outcomeOf } from '../dataset/dataset-error.ts'
import { createTablesOf } from '../dataset/kept-tables.ts'
import { openRoles } from '../dataset/open-dataset.ts'
import type { RowSource } from '../dataset/open-rows.ts'
import type { DatasetPlace } from '../dataset/place.ts'
import { buildIndex, type IndexJob, type Tail } from '../dataset/row-index.ts'
import { type RowJob, readRow } from '../dataset/row-store.ts'
import { surveyRows } from '../dataset/survey-rows.ts'
import { readTableFiles, type TableJob } from '../dataset/table-files.ts'
import { type UnpackJob, unpackTask } from '../dataset/unpack-task.ts'
import { sha256Of } from '../dataset/verified-file.ts'
import type { Heavy } from './heavy.ts'

/** An answer with all that its scorer needs, as data. The archives of the tables have been fetched already. */
export type ScoreJob = {
  benchmark: string
  profile: string
  item: ItemFacts
  evidence: Evidence
  tables: readonly TableName[]
  place: DatasetPlace
}

/** Rows that a task looks through before its first item. */
export type SurveyJob = {
  benchmark: string
  profile: string
  sources: Readonly<Record<string, readonly RowSource[]>>
  own: boolean
  place: DatasetPlace
}

/** What would hold up an agent's other work if it ran beside it, by name. Every thread has its own, with the tables it has parsed. */
export function createHeavyJobs() {
  const opened = new Map<string, ReturnType<typeof createTablesOf>>()
  const jobs = {
    hash: (path: string): Promise<string> => sha256Of(path),
    index: (job: IndexJob): Promise<Outcome<Tail>> => outcomeOf(() => buildIndex(job)),
    table: (job: TableJob): Promise<Outcome<TableFiles>> => outcomeOf(() => readTableFiles(job)),
    unpack: (job: UnpackJob): Promise<Outcome<string>> => outcomeOf(() => unpackTask(job)),
    row: (job: RowJob): Promise<unknown> => readRow(job),
    async survey({ benchmark, profile, sources, own, place }: SurveyJob): Promise<Outcome<Survey>> {
      const task = await findTask(benchmark)
      const planned = task?.card.profiles.find(({ id }) => id === profile)
      if (!task || !planned) throw new Error(`there is no benchmark ${benchmark} with profile ${profile}`)
      const { rows, close } = await openRoles(sources, { heavy: inPlace(jobs), rows: place.rows })
      return surveyRows(task, planned, rows, own).finally(close)
    },
    async score({ benchmark, profile, item, evidence, tables, place }: ScoreJob): Promise<Score> {
      const task = await findTask(benchmark)
      if (!task) throw new Error(`there is no benchmark ${benchmark}`)
      const tablesOf = opened.get(place.cacheDir) ?? createTablesOf({ ...place, signal: null, heavy: inPlace(jobs) })
      opened.set(place.cacheDir, tablesOf)
      return task.score(item, evidence as never, profile, (await tablesOf(tables)).tables) // its solver made evidence of the card's kind
    },
  }
  return jobs
}
export type HeavyJobs = ReturnType<typeof createHeavyJobs>

/** Does the jobs in this thread, one as good as the other: nothing bounds their time or memory. */
export function inPlace(jobs: HeavyJobs): Heavy {
  return {
    run: async (name, input) => (jobs[name] as (given: unknown) => never)(input), // name and input agree by the port
  }
}
