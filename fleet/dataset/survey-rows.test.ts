import { existsSync, readFileSync } from 'node:fs'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { cards } from '#shared/benchmarks/cards.ts'
import { listRows } from '#shared/benchmarks/rows.ts'
import { everyRow } from '#shared/benchmarks/survey.ts'
import type { Task } from '#shared/benchmarks/task.ts'
import { findTask } from '#shared/benchmarks/tasks.ts'
import { benchmarksDir } from '../program.ts'
import { openHeavyPool } from '../threads/heavy-pool.ts'
import type { DatasetEnv } from './dataset-env.ts'
import { openTestEnv, sha256Of } from './loopback-server.ts'
import { openDataset } from './open-dataset.ts'
import { rowLimits } from './row-limits.ts'
import { surveyDataset, surveyRows } from './survey-rows.ts'
import { countedHeavy } from './testing/all-rows.ts'

const row = (n: number, image = '') => ({
  ...{ id: `id-${n}`, question: `What of ${n}?`, image, answer: '42', answer_type: 'exactMatch', raw_subject: 'S', category: 'Math' },
})
const picture = 'data:image/png;base64,iVBORw0KGgo='
const text = [row(0), row(1, picture), row(2), row(3, picture), row(4)].map((one) => `${JSON.stringify(one)}\n`).join('')

/** The exam without its pictures, surveyed and opened over a file of the operator's own. */
async function openExam(content: string, env: DatasetEnv, root: string) {
  const task = (await findTask('hle_text'))!
  const profile = task.card.profiles.find(({ id }) => id === 'builtin')!
  const path = join(root, 'exam.jsonl')
  await writeFile(path, content)
  const file = { role: 'test', path: 'exam.jsonl', sha256: sha256Of(content), rows: content.split('\n').length - 1 }
  const identity = { source: 'override', repo: 'override', revision: 'a'.repeat(40), files: [file] } as const
  const declared = { ...env, overrides: JSON.stringify({ hle_text: { files: [{ role: 'test', path }] } }) }
  const request = { benchmark: 'hle_text', identity: { ...identity, files: [file] }, roles: ['test'], columns: task.columns ?? {} }
  const dataset = await openDataset(request, declared)
  if (!dataset.ok) throw new Error(dataset.failure.detail)
  const survey = await surveyDataset(task, profile, dataset.value, declared)
  if (!survey.ok) {
    await dataset.value.close()
    return { failure: survey.failure, ids: [] }
  }
  const opened = await task.open({ profile, texts: {}, rows: dataset.value.rows, survey: survey.value })
  const items = await Promise.all(Array.from({ length: opened.count }, (_, index) => opened.item(index, 0)))
  await dataset.value.close()
  return { failure: null, ids: items.map((item) => [item.source_id, item.metadata.row]) }
}

test('[DATA35] rows on disk are looked through once for a version of a benchmark, on a thread, with the items they have in memory', async () => {
  await using place = await openTestEnv('http://127.0.0.1:1')
  const heavy = openHeavyPool()
  onTestFinished(() => heavy.close())
  const counted = countedHeavy(heavy)
  const env = { ...place.env, heavy: counted, rows: { ...rowLimits, inlineBytes: 0 } }
  const ids = [
    ['id-0', 0],
    ['id-2', 2],
    ['id-4', 4],
  ]
  expect(await openExam(text, place.env, place.root)).toEqual({ failure: null, ids })
  expect(await openExam(text, env, place.root)).toEqual({ failure: null, ids })
  expect(await openExam(text, env, place.root)).toEqual({ failure: null, ids })
  expect(counted.asked).toEqual(['index', 'survey'])

  const kept = (await readdir(join(env.cacheDir, 'rows'))).find((name) => name.endsWith('.survey.json'))!
  await writeFile(join(env.cacheDir, 'rows', kept), '{"items":[0,')
  expect(await openExam(text, env, place.root)).toEqual({ failure: null, ids })
  expect(counted.asked).toEqual(['index', 'survey', 'survey'])
})

test('[DATA520] rows of an operator that name one item twice are refused with both rows, wherever they are', async () => {
  await using place = await openTestEnv('http://127.0.0.1:1')
  const twice = `${text}${JSON.stringify(row(3))}\n`
  const detail = 'test row 5: id id-3 stands in row 3 too, counted from 0; leave one of the rows out'
  for (const inlineBytes of [2 ** 20, 0])
    expect(await openExam(twice, { ...place.env, rows: { ...rowLimits, inlineBytes } }, place.root)).toMatchObject({
      failure: { at: 'dataset', reason: 'bad-record', detail },
    })
})

test('[DATA520] every benchmark with rows of its own names the column of its key, and pinned rows may repeat one', async () => {
  for (const card of cards) {
    const task = (await findTask(card.name))!
    const file = join(benchmarksDir, card.name, 'sample.jsonl')
    // Their rows are folders of tasks, or are checked with their ids elsewhere.
    if (task.key === undefined) expect(card.name).toMatch(/^(?:terminal|janus)_/)
    if (task.key === undefined || !existsSync(file)) continue
    const [first] = readFileSync(file, 'utf8').split('\n')
    expect([card.name, Object.keys(JSON.parse(first!) as object)]).toEqual([card.name, expect.arrayContaining([task.key])])
    const rows = { test: listRows([JSON.parse(first!), JSON.parse(first!)]) }
    const seeAll: Pick<Task, 'survey'>['survey'] = async ({ rows: { test: all } }) => {
      for (let index = 0; index < all!.count; index++) await all!.read(index)
      return everyRow
    }
    const survey = (own: boolean) => surveyRows({ key: task.key!, survey: seeAll }, card.profiles[0]!, rows, own)
    expect([card.name, (await survey(true)).ok, (await survey(false)).ok]).toEqual([card.name, false, true])
  }
})

test('[DATA35] a row that does not fit is named before any item is asked, wherever the rows are', async () => {
  await using place = await openTestEnv('http://127.0.0.1:1')
  const bad = `${text}${JSON.stringify({ ...row(5), answer: 7 })}\n`
  const failure = { at: 'dataset', reason: 'bad-record', detail: expect.stringMatching(/^test row 5: /) }
  for (const inlineBytes of [2 ** 20, 0])
    expect(await openExam(bad, { ...place.env, rows: { ...rowLimits, inlineBytes } }, place.root)).toMatchObject({ failure })
})
