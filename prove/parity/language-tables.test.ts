import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { testTables } from '#fleet/dataset/testing/test-tables.ts'
import { pythonRandom } from '#shared/random/python-random.ts'
import { detectLanguage, langdetectProfiles } from '#shared/scorers/langdetect/detect.ts'
import type { LangdetectProfiles } from '#shared/scorers/langdetect/profiles.ts'
import { syllables, syllapyDictionary } from '#shared/scorers/syllapy/syllables.ts'

const { tables, missing } = await testTables()

const noProfiles = missing.includes('langdetect_profiles')
const noDictionary = missing.includes('syllapy_dictionary')

/** What langdetect 1.0.9 says with seed 0, asked for by hand. */
const sentences: Record<string, string | null> = {
  'Hello there, how are you today?': 'en',
  'Bonjour tout le monde, comment allez-vous ?': 'fr',
  'Das ist ein kurzer Satz.': 'de',
  'मुझे हिंदी में लिखना अच्छा लगता है': 'hi',
  こんにちは世界: 'ja',
  这是一个句子: 'zh-cn',
  'THIS IS ALL CAPITALS AND SHOUTED': 'en',
  'visit https://example.com now': 'af',
  'Tie\u0302\u0301ng Vie\u0323\u0302t': 'vi',
  OK: 'pt',
  '123 456': null,
}

test.skipIf(noProfiles)('[SCORE26] sentences have the language that langdetect gives them', () => {
  const profiles = tables.get(langdetectProfiles)
  expect(Object.fromEntries(Object.keys(sentences).map((text) => [text, detectLanguage(text, profiles)]))).toEqual(sentences)
})

/** For each language ten texts of its own n-grams, from a handful to some sixty, in which languages are hard to tell. */
function textsOf({ languages, grams, starts, language }: LangdetectProfiles): string[] {
  const own: string[][] = languages.map(() => [])
  for (const [gram, number] of grams) for (let at = starts[number]!; at < starts[number + 1]!; at++) own[language[at]!]!.push(gram)
  const random = pythonRandom(109)
  return own.flatMap((known) =>
    Array.from({ length: 10 }, () => Array.from({ length: 1 + random.below(60) }, () => random.choice(known)).join('')),
  )
}

test.skipIf(noProfiles)('[SCORE26] texts of every language have the verdicts of langdetect', () => {
  const profiles = tables.get(langdetectProfiles)
  const texts = textsOf(profiles)
  const verdicts = texts.map((text) => detectLanguage(text, profiles) ?? '-')
  expect(texts).toHaveLength(550)
  expect(sha256(texts.join('\0'))).toBe('5e2c13cc2fa86ca1eb784aa8e4a4d85c8eff190b855c5b381a5e636283566eef')
  expect(sha256(verdicts.join(' '))).toBe('1928d779da2020717dd0b3dd420055b70e1ae3be881328baa6be0373d82cdcda')
})

test.skipIf(noDictionary)('[SCORE26] known words, their halves and their compounds have the syllables of syllapy', () => {
  const dictionary = tables.get(syllapyDictionary)
  const known = [...dictionary.counts.keys()]
  const words = known.flatMap((word, i) => [word, `${word}s`, word.slice(1), `${word}-${known.at(-i)}`])
  expect(words).toHaveLength(25_568)
  expect(sha256(words.join('\0'))).toBe('20df586c12c187d6033a67ecf01584e0ed981728565329aa8dc782d38f1a7c35')
  expect(sha256(words.map((word) => syllables(word, dictionary)).join(' '))).toBe(
    '37db45ea9f306a09f1024a951cfdf9428a2b20661599f0507217a624f06d308d',
  )
})

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
