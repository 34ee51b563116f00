import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type CardName, cards } from '#shared/benchmarks/cards.ts'
import { GoldenLine, goldenItems } from '#shared/benchmarks/fingerprint.ts'
import { tasks } from '#shared/benchmarks/tasks.ts'
import { itemsOf, openLists } from '#shared/benchmarks/testing/open-lists.ts'
import { Score } from '#shared/contract/item.ts'
import { draws } from '#shared/testing/draws.ts'
import { testTables } from './testing/test-tables.ts'

const { tables, missing } = await testTables()
const reading = cards.filter((card) => card.profiles.some((profile) => profile.tables.length > 0))
const lacks = (card: (typeof cards)[number]) => card.profiles.some((profile) => profile.tables.some((table) => missing.includes(table)))

const linesOf = (name: string, file: string): unknown[] =>
  readFileSync(new URL(`../../shared/benchmarks/${name}/${file}`, import.meta.url), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))

const evidence = { kind: 'completion', reasoning: null, finish_reason: 'stop', scoring_input: null, truncated_reasoning: false } as const

for (const card of reading) {
  test.skipIf(lacks(card))(`[SCORE8] every line of the golden file of ${card.name} gives its score with the real tables`, async () => {
    const task = await tasks[card.name as CardName]()
    const lines = linesOf(card.name, 'golden.jsonl').map((line) => GoldenLine.parse(line))
    const items = await goldenItems(task, lines)
    items.forEach((item, index) => {
      const line = lines[index]!
      expect([index, Score.parse(task.score(item, line.evidence, line.profile, tables))]).toEqual([index, line.score])
    })
  })

  test.skipIf(lacks(card))(`[SCORE9] demo answers to the sample of ${card.name} are scored as meant with the real tables`, async () => {
    const task = await tasks[card.name as CardName]()
    const [profile] = task.card.profiles
    const items = await itemsOf(await openLists(task, { profile: profile!, texts: {}, rows: { test: linesOf(card.name, 'sample.jsonl') } }))
    for (const item of items) {
      const outcome = (right: boolean) => task.score(item, { ...evidence, text: task.demo(item, right) }, profile!.id, tables)
      expect([item.source_id, outcome(true)]).toMatchObject([item.source_id, { outcome: 'right', answer: item.target }])
      expect([item.source_id, outcome(false)]).toMatchObject([item.source_id, { outcome: 'wrong' }])
    }
  })

  test.skipIf(lacks(card))(
    `[SCORE6] any answer to the sample of ${card.name} has a score, twice the same, with the real tables`,
    async () => {
      const task = await tasks[card.name as CardName]()
      const [profile] = task.card.profiles
      const items = await itemsOf(
        await openLists(task, { profile: profile!, texts: {}, rows: { test: linesOf(card.name, 'sample.jsonl') } }),
      )
      const score = (index: number, text: string) => task.score(items[index]!, { ...evidence, text }, profile!.id, tables)
      fc.assert(
        fc.property(fc.nat(items.length - 1), fc.oneof(fc.string({ unit: 'binary' }), fc.lorem({ mode: 'sentences' })), (index, text) => {
          expect(Score.parse(score(index, text))).toEqual(score(index, text))
        }),
        draws(500),
      )
    },
  )
}
