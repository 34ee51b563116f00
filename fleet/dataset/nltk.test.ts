import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { TableName } from '#shared/contract/card.ts'
import { firstTag, perceptronTagger } from '#shared/scorers/nltk/perceptron-tagger.ts'
import { punktEnglish } from '#shared/scorers/nltk/punkt.ts'
import { splitSentences } from '#shared/scorers/nltk/sentences.ts'
import { stopwordsEnglish } from '#shared/scorers/nltk/stopwords.ts'
import { wordTokens } from '#shared/scorers/nltk/word-tokens.ts'
import { testTables } from './testing/test-tables.ts'

type Golden = { text: string; sentences: string[]; words: string[]; first_tag: string }

const { tables, missing } = await testTables()
const isMissing = (...names: TableName[]) => names.some((name) => missing.includes(name))
/** Texts of our own with what NLTK 3.9.2 and its data of 2025 make of them. */
const golden = readFileSync(join(import.meta.dirname, 'testing/nltk-golden.jsonl'), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as Golden)

test.skipIf(isMissing('punkt_english', 'stopwords_english'))('[SCORE27] the tables of NLTK have their sizes', () => {
  const { abbreviations, collocations, sentenceStarters, orthography } = tables.get(punktEnglish)
  expect([abbreviations.size, collocations.size, sentenceStarters.size, orthography.size]).toEqual([156, 37, 39, 20366])
  expect(tables.get(stopwordsEnglish).size).toBe(198)
})

test.skipIf(isMissing('punkt_english')).each(golden)('[SCORE28] sentences of $text are those of NLTK', ({ text, sentences }) => {
  expect(splitSentences(text, tables.get(punktEnglish))).toEqual(sentences)
})

test.skipIf(isMissing('punkt_english')).each(golden)('[SCORE30] words of $text are those of NLTK', ({ text, words }) => {
  expect(wordTokens(text, tables.get(punktEnglish))).toEqual(words)
})

test.skipIf(isMissing('perceptron_tagger_english')).each(golden)('[SCORE32] $text begins with the part of speech of NLTK', (row) => {
  expect(firstTag(row.words, tables.get(perceptronTagger))).toBe(row.first_tag)
})
