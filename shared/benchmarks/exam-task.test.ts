import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { sha256Hex } from '#sha256'
import type { Item } from '../contract/item.ts'
import { examVerdict } from '../scorers/judge-verdict.ts'
import { scriptedKit } from '../solvers/testing/scripted-kit.ts'
import { pictureOf } from './exam-record.ts'
import hle from './hle/task.ts'
import hleText from './hle_text/task.ts'
import type { BadRecord, Task } from './task.ts'
import { openLists } from './testing/open-lists.ts'

const profile = (id: string) => hle.card.profiles.find((found) => found.id === id)!
const texts = { system: 'Say three lines.', judge: 'Q {question} R {response} C {correct_answer}' }
const dot = 'data:image/png;base64,iVBORw0KGgo='
const row = (n: number, cells: Record<string, unknown> = {}) => ({
  id: `id-${n}`,
  question: `What is {response} of ${n}?`,
  image: '',
  answer: '42',
  answer_type: 'exactMatch',
  raw_subject: 'Arithmetic',
  category: 'Math',
  author_name: 'somebody',
  rationale: 'rationale-of-the-test',
  canary: 'canary-of-the-test',
  ...cells,
})
const rows = { test: [row(0), row(1, { image: dot }), row(2, { image: null }), row(3)] }
const open = (task: Task<'judged'>, id = 'official') => openLists(task, { profile: profile(id), texts, rows })
const itemsOf = async (task: Task<'judged'>, indexes: number[], id = 'official') => {
  const opened = await open(task, id)
  return Promise.all(indexes.map((index) => opened.item(index, 0)))
}
const first = async (id = 'official') => (await open(hle, id)).item(0, 0)

test('[SCORE52] a question is asked with the system text before it, and its picture goes on unchanged with its hash', async () => {
  const [plain, shown] = (await itemsOf(hle, [0, 1])) as [Item, Item]
  expect(plain.messages).toEqual([
    { role: 'system', content: 'Say three lines.' },
    { role: 'user', content: 'What is {response} of 0?' },
  ])
  const picture = { media_type: 'image/png', sha256: '4c4b6a3be1314ab86138bef4314dde022e600960d8689a2c8f8631802d20dab6', bytes: 8 }
  expect(shown.messages[1]).toEqual({ role: 'user', content: 'What is {response} of 1?', pictures: [{ ...picture, data: dot }] })
  expect(shown.metadata.pictures).toEqual([picture])
  expect(JSON.stringify(shown.metadata)).not.toContain('iVBOR')
  expect(plain.metadata).not.toHaveProperty('pictures')
  expect(shown.item_hash).not.toBe(plain.item_hash)
})

test('[SCORE52] a data URI without base64 is hashed as its text; what is no data URI, or no base64, is named by its row', async () => {
  expect(pictureOf('data:image/svg+xml;charset=utf-8,<svg/>')).toMatchObject({
    media_type: 'image/svg+xml',
    bytes: 6,
    sha256: sha256Hex('<svg/>'),
  })
  const refused = (image: string) =>
    openLists(hle, { profile: profile('official'), texts, rows: { test: [row(0), row(1, { image })] } })
      .then((opened) => opened.item(1, 0))
      .then(
        () => undefined,
        (error: BadRecord) => error.row,
      )
  expect(await Promise.all(['https://example.org/a.png', 'data:image/png;base64,***'].map(refused))).toEqual([1, 1])
})

test('[SCORE53] the text-only exam is the rows without a picture, known by the ids and rows of the full set', async () => {
  expect([(await open(hle)).count, (await open(hleText)).count]).toEqual([4, 3])
  const known = await itemsOf(hleText, [0, 1, 2])
  expect(known.map((item) => [item.item_id, item.source_id, item.metadata.row])).toEqual([
    ['0', 'id-0', 0],
    ['1', 'id-2', 2],
    ['2', 'id-3', 3],
  ])
  expect(known.map((item) => item.item_hash)).toEqual((await itemsOf(hle, [0, 2, 3])).map((item) => item.item_hash))
})

