import { punctuation, strip, stripChars } from '../../python/text.ts'
import { csvRecords } from '../python-csv.ts'
import type { Table } from '../tables.ts'

/** Syllables of known words. */
export type SyllapyDictionary = { counts: ReadonlyMap<string, number>; longest: number }

const vowels = 'aeiouy'
const decimal = /\p{Nd}/u

/** The dictionary of syllapy 0.7.2: data.csv, lines of word and count. */
export const syllapyDictionary: Table<SyllapyDictionary> = {
  name: 'syllapy_dictionary',
  parse(files) {
    const counts = new Map<string, number>()
    let longest = 0
    for (const [word, count] of csvRecords(files['data.csv'] ?? '', ',') ?? []) {
      if (word === undefined || !/^\d+$/.test(count ?? '')) throw new Error('data.csv of syllapy: a line is not a word and a count')
      counts.set(word, Number(count))
      longest = Math.max(longest, word.length)
    }
    if (counts.size === 0) throw new Error('data.csv of syllapy has no lines')
    return { counts, longest }
  },
}

/** syllapy's `count(word)`: 0 for a text without a word in it or with a digit; a compound with a part of 0 is 0. */
export function syllables(word: string, dictionary: SyllapyDictionary): number {
  let rest = stripped(strip(word).toLowerCase())
  if (decimal.test(rest)) return 0
  let total = 0
  let isFirst = true
  while (rest !== '') {
    const known = rest.length > dictionary.longest ? undefined : dictionary.counts.get(rest)
    const dash = rest.indexOf('-')
    const isCompound = dash > 0 && dash < rest.length - 1 && rest[dash + 1] !== '\n'
    if (known !== undefined || !isCompound) return plus(total, known ?? vowelGroups(rest))
    const part = syllables(rest.slice(0, dash), dictionary)
    if (part === 0) return 0
    total += part
    rest = stripped(strip(isFirst ? firstLine(rest.slice(dash + 1)) : rest.slice(dash + 1)))
    isFirst = false
  }
  return 0
}

function stripped(word: string): string {
  const isWrapped = word !== '' && (punctuation.includes(word[0]!) || punctuation.includes(word.at(-1)!))
  return isWrapped ? stripChars(word, punctuation) : word
}

/** A part of 0 makes the sum 0. */
function plus(total: number, count: number): number {
  return count === 0 ? 0 : total + count
}

function firstLine(text: string): string {
  const end = text.indexOf('\n')
  return end < 0 ? text : text.slice(0, end)
}

/** Runs of vowels, one less for a final e, one more for a final -le after a consonant; at least one. */
function vowelGroups(word: string): number {
  let groups = 0
  for (let i = 0; i < word.length; i++) if (isVowel(word, i) && !isVowel(word, i - 1)) groups++
  if (word.endsWith('e')) groups--
  if (word.endsWith('le') && word.length > 2 && !isVowel(word, word.length - 3)) groups++
  return Math.max(groups, 1)
}

function isVowel(word: string, at: number): boolean {
  return at >= 0 && vowels.includes(word[at]!)
}
