import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { expect, test } from 'vitest'
import { metricsVersion } from '../../metrics/draw.ts'
import { measureBenchmark } from '../../metrics/measure.ts'
import type { MetricRow } from '../../metrics/port.ts'
import { scoringInput } from '../../scorers/reasoning.ts'
import { noTables } from '../../scorers/tables.ts'
import { itemsOf, openLists } from '../testing/open-lists.ts'
import { card } from './card.ts'
import task from './task.ts'

const shared = process.env.BENCH_SHARED ?? fileURLToPath(new URL('../../../../shared', import.meta.url))
const folder = `${shared}/data/mmlu_pro`
const here = existsSync(`${folder}/test.parquet`)
if (!here) console.warn(`skipped: the real MMLU-Pro data is not in ${folder}`)

type Reply = { question_id: number; reply: string; official_pred: string }

const categories = {
  math: 1351,
  physics: 1299,
  chemistry: 1132,
  law: 1101,
  engineering: 969,
  other: 924,
  economics: 844,
  health: 818,
  psychology: 798,
  business: 789,
  biology: 717,
  philosophy: 499,
  'computer science': 410,
  history: 381,
}

async function scored() {
  const rows = await parquetReadObjects({ file: await asyncBufferFromFile(`${folder}/test.parquet`), compressors })
  const replies = new Map<string, Reply>()
  for (const line of gunzipSync(readFileSync(`${folder}/replies_llama3_1_70b.jsonl.gz`))
    .toString('utf8')
    .split('\n')) {
    if (line) replies.set(String(JSON.parse(line).question_id), JSON.parse(line))
  }
  const profile = card.profiles.find((found) => found.id === 'builtin')!
  const items = await itemsOf(await openLists(task, { profile, texts: {}, rows: { test: rows } }))
  return items.map((item) => {
    const { reply, official_pred } = replies.get(item.source_id!)!
    const { text, truncated_reasoning } = scoringInput(reply)
    const evidence = {
      kind: 'completion',
      text: reply,
      reasoning: null,
      finish_reason: 'stop',
      scoring_input: text,
      truncated_reasoning,
    } as const
    return { item, official_pred, score: task.score(item, evidence, 'official', noTables) }
  })
}

test.skipIf(!here)(
  '[SCORE12] the real answers of Llama-3.1-70B-Instruct to all 12,032 items get the verdicts of the API script',
  async () => {
    const trials = await scored()
    expect(trials).toHaveLength(12032)
    const count = (flag: string) => trials.filter(({ score }) => score.flags.includes(flag)).length
    expect(trials.filter(({ score }) => score.outcome === 'right')).toHaveLength(7557)
    expect([count('level_1'), count('level_2'), count('level_3'), count('unparsed')]).toEqual([11779, 0, 65, 188])
    expect(trials.filter(({ score, official_pred }) => score.answer !== null && score.answer !== official_pred)).toEqual([])
    expect(
      Object.fromEntries(Object.keys(categories).map((name) => [name, trials.filter(({ item }) => item.group === name).length])),
    ).toEqual(categories)

    const rows: MetricRow[] = trials.map(({ item, score }) => ({
      item_id: item.item_id,
      epoch: 0,
      group: item.group,
      outcome: score.outcome,
      score: score.value,
      answer: score.answer,
      flags: score.flags,
      detail: score.detail,
      options: Array.isArray(item.metadata.options) ? item.metadata.options.length : null,
    }))
    const metrics = measureBenchmark(card.metrics, rows, {
      total_items: card.total_items,
      sampled_items: card.total_items,
      epochs: 1,
      params: { temperature: 0 },
      metrics_version: metricsVersion,
    })
    expect(metrics.accuracy?.value).toBeCloseTo(0.62808, 5)
    expect(metrics.level_1_share?.value).toBeCloseTo(11779 / 12032, 12)
  },
)
