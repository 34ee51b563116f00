import { findTask } from '#shared/benchmarks/tasks.ts'
import type { TableName } from '#shared/contract/card.ts'
import type { Evidence } from '#shared/contract/evidence/evidence.ts'
import type { ItemFacts, Score } from '#shared/contract/item.ts'
import { createTablesOf } from '../dataset/kept-tables.ts'
import type { DatasetPlace } from '../dataset/place.ts'
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

/** What would hold up an agent's other work if it ran beside it, by name. Every thread has its own, with the tables it has parsed. */
export function createHeavyJobs() {
  const opened = new Map<string, ReturnType<typeof createTablesOf>>()
  const jobs = {
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
