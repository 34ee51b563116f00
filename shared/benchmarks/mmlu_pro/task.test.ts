import { expect, test } from 'vitest'
import { BadRecord } from '../task.ts'
import { openLists } from '../testing/open-lists.ts'
import { card } from './card.ts'
import task from './task.ts'

const profile = (id: string) => card.profiles.find((found) => found.id === id)!
const texts = { intro: 'About {}:\n', question_head: 'Asked: {}\nOf: ', cot_opener: 'Well.' }

const row = (question_id: number, category: string, question: string, options: string[], answer: string, cot_content = '') => ({
  question_id,
  question,
  options,
  answer,
  answer_index: 'ABCDEFGHIJ'.indexOf(answer),
  cot_content,
  category,
  src: 'test',
})

const spider = row(7, 'biology', 'How many legs has a $& spider?', ['6', '8', '10', 'N/A'], 'B')
const gas = row(1, 'biology', 'Which gas?', ['O2', 'CO2'], 'B', 'A: Thought. The answer is (B).')
const other = row(2, 'law', 'Which law?', ['this', 'that'], 'A', 'A: No.')

test('[SCORE10] the official prompt is the introduction, the worked examples of the category and the item, each closed by a blank line', async () => {
  const opened = await openLists(task, { profile: profile('official'), texts, rows: { test: [spider], validation: [gas, other] } })
  expect(opened.count).toBe(1)
  expect((await opened.item(0, 0)).messages).toEqual([
    {
      role: 'user',
      content:
        'About biology:\nAsked: Which gas?\nOf: A. O2\nB. CO2\nAnswer: Thought. The answer is (B).\n\nAsked: How many legs has a $& spider?\nOf: A. 6\nB. 8\nC. 10\nAnswer: Well.\n\n',
      opening: 'About biology:\nAsked: Which gas?\nOf: A. O2\nB. CO2\nAnswer: Thought. The answer is (B).\n\n'.length,
    },
  ])
})

test('[SCORE10] options that say N/A are removed before lettering', async () => {
  const item = await (await openLists(task, { profile: profile('builtin'), texts: {}, rows: { test: [spider] } })).item(0, 0)
  expect(item).toMatchObject({ item_id: '0', source_id: '7', group: 'biology', target: 'B', metadata: { options: ['6', '8', '10'] } })
  expect(item.messages[0]?.content).toContain('\nA) 6\nB) 8\nC) 10\nSolution:')
  expect(item.messages[0]?.content).not.toContain('N/A')
})

test('[SCORE10] Parquet integers are accepted', async () => {
  const rows = { test: [{ ...spider, question_id: 7n, answer_index: 1n }] }
  const opened = await openLists(task, { profile: profile('builtin'), texts: {}, rows })
  expect((await opened.item(0, 0)).source_id).toBe('7')
})

test('[SCORE11] a row that does not fit is named', async () => {
  const open = (rows: Record<string, unknown[]>, id = 'builtin') => expect(openLists(task, { profile: profile(id), texts, rows })).rejects
  await open({ test: [spider, { ...spider, answer: 'K' }] }).toThrow(/^test row 1: .*answer/s)
  await open({ test: [] }).toThrow(BadRecord)
  await open({ test: [spider] }, 'official').toThrow(/^validation row 0/)
  await open({ test: [other, spider], validation: [other] }, 'official').toThrow(/^test row 1: there is no worked example/)
})

test('[SCORE10] an official profile without its texts is not rendered', async () => {
  const rows = { test: [spider], validation: [gas] }
  await expect(openLists(task, { profile: profile('official'), texts: {}, rows })).rejects.toThrow('"question_head" is not there')
})
