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
