import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { ifevalKwargs } from '../../scorers/ifeval/kwargs.ts'
import { instructionsOf } from '../../scorers/instructions/score-instructions.ts'
import { noTables } from '../../scorers/tables.ts'
import { BadRecord } from '../task.ts'
import { itemsOf, openLists } from '../testing/open-lists.ts'
import { card } from './card.ts'
import task from './task.ts'

const shared = process.env.BENCH_SHARED ?? fileURLToPath(new URL('../../../../shared', import.meta.url))
const file = `${shared}/data/ifeval/input_data.jsonl`
const here = existsSync(file)
if (!here) console.warn(`skipped: the real IFEval data is not at ${file}`)

const linesOf = (path: string | URL): Record<string, unknown>[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
const open = (rows: unknown[]) => openLists(task, { profile: card.profiles[0]!, texts: {}, rows: { test: rows } })
const only = async (given: unknown) => (await open([given])).item(0, 0)
const evidence = { kind: 'completion', reasoning: null, finish_reason: 'stop', scoring_input: null, truncated_reasoning: false } as const
const row = (instruction_id_list: unknown, kwargs: unknown, more: Record<string, unknown> = {}) => ({
  key: 1,
  prompt: 'Write.',
  instruction_id_list,
  kwargs,
  ...more,
})

test('[SCORE36] the prompt is the one message, and the arguments lose the nulls that Arrow gives them', async () => {
  const ids = ['length_constraints:number_words', 'keywords:frequency', 'punctuation:no_comma']
  const kwargs = [
    { num_words: 10n, relation: 'at least', keywords: null },
    { keyword: ' sun ', frequency: 2.0, relation: 'less than' },
    { num_words: null },
  ]
  const item = await only(row(ids, kwargs, { key: 7n, prompt: ' Write. \n' }))
  expect(item).toMatchObject({
    source_id: '7',
    group: '3 constraints',
    messages: [{ role: 'user', content: ' Write. \n' }],
    target: 'all constraints',
    metadata: {
      instruction_id_list: ids,
      kwargs: [{ num_words: 10, relation: 'at least' }, { keyword: 'sun', frequency: 2, relation: 'less than' }, {}],
    },
  })
  expect((await only(row(['startend:quotation'], [null]))).group).toBe('1 constraint')
})

test.each([
  ['an unknown id', row(['keywords:key_sentences'], [{}])],
  ['the id of a property that every object has', row(['toString'], [{}])],
  ['lists of two lengths', row(['punctuation:no_comma'], [])],
  ['no instruction', row([], [])],
  ['no arguments', row(['length_constraints:number_words'], [{}])],
  ['only nulls', row(['length_constraints:number_words'], [{ num_words: null, relation: null }])],
  ['a negative number', row(['detectable_format:number_bullet_lists'], [{ num_bullets: -1 }])],
  ['half a sentence', row(['length_constraints:number_sentences'], [{ num_sentences: 2.5, relation: 'at least' }])],
  ['an unknown relation', row(['length_constraints:number_words'], [{ num_words: 2, relation: 'at most' }])],
  ['an argument of another check', row(['punctuation:no_comma'], [{ num_words: 2 }])],
  ['no keyword', row(['keywords:existence'], [{ keywords: [] }])],
  ['a keyword that would be a pattern', row(['keywords:existence'], [{ keywords: ['a.c'] }])],
  ['two letters', row(['keywords:letter_frequency'], [{ letter: 'ab', let_frequency: 1, let_relation: 'at least' }])],
  [
    'a paragraph beyond the last',
    row(['length_constraints:nth_paragraph_first_word'], [{ num_paragraphs: 2, nth_paragraph: 3, first_word: 'a' }]),
  ],
])('[SCORE36] a row with %s is refused', async (_what, bad) => {
  await expect(open([row(['punctuation:no_comma'], [{}]), bad])).rejects.toThrow(BadRecord)
  await expect(open([row(['punctuation:no_comma'], [{}]), bad])).rejects.toThrow(/^test row 1: /)
})

test('[SCORE37] the rows that are known to be faulty are scored as they are, and flagged', async () => {
  const letters = { letter: '!', let_frequency: 2, let_relation: 'at least' }
  const score = async (key: number, text: string) =>
    task.score(await only(row(['keywords:letter_frequency'], [letters], { key })), { ...evidence, text }, 'official', noTables)
  expect(await score(1129, 'Yes!!')).toMatchObject({ outcome: 'right', flags: ['faulty_item'] })
  expect(await score(1129, 'Yes!')).toMatchObject({ outcome: 'wrong', flags: ['faulty_item'] })
  expect((await score(1130, 'Yes!!')).flags).toEqual([])
})

test('[SCORE37] the sample has every kind of instruction', async () => {
  const items = await itemsOf(await open(linesOf(new URL('sample.jsonl', import.meta.url))))
  const seen = new Set<string>()
  for (const { metadata } of items) for (const { id } of instructionsOf(metadata)) seen.add(id)
  expect([...seen].sort()).toEqual(Object.keys(ifevalKwargs).sort())
})

test.skipIf(!here)('[SCORE37] every row of the real data opens, with its arguments unchanged', async () => {
  const rows = linesOf(file)
  const items = await itemsOf(await open(rows))
  expect(items).toHaveLength(540) // of 541: the copy lacks one
  expect(new Set(items.map((item) => item.source_id)).size).toBe(540)
  const kinds = new Map<string, number>()
  items.forEach((item, index) => {
    expect(item.messages).toEqual([{ role: 'user', content: rows[index]!.prompt }])
    expect(item.metadata.kwargs).toEqual(rows[index]!.kwargs)
    expect(item.metadata.instruction_id_list).toEqual(rows[index]!.instruction_id_list)
    for (const { id } of instructionsOf(item.metadata)) kinds.set(id, (kinds.get(id) ?? 0) + 1)
  })
  expect(kinds.size).toBe(25)
  expect([...kinds.values()].reduce((sum, n) => sum + n, 0)).toBe(832)
  expect(kinds.get('punctuation:no_comma')).toBe(66)
  const groups = ['1 constraint', '2 constraints', '3 constraints'].map((name) => items.filter(({ group }) => group === name).length)
  expect(groups[2]).toBe(57)
  expect(groups[0]! + groups[1]!).toBe(483)
  const faulty = items.filter((item) => item.metadata.fault !== undefined).map((item) => item.source_id)
  expect(faulty.sort()).toEqual(['1122', '1129', '2078', '30', '337'])
  for (const item of items) for (const right of [true, false]) expect(task.demo(item, right)).not.toBe('')
})
