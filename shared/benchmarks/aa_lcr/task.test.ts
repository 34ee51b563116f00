import { expect, test } from 'vitest'
import { sha256Hex } from '#sha256'
import { scriptedKit } from '../../solvers/testing/scripted-kit.ts'
import { openLists } from '../testing/open-lists.ts'
import { card } from './card.ts'
import task from './task.ts'

const profile = (id: string) => card.profiles.find((found) => found.id === id)!
const texts = {
  document: '<{number}>{document}</{number}>',
  prompt: 'D {documents_text} Q {question}',
  judge: 'Q {question} O {official_answer} C {candidate_answer}',
}
const row = (cells: Record<string, unknown> = {}) => ({
  document_category: 'Legal',
  document_set_id: 'set',
  question_id: '7',
  question: 'What of {question}?',
  answer: 'one;two',
  data_source_filenames: 'b’s.txt; a.txt',
  data_source_urls: 'https://example.org',
  input_tokens: '99',
  ...cells,
})
const documents = [
  { name: 'lcr/Legal/set/ a.txt', text: ' {number} first\r\nsecond\rthird ' },
  { name: 'lcr/Legal/set/b’s.txt', text: '\uFEFFbe' },
  { name: 'lcr/Legal/set/gone.bin', text: null },
]
const open = (test: unknown[], id = 'official') => openLists(task, { profile: profile(id), texts, rows: { test, documents } })
const first = async (id = 'official') => (await open([row()], id)).item(0, 0)

test('[SCORE57] documents stand whole, numbered and in the order of the question, with line ends as Python reads them', async () => {
  const item = await first()
  const opening = 'D <1>\uFEFFbe</1>\n\n<2> {number} first\nsecond\nthird </2> Q '
  expect(item.messages).toEqual([{ role: 'user', content: `${opening}What of {question}?`, opening: opening.length }])
  expect(item).toMatchObject({ source_id: '7', group: 'Legal', target: 'one;two' })
  expect(item.metadata).toEqual({
    question: 'What of {question}?',
    document_set_id: 'set',
    documents: [
      { name: 'b’s.txt', chars: 3 },
      { name: ' a.txt', chars: 29 },
    ],
    input_tokens: 99,
  })
})

test('[SCORE57] names are compared in NFC on both sides', async () => {
  const composed = 'lcr/Legal/set/\u015F.txt'
  const decomposed = composed.normalize('NFD')
  expect(decomposed).not.toBe(composed)
  for (const [stored, named] of [
    [composed, 's\u0327.txt'],
    [decomposed, '\u015F.txt'],
  ] as const) {
    const rows = { test: [row({ data_source_filenames: named })], documents: [{ name: stored, text: 'there' }] }
    const opened = await openLists(task, { profile: profile('official'), texts, rows })
    expect((await opened.item(0, 0)).messages[0]?.content).toContain('<1>there</1>')
  }
})

test('[SCORE58] a question of which a document is missing or is no text fails by itself, and says which', async () => {
  const opened = await open([row(), row({ data_source_filenames: 'b’s.txt;no.txt' }), row({ data_source_filenames: 'gone.bin' })])
  expect((await opened.item(0, 0)).source_id).toBe('7')
  await expect(opened.item(1, 0)).rejects.toThrow('test row 1: the document lcr/Legal/set/no.txt is missing')
  await expect(opened.item(2, 0)).rejects.toThrow('test row 2: the document lcr/Legal/set/gone.bin is not UTF-8 text')
})

test('[SCORE59] the equality checker sees question, official answer as it stands and answer, is asked thrice at most, and no document', async () => {
  const item = await first()
  const kit = scriptedKit(
    { model: ['<think>x</think>It is {question}.'], judge: ['Yes', 'INCORRECTLY formatted', 'CORRECT'] },
    { judge: { model: 'j' } },
  )
  const solved = await task.solver('official', texts)(item, kit)
  expect(solved).toMatchObject({ ok: true, value: { judge: { replies: ['Yes', 'INCORRECTLY formatted', 'CORRECT'] } } })
  expect(kit.asked.judge.map((request) => request.messages[0]?.content)).toEqual(
    Array.from({ length: 3 }, () => 'Q What of {question}? O one;two C It is {question}.'),
  )
  expect(kit.asked.judge[0]?.schema).toBeNull()
})

test('[SCORE59] without a verdict there is a failure, and an empty answer is wrong without a judge', async () => {
  const item = await first()
  const silent = scriptedKit({ model: ['It is one.'], judge: ['Yes', 'Yes', 'Yes'] }, { judge: { model: 'j' } })
  expect(await task.solver('official', texts)(item, silent)).toMatchObject({
    ok: false,
    failure: { at: 'judge', reason: 'unreadable' },
  })
  const empty = scriptedKit({ model: [' \n'], judge: [] }, { judge: { model: 'j' } })
  const solved = await task.solver('official', texts)(item, empty)
  if (!solved.ok) throw new Error(solved.failure.detail)
  expect(empty.asked.judge).toEqual([])
  expect(task.score(item, solved.value, 'official', { get: () => expect.fail('reads no table') })).toMatchObject({ value: 0, answer: null })
})

test('[SCORE55] our wording of the checker’s prompt changes with the version only', async () => {
  const kit = scriptedKit({ model: ['It is one.'], judge: ['CORRECT'] }, { judge: { model: 'j' } })
  await task.solver('builtin', {})(await first('builtin'), kit)
  expect(sha256Hex(kit.asked.judge[0]!.messages[0]!.content)).toBe('c7db6e6d9de71fa08ecd26de89003c8111d06f91c4ccb0c4ec9e9d53be5b9c9c')
})
