import { codePoints, isDigit } from '../../python/text.ts'
import type { Table } from '../tables.ts'

/** An averaged perceptron for parts of speech. Only the weights that a first token can meet are kept. */
export type Tagger = {
  /** Words that have one part of speech wherever they stand. */
  fixed: ReadonlyMap<string, string>
  /** Weights by feature and part of speech. */
  weights: ReadonlyMap<string, Readonly<Record<string, number>>>
  /** All parts of speech, ascending. */
  tags: readonly string[]
}

const reachable =
  /^(?:bias$|i-1 tag -START-$|i-2 tag -START2-$|i-1 word -START2-$|i-1 suffix T2-$|i-2 word -START-$|i tag\+i-2 tag -START- -START2-$|i-1 tag\+i word -START- |i suffix |i pref1 |i word |i\+[12] word |i\+1 suffix )/

/** The English tagger of NLTK (`averaged_perceptron_tagger_eng`). */
export const perceptronTagger: Table<Tagger> = {
  name: 'perceptron_tagger_english',
  parse(files) {
    // the files are pinned by hash, so their shape is known
    const weights = JSON.parse(files['weights.json']!) as Record<string, Record<string, number>>
    const fixed = JSON.parse(files['tagdict.json']!) as Record<string, string>
    const tags = JSON.parse(files['classes.json']!) as string[]
    return {
      fixed: new Map(Object.entries(fixed)),
      weights: new Map(Object.entries(weights).filter(([feature]) => reachable.test(feature))),
      tags: tags.sort(),
    }
  },
}

/** Part of speech (Penn Treebank) of the first token as `nltk.pos_tag` of NLTK 3.9.2 gives it; empty for no tokens. Source: nltk/tag/perceptron.py. */
export function firstTag(tokens: readonly string[], tagger: Tagger): string {
  const [first, second, third] = tokens
  if (first === undefined) return ''
  const fixed = tagger.fixed.get(first)
  if (fixed) return fixed
  const scores = new Map<string, number>()
  for (const feature of featuresOf(first, second, third)) {
    for (const [tag, weight] of Object.entries(tagger.weights.get(feature) ?? {})) scores.set(tag, (scores.get(tag) ?? 0) + weight)
  }
  const score = (tag: string) => scores.get(tag) ?? 0
  return tagger.tags.reduce((best, tag) => (score(tag) >= score(best) ? tag : best), tagger.tags[0] ?? '')
}

/** In the order of the original, so that sums round alike. */
function featuresOf(first: string, second: string | undefined, third: string | undefined): string[] {
  const word = normalized(first)
  const next = second === undefined ? '-END-' : normalized(second)
  const nextButOne = second === undefined ? '-END2-' : third === undefined ? '-END-' : normalized(third)
  return [
    'bias',
    `i suffix ${suffix(first)}`,
    `i pref1 ${codePoints(first)[0] ?? ''}`,
    'i-1 tag -START-',
    'i-2 tag -START2-',
    'i tag+i-2 tag -START- -START2-',
    `i word ${word}`,
    `i-1 tag+i word -START- ${word}`,
    'i-1 word -START2-',
    'i-1 suffix T2-',
    'i-2 word -START-',
    `i+1 word ${next}`,
    `i+1 suffix ${suffix(next)}`,
    `i+2 word ${nextButOne}`,
  ]
}

function suffix(word: string): string {
  return codePoints(word).slice(-3).join('')
}

function normalized(word: string): string {
  if (word.includes('-') && !word.startsWith('-')) return '!HYPHEN'
  const chars = codePoints(word)
  if (chars.length === 4 && chars.every(isDigit)) return '!YEAR'
  if (chars[0] !== undefined && isDigit(chars[0])) return '!DIGITS'
  return word.toLowerCase()
}
