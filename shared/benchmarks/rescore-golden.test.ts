import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { TrialRecord } from '../contract/trial.ts'
import { openRescoring } from '../run/rescore.ts'
import { planned, recordOf } from '../run/testing/rescore-example.ts'
import { noTables } from '../scorers/tables.ts'
import { type CardName, cards } from './cards.ts'
import { GoldenLine, goldenItems } from './fingerprint.ts'
import { tasks } from './tasks.ts'

test.each(cards.map(({ name }) => name as CardName))('[EXP60] the golden answers of %s come out as they were stored', async (name) => {
  const task = await tasks[name]()
  const lines = readFileSync(new URL(`${name}/golden.jsonl`, import.meta.url), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => GoldenLine.parse(JSON.parse(line)))
  const items = await goldenItems(task, lines)
  const records = lines.map(({ evidence, score: { value, ...score } }, at): TrialRecord => {
    const { target, metadata } = items[at]!
    const record = recordOf(at, '', '', { ...score, score: value, evidence, expected: target, item_metadata: metadata, benchmark: name })
    return TrialRecord.parse(JSON.parse(JSON.stringify(record)))
  })
  for (const { id, tables } of task.card.profiles) {
    const rescoring = openRescoring({ ...planned, name, profile: id, version: task.card.version }, task, noTables)
    const mine = records.filter((_, at) => lines[at]!.profile === id)
    for (const record of mine) rescoring.add(record)
    const { summary, differences } = rescoring.close()
    const missing = summary.counts.not_recomputed['table-missing'] ?? 0
    expect([differences, summary.counts.unchanged + missing, summary.headline]).toEqual([[], mine.length, task.card.metrics[0]])
    if (tables.length === 0) expect(missing).toBe(0)
  }
})
