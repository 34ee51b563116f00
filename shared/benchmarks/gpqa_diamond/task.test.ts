import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { itemsOf, openLists } from '../testing/open-lists.ts'
import { card } from './card.ts'
import { perRowOrder, repeatedListOrder } from './option-order.ts'
import task from './task.ts'

const profile = (id: string) => card.profiles.find((found) => found.id === id)!
const texts = {
  template: '\nQ {Question} A{A} B{B} C{C} D{D}\n',
  question: 'Q {example.question}',
  choices: ' 1{example.choice1} 2{example.choice2} 3{example.choice3} 4{example.choice4}',
  format: ' (X)',
  system: 'be direct',
  prompt: 'P {problem}',
}
const row = (n: number, cells: Record<string, string> = {}) => ({
  'Record ID': `r${n}`,
  Question: `What is {A} of ${n}?`,
  'Correct Answer': 'c',
  'Incorrect Answer 1': 'i1',
  'Incorrect Answer 2': 'i2',
  'Incorrect Answer 3': 'i3',
  'High-level domain': 'Physics',
  Subdomain: 'Optics',
  'Canary String': 'canary-of-the-test',
  ...cells,
})

test('[SCORE13] options are permuted as simple-evals does over the repeated list of 198 rows', () => {
  const order = repeatedListOrder(198)
  const entry = (i: number) => order(i % 198, Math.floor(i / 198))
  expect([791, 0, 1, 2, 3, 4, 5, 197, 198, 1979].map(entry)).toEqual([
    [3, 0, 2, 1],
    [3, 1, 0, 2],
    [3, 1, 2, 0],
    [2, 3, 0, 1],
    [2, 0, 3, 1],
    [1, 3, 0, 2],
    [2, 1, 0, 3],
    [2, 3, 1, 0],
    [2, 1, 0, 3],
    [0, 2, 1, 3],
  ])
  const gold = Array.from({ length: 792 }, (_, i) => 'ABCD'[entry(i).indexOf(0)])
  expect(gold.slice(0, 12).join(' ')).toBe('C D C B C C C D A C A D')
  expect([...'ABCD'].map((letter) => gold.filter((found) => found === letter).length)).toEqual([192, 196, 208, 196])
})

test('[SCORE13] options are shuffled row by row as the baselines of the paper do', () => {
  const order = perRowOrder(198)
  const names = ['C', 'I1', 'I2', 'I3']
  expect(
    [0, 1, 2, 3, 4, 5].map((i) =>
      order(i, 0)
        .map((place) => names[place])
        .join(' '),
    ),
  ).toEqual(['I3 I1 I2 C', 'I1 I2 C I3', 'I1 I3 I2 C', 'I2 I1 C I3', 'I3 I1 C I2', 'C I2 I3 I1'])
  const gold = Array.from({ length: 198 }, (_, i) => 'ABCD'[order(i, 0).indexOf(0)])
  expect(gold.slice(0, 20).join(' ')).toBe('D C D C C A C A D B B D B A A A C B C D')
  expect([...'ABCD'].map((letter) => gold.filter((found) => found === letter).length)).toEqual([55, 60, 46, 37])
})

test('[SCORE13] repeats are blocks of the rows that were opened, whatever is asked first', async () => {
  const rows = { test: [row(0), row(1), row(2)] }
  const open = () => openLists(task, { profile: profile('builtin'), texts: {}, rows })
  const late = await (await open()).item(1, 2)
  expect(late.metadata.order).toEqual(repeatedListOrder(198)(7, 0))
  const inOrder = await open()
  for (let epoch = 0; epoch < 2; epoch++) await itemsOf(inOrder, epoch)
  expect(await inOrder.item(1, 2)).toEqual(late)
})

test('[SCORE13] the first option with the correct text is gold', async () => {
  const twin = row(0, { 'Incorrect Answer 1': 'c' })
  const item = await (await openLists(task, { profile: profile('official'), texts, rows: { test: [twin] } })).item(0, 0)
  expect(item.metadata.order).toEqual([3, 1, 0, 2])
  expect(item.target).toBe('B')
})

test('[SCORE13] each profile fills its template and leaves braces of the question alone', async () => {
  const first = async (id: string) => {
    const opened = await openLists(task, { profile: profile(id), texts, rows: { test: [row(0)] } })
    return (await opened.item(0, 0)).messages
  }
  expect(await first('official')).toEqual([{ role: 'user', content: 'Q What is {A} of 0? Ai3 Bi1 Cc Di2' }])
  expect(await first('gpqa_official')).toEqual([
    { role: 'system', content: 'be direct' },
    { role: 'user', content: 'Q What is {A} of 0? 1i3 2i1 3i2 4c (X)' },
  ])
  expect(await first('aa')).toEqual([{ role: 'user', content: 'P What is {A} of 0?\n\nA) i3\nB) i1\nC) c\nD) i2' }])
})

test('[SCORE14] the canary of a record enters neither prompt nor facts', async () => {
  const sample = readFileSync(new URL('sample.jsonl', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(sample[0]['Canary String']).toContain('canary')
  for (const id of card.profiles.map((found) => found.id)) {
    const opened = await openLists(task, { profile: profile(id), texts, rows: { test: sample } })
    expect(JSON.stringify(await itemsOf(opened))).not.toContain('canary')
  }
})
