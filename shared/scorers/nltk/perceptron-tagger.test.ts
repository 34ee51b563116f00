import { expect, test } from 'vitest'
import { openTables } from '../tables.ts'
import { firstTag, perceptronTagger } from './perceptron-tagger.ts'

/** A tagger of invented weights. */
function taggerOf(weights: Record<string, Record<string, number>>) {
  const tagdict = { Stop: 'VB', constructor: 'NN' }
  const files = { 'weights.json': JSON.stringify(weights), 'tagdict.json': JSON.stringify(tagdict), 'classes.json': '["VB", "NN", "JJ"]' }
  return openTables({ perceptron_tagger_english: files }).get(perceptronTagger)
}

test('[SCORE32] words of the dictionary have their part of speech, in this very spelling', () => {
  const tagger = taggerOf({ bias: { NN: 1 } })
  expect(firstTag(['Stop', 'it'], tagger)).toBe('VB')
  expect(firstTag(['constructor'], tagger)).toBe('NN')
  expect(firstTag(['toString'], tagger)).toBe('NN')
  expect(firstTag(['stop', 'it'], tagger)).toBe('NN')
  expect(firstTag([], tagger)).toBe('')
})

test.each<[string, string[]]>([
  ['i suffix ing', ['Running', 'is']],
  ['i pref1 😀', ['😀x']],
  ['i-1 tag -START-', ['x']],
  ['i-2 tag -START2-', ['x']],
  ['i tag+i-2 tag -START- -START2-', ['x']],
  ['i word run', ['RUN']],
  ['i-1 tag+i word -START- run', ['Run']],
  ['i-1 word -START2-', ['x']],
  ['i-1 suffix T2-', ['x']],
  ['i-2 word -START-', ['x']],
  ['i+1 word home', ['x', 'Home']],
  ['i+1 word -END-', ['x']],
  ['i+1 suffix ND-', ['x']],
  ['i+1 suffix ome', ['x', 'Home']],
  ['i+2 word -END2-', ['x']],
  ['i+2 word -END-', ['x', 'y']],
  ['i+2 word now', ['x', 'y', 'Now']],
  ['i word !HYPHEN', ['so-so']],
  ['i word -x', ['-x']],
  ['i word !YEAR', ['1999']],
  ['i word !YEAR', ['19²³']],
  ['i word !DIGITS', ['19990']],
  ['i word !DIGITS', ['3rd']],
])('[SCORE32] the feature %j is one of %j', (feature, tokens) => {
  expect(firstTag(tokens, taggerOf({ bias: { NN: 1 } }))).toBe('NN')
  expect(firstTag(tokens, taggerOf({ bias: { NN: 1 }, [feature]: { VB: 2 } }))).toBe('VB')
})

test('[SCORE32] of equal sums the later name wins', () => {
  expect(firstTag(['x'], taggerOf({}))).toBe('VB')
  expect(firstTag(['x'], taggerOf({ bias: { NN: 0.5, JJ: 0.5 } }))).toBe('NN')
  expect(firstTag(['x'], taggerOf({ bias: { NN: -1, VB: -1 } }))).toBe('JJ')
})
