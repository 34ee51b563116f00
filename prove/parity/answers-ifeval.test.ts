import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { testTables } from '#fleet/dataset/testing/test-tables.ts'
import task from '#shared/benchmarks/ifeval/task.ts'
import { itemsOf, openLists } from '#shared/benchmarks/testing/open-lists.ts'
import { ifevalChecks } from '#shared/scorers/ifeval/ifeval-checks.ts'
import { instructionsOf, verdictsOf } from '#shared/scorers/instructions/score-instructions.ts'
import { ifevalAnswers } from './answers-ifeval.ts'

const sample = readFileSync(new URL('../../shared/benchmarks/ifeval/sample.jsonl', import.meta.url), 'utf8')
const rows = sample
  .split('\n')
  .filter(Boolean)
  .map((line) => JSON.parse(line))
const { tables, missing } = await testTables()

test('[SCORE39] generated answers are the same for the same seed, and every row is answered in turn', () => {
  const answers = ifevalAnswers(rows, 100, 3)
  expect(ifevalAnswers(rows, 100, 3)).toEqual(answers)
  expect(ifevalAnswers(rows, 100, 4)).not.toEqual(answers)
  expect(answers.map(({ key }) => key)).toEqual(Array.from({ length: 100 }, (_, i) => String(rows[i % rows.length].key)))
  expect(answers.filter(({ response }) => !response.isWellFormed())).toEqual([])
})

test.skipIf(missing.includes('punkt_english') || missing.includes('langdetect_profiles'))(
  '[SCORE39] generated answers meet every check and miss every check, also loosely',
  async () => {
    const items = await itemsOf(await openLists(task, { profile: task.card.profiles[0]!, texts: {}, rows: { test: rows } }))
    const seen = new Map(Object.keys(ifevalChecks).map((id) => [id, new Set<string>()]))
    ifevalAnswers(rows, 4000, 5).forEach(({ response }, index) => {
      const instructions = instructionsOf(items[index % rows.length]!.metadata)
      for (const { name, verdicts } of verdictsOf(response, instructions, ifevalChecks, tables)) seen.get(name)?.add(`${verdicts.loose}`)
    })
    for (const [id, found] of seen) expect([id, [...found].sort()]).toEqual([id, ['false', 'true']])
  },
)
