import type { OpenedTask, Task } from '#shared/benchmarks/task.ts'
import { findTask } from '#shared/benchmarks/tasks.ts'
import type { Profile } from '#shared/contract/card.ts'
import type { Failure, failureReasons, Outcome } from '#shared/contract/failure.ts'
import type { PlannedBenchmark } from '#shared/contract/run.ts'
import type { DatasetEnv } from './dataset/dataset-env.ts'
import { type OpenedDataset, openDataset } from './dataset/open-dataset.ts'
import { openTexts } from './dataset/open-texts.ts'
import { surveyDataset } from './dataset/survey-rows.ts'

/** A planned benchmark with its items, whose messages are what its trials begin with. */
export type OpenedPlanned = { task: Task; profile: Profile; texts: Record<string, string>; items: OpenedTask }

/** Opens data and official texts of a planned benchmark. What it opens is handed to `keep`, also where it fails after that: the caller closes it. */
export async function openPlanned(
  planned: Pick<PlannedBenchmark, 'name' | 'version' | 'profile' | 'total_items' | 'data'>,
  env: DatasetEnv,
  keep: (dataset: OpenedDataset) => void,
): Promise<Outcome<OpenedPlanned>> {
  const task = await findTask(planned.name)
  const profile = task?.card.profiles.find((each) => each.id === planned.profile)
  if (!task || !profile || task.card.version !== planned.version) {
    return refused(
      'solver',
      'error',
      `This agent does not have ${planned.name} version ${planned.version} with profile ${planned.profile}. Update the older side, then resume the run.`,
    )
  }
  const dataset = await openDataset({ benchmark: planned.name, identity: planned.data, roles: profile.files, columns: task.columns }, env)
  if (!dataset.ok) return dataset
  keep(dataset.value)
  const texts = await openTexts(profile, env)
  if (!texts.ok) return texts
  const survey = await surveyDataset(task, profile, dataset.value, env)
  if (!survey.ok) return survey
  const items = await task.open({ profile, texts: texts.value, rows: dataset.value.rows, survey: survey.value })
  if (items.count !== planned.total_items) {
    return refused('dataset', 'mismatch', `${planned.name} has ${items.count} items here, the run was planned over ${planned.total_items}.`)
  }
  return { ok: true, value: { task, profile, texts: texts.value, items } }
}

/** A failure that another try does not mend. */
export function refused<P extends keyof typeof failureReasons>(
  at: P,
  reason: (typeof failureReasons)[P][number],
  detail: string,
): { ok: false; failure: Failure } {
  return { ok: false, failure: { at, reason, retryable: false, status: null, detail } as Failure } // reason belongs to its place by the signature
}
