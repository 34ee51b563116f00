import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { ifbenchChecks } from '../../scorers/ifbench/ifbench-checks.ts'
import { ifbenchKwargs } from '../../scorers/ifbench/kwargs.ts'
import { instructionsOf } from '../../scorers/instructions/score-instructions.ts'
import { noTables, TableMissing } from '../../scorers/tables.ts'
import { BadRecord } from '../task.ts'
import { itemsOf, openLists } from '../testing/open-lists.ts'
import { card } from './card.ts'
import task from './task.ts'

const shared = process.env.BENCH_SHARED ?? fileURLToPath(new URL('../../../../shared', import.meta.url))
const path = `${shared}/data/ifbench/IFBench_test.jsonl`
const here = existsSync(path)
if (!here) console.warn(`skipped: the real IFBench data is not at ${path}`)

const profile = card.profiles[0]!
const open = (...rows: unknown[]) => openLists(task, { profile, texts: {}, rows: { test: rows } })
const row = (id: string, kwargs: Record<string, unknown>) => ({ key: '7', prompt: 'Do it.', instruction_id_list: [id], kwargs: [kwargs] })
const answered = (text: string) =>
  ({ kind: 'completion', text, reasoning: null, finish_reason: 'stop', scoring_input: null, truncated_reasoning: false }) as const

test('[SCORE44] there is a check for each of the 58 kinds of instruction, and no other', () => {
  expect(Object.keys(ifbenchChecks).sort()).toEqual(Object.keys(ifbenchKwargs).sort())
  expect(Object.keys(ifbenchKwargs)).toHaveLength(58)
})

test('[SCORE44] a row with an unknown instruction or arguments that it does not take is named', async () => {
  const bad = [
    row('words:unheard_of', {}),
    row('toString', {}),
    row('count:numbers', {}),
    row('count:numbers', { N: 2.5 }),
    row('count:numbers', { N: -1 }),
    row('count:numbers', { N: 2, percentage: 3 }),
    row('count:words_japanese', { N: 0 }),
    row('format:list', { sep: '' }),
    { ...row('count:numbers', { N: 2 }), kwargs: [] },
  ]
  const good = row('count:numbers', { N: 2, percentage: null, sep: null })
  for (const record of bad) {
    const opening = () => open(good, record)
    await expect(opening()).rejects.toThrow(BadRecord)
    await expect(opening()).rejects.toThrow(/^test row 1: /)
  }
  expect(instructionsOf((await (await open(good)).item(0, 0)).metadata)).toEqual([{ id: 'count:numbers', kwargs: { N: 2 } }])
})

test('[SCORE45] an answer is right when it follows all constraints loosely; both verdicts of each are kept', async () => {
  const record = {
    key: '1',
    prompt: 'P',
    instruction_id_list: ['format:no_whitespace', 'count:numbers'],
    kwargs: [{}, { N: 1 }],
  }
  const item = await (await open(record)).item(0, 0)
  expect(item).toMatchObject({ source_id: '1', group: 'mixed', messages: [{ role: 'user', content: 'P' }] })
  const score = (text: string) => task.score(item, answered(text), 'official', noTables)
  expect(score('room7\n')).toMatchObject({
    outcome: 'right',
    detail: {
      checks: [
        { name: 'format:no_whitespace', verdicts: { strict: false, loose: true } },
        { name: 'count:numbers', verdicts: { strict: true, loose: true } },
      ],
    },
  })
  expect(score('room')).toMatchObject({ outcome: 'wrong', value: 0 })
  expect(score(' \n')).toMatchObject({ outcome: 'wrong', flags: ['empty'] })
})

test.skipIf(!here)('[SCORE44] all 300 real prompts open, their arguments are accepted, and every check takes them', async () => {
  const rows = readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
  const items = await itemsOf(await open(...rows))
  const lists = items.map((item) => instructionsOf(item.metadata))
  expect(items).toHaveLength(card.total_items)
  expect(new Set(items.map((item) => item.source_id)).size).toBe(300)
  expect(items.map((item) => item.messages[0]?.content)).toEqual(rows.map((found) => found.prompt))
  expect([1, 2].map((count) => lists.filter((list) => list.length === count).length)).toEqual([256, 44])
  expect(new Set(lists.flat().map(({ id }) => id))).toEqual(new Set(Object.keys(ifbenchKwargs)))
  for (const { id, kwargs } of lists.flat()) {
    try {
      expect([true, false]).toContain(ifbenchChecks[id as keyof typeof ifbenchChecks]('One. Two? three!\n* four', kwargs, noTables))
    } catch (error) {
      expect(error).toBeInstanceOf(TableMissing)
    }
  }
})
