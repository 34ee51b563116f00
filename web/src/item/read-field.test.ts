import { expect, test } from 'vitest'
import { readChoices, readDocuments, readField, readPictures, readVerdict } from './read-field.ts'

test('[UI16] fields are read by dotted path; what is not there is undefined', () => {
  const metadata = { item_metadata: { a: { b: [1] }, none: null, text: '' }, detail: {}, evidence: null }
  expect([
    readField(metadata, 'a.b'),
    readField(metadata, 'a.b.c.d'),
    readField(metadata, 'none'),
    readField(metadata, 'x'),
    readField(metadata, 'text'),
  ]).toEqual([[1], undefined, undefined, undefined, ''])
})

test('[UI16] choices are lettered, from a list or by their own letters', () => {
  expect(readChoices(['x', 2])).toEqual([
    ['A', 'x'],
    ['B', '2'],
  ])
  expect(readChoices({ C: 'y' })).toEqual([['C', 'y']])
  expect(readChoices('no')).toEqual([])
})

test('[UI16] a field that begins with detail or evidence is read beside the metadata', () => {
  const completion = { text: 'x', reasoning: null, finish_reason: null, scoring_input: null, truncated_reasoning: false }
  const evidence = { ...completion, kind: 'judged' as const, judge: { model: 'j', replies: ['A', 'B'] } }
  const record = { item_metadata: { detail: 'own', evidence: { text: 'own' } }, detail: { confidence: 90 }, evidence }
  expect(['detail.confidence', 'evidence.judge.replies', 'detail', 'evidence.no'].map((path) => readField(record, path))).toEqual([
    90,
    ['A', 'B'],
    'own',
    undefined,
  ])
})

test("[UI16] a judge's last reply shows its fields when it is an object, alone or in a fence, and its text otherwise", () => {
  const reply = '{"correct":"yes","confidence":85}'
  const fields = [
    ['correct', 'yes'],
    ['confidence', '85'],
  ]
  expect(readVerdict(['what?', reply])).toEqual({ text: reply, fields })
  expect(readVerdict(`\`\`\`json\n${reply}\n\`\`\``).fields).toEqual(fields)
  expect(readVerdict('CORRECT')).toEqual({ text: 'CORRECT', fields: null })
  expect([readVerdict('[1]').fields, readVerdict(undefined).text]).toEqual([null, ''])
})

test('[UI16] documents and pictures are listed; what is none of them is left out', () => {
  expect(readDocuments([{ name: 'a', chars: 3, more: 1 }, { name: 'b' }, null])).toEqual([{ name: 'a', chars: 3 }])
  const picture = { media_type: 'image/png', sha256: 'a'.repeat(64), bytes: 12 }
  expect(readPictures([picture, { bytes: 1 }])).toEqual([picture])
  expect([readDocuments('x'), readPictures({})]).toEqual([[], []])
})