test('[SCORE53] the sample of the text-only exam is that of the exam without its pictures', () => {
  const sample = (name: string) =>
    readFileSync(new URL(`${name}/sample.jsonl`, import.meta.url), 'utf8')
      .split('\n')
      .filter(Boolean)
  const pictures = sample('hle').filter((line) => JSON.parse(line).image !== '')
  expect(pictures).toHaveLength(6)
  expect(sample('hle').filter((line) => !pictures.includes(line))).toEqual(sample('hle_text'))
})

test('[SCORE14] canary, rationale and author of the exam enter neither prompt nor facts, and their columns are not read', async () => {
  for (const id of ['official', 'builtin']) {
    const seen = JSON.stringify(await itemsOf(hle, [0, 1, 2, 3], id))
    expect(seen).not.toMatch(/canary|rationale|somebody/)
  }
  expect(hle.columns?.test).not.toContain('canary')
  expect(hleText.columns).toEqual(hle.columns)
})

const reply = (more = {}) =>
  JSON.stringify({ extracted_final_answer: '42', reasoning: 'same', correct: 'yes', confidence: 85, strict: true, ...more })

test('[SCORE54] the judge is asked once with all slots filled in one pass, and once more for an unreadable reply', async () => {
  const kit = scriptedKit(
    { model: ['Answer: {correct_answer}'], judge: ['correct: yes', reply()] },
    { judge: { model: 'j', schema: true } },
  )
  const item = await first()
  const solved = await hle.solver('official', texts)(item, kit)
  expect(solved).toMatchObject({ ok: true, value: { kind: 'judged', judge: { model: 'j', replies: ['correct: yes', reply()] } } })
  const content = 'Q What is {response} of 0? R Answer: {correct_answer} C 42'
  expect(kit.asked.judge.map((request) => request.messages)).toEqual([[{ role: 'user', content }], [{ role: 'user', content }]])
  expect(kit.asked.judge[0]?.schema?.name).toBe('ExtractedAnswer')
})

test('[SCORE54] a judge without a readable verdict is a failure and never a wrong answer', async () => {
  const kit = scriptedKit({ model: ['Answer: 42'], judge: ['correct: yes', '```json\n{}\n```'] }, { judge: { model: 'j', schema: true } })
  const solved = await hle.solver('official', texts)(await first(), kit)
  expect(solved).toMatchObject({ ok: false, failure: { at: 'judge', reason: 'unreadable' } })
})

test('[SCORE54] a judge without structured output is told the schema in a system message and may wrap its verdict in a fence', async () => {
  const fenced = `\`\`\`json\n${reply()}\n\`\`\``
  const kit = scriptedKit({ model: ['Answer: 42'], judge: [fenced] }, { judge: { model: 'j' } })
  const item = await first('official_plain_judge')
  const solved = await hle.solver('official_plain_judge', texts)(item, kit)
  expect(kit.asked.judge[0]?.schema).toBeNull()
  expect(kit.asked.judge[0]?.messages.map((message) => message.role)).toEqual(['system', 'user'])
  expect(kit.asked.judge[0]?.messages[0]?.content).toContain('"extracted_final_answer"')
  if (!solved.ok) throw new Error(solved.failure.detail)
  expect(hle.score(item, solved.value, 'official_plain_judge', { get: () => expect.fail('reads no table') })).toMatchObject({
    outcome: 'right',
  })
})

test('[SCORE55] our wording of the judge’s prompt changes with the version only, and asks for the fields that are read', async () => {
  const kit = scriptedKit({ model: ['Answer: 42'], judge: [reply()] }, { judge: { model: 'j' } })
  await hle.solver('builtin', {})(await first('builtin'), kit)
  const { content } = kit.asked.judge[0]!.messages[0]!
  expect(sha256Hex(content)).toBe('a8e59c6135d213b4e5529f5ba0ce77de64669e5dc0448842992872782d724990')
  for (const field of Object.keys(examVerdict(reply(), { fenced: false })!)) expect(content).toContain(`"${field}"`)
})

test('[SCORE56] a demo of the exam states a confidence between 20 and 96 per cent, higher where it is right', async () => {
  for (const item of await itemsOf(hleText, [0, 1, 2], 'builtin')) {
    const stated = [true, false].map((right) => Number(/Confidence: (\d+)%$/.exec(hleText.demo(item, right))?.[1]))
    expect(stated[0]! - stated[1]!).toBe(40)
    expect(stated[1]!).toBeGreaterThanOrEqual(20)
  }
})
