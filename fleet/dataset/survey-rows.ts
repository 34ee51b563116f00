import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DataRows } from '#shared/benchmarks/rows.ts'
import { Survey } from '#shared/benchmarks/survey.ts'
import { BadRecord, OtherRows, type Task } from '#shared/benchmarks/task.ts'
import type { Profile } from '#shared/contract/card.ts'
import type { Outcome } from '#shared/contract/failure.ts'
import type { DatasetEnv } from './dataset-env.ts'
import { datasetError, outcomeOf, systemCode, unwrap } from './dataset-error.ts'
import type { OpenedDataset } from './open-dataset.ts'
import { placeOf } from './place.ts'

/**
 * What a task has to know of all rows, or `dataset/bad-record` for the first that does not fit, `dataset/mismatch` for rows that are not the benchmark's. Rows
 * that are the operator's `own` may name no item twice.
 */
export function surveyRows(task: Pick<Task, 'survey' | 'key'>, profile: Profile, rows: DataRows, own: boolean): Promise<Outcome<Survey>> {
  return outcomeOf(() =>
    task.survey({ profile, rows: own && task.key !== undefined ? onceEach(rows, task.key) : rows }).catch((cause: unknown) => {
      if (cause instanceof OtherRows) throw datasetError('mismatch', cause.message, { cause })
      throw cause instanceof BadRecord ? datasetError('bad-record', cause.message, { cause }) : cause
    }),
  )
}

/** The same rows, of which reading one of the role `test` rejects with `BadRecord` where another one was read that names the same item. */
function onceEach(rows: DataRows, key: string): DataRows {
  const { test } = rows
  if (!test) return rows
  const seen = new Map<string, number>()
  const read = async (index: number): Promise<unknown> => {
    const row = await test.read(index)
    const named: unknown = typeof row === 'object' && row !== null ? (row as Record<string, unknown>)[key] : undefined
    if (named === undefined || named === null) return row // the task says that the column is missing
    const first = seen.get(String(named))
    if (first !== undefined && first !== index)
      throw new BadRecord(
        'test',
        index,
        `${key} ${String(named).slice(0, 200)} stands in row ${first} too, counted from 0; leave one of the rows out`,
      )
    seen.set(String(named), index)
    return row
  }
  return { ...rows, test: { count: test.count, read } }
}

/**
 * The survey of a data set. Rows on disk are read through on a thread, once for each version of the benchmark, and what came of it is kept in
 * `<cacheDir>/rows`; rows in memory are looked at here each time.
 */
export async function surveyDataset(
  task: Pick<Task, 'card' | 'survey' | 'key'>,
  profile: Profile,
  dataset: Pick<OpenedDataset, 'rows' | 'seen' | 'sources' | 'own'>,
  env: DatasetEnv,
): Promise<Outcome<Survey>> {
  const { rows, seen, sources, own } = dataset
  if (Object.values(sources).every((parts) => parts.every(({ type }) => type === 'list'))) return surveyRows(task, profile, rows, own)
  const { name, version, fingerprint } = task.card
  const key = createHash('sha256')
    .update(JSON.stringify([name, version, fingerprint, profile.id, seen, own]))
    .digest('hex')
  const path = join(env.cacheDir, 'rows', `${key}.survey.json`)
  return outcomeOf(async () => {
    const known = await readSurvey(path)
    if (known) return known
    const job = { benchmark: name, profile: profile.id, sources, own, place: placeOf(env) }
    const survey = unwrap(await env.heavy.run('survey', job, { signal: env.signal }))
    await mkdir(join(env.cacheDir, 'rows'), { recursive: true })
    const part = `${path}.${randomUUID()}.part`
    await writeFile(part, JSON.stringify(survey))
    await rename(part, path)
    return survey
  })
}

async function readSurvey(path: string): Promise<Survey | undefined> {
  try {
    return Survey.safeParse(JSON.parse(await readFile(path, 'utf8'))).data
  } catch (error) {
    if (error instanceof SyntaxError || systemCode(error) === 'ENOENT') return undefined
    throw error
  }
}
