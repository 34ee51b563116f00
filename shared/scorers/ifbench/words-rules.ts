import { codePoints, splitSpace, strip } from '../../python/text.ts'
import { syllables, syllapyDictionary } from '../syllapy/syllables.ts'
import { bare, bareWords, firstChar, unpunctuated } from './bare-words.ts'
import type { IfbenchRules, Rule } from './kwargs.ts'

const alphabet = 'abcdefghijklmnopqrstuvwxyz'
const cluster = /[bcdfghjklmnpqrstvwxyz]{2}/
const primes = new Set([2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97])

const alphabetLoop: Rule<'words:alphabet'> = (text) => {
  const words = bareWords(text)
  const start = words[0] === undefined ? -1 : alphabet.indexOf(firstChar(words[0]).toLowerCase())
  return start >= 0 && words.every((word, index) => firstChar(word.toLowerCase()) === alphabet[(start + index) % 26])
}

const threeVowels: Rule<'words:vowel'> = (text) => {
  const stripped = strip(text)
  if (stripped.includes('\n')) return false
  const lower = stripped.toLowerCase()
  return [...'aeiou'].filter((vowel) => lower.includes(vowel)).length <= 3
}

const consonantClusters: Rule<'words:consonants'> = (text) => splitSpace(text.toLowerCase()).every((word) => cluster.test(word))

function isPalindrome(word: string): boolean {
  const chars = codePoints(word)
  return chars.length >= 5 && chars.every((char, index) => char === chars[chars.length - 1 - index])
}

const palindromes: Rule<'words:palindrome'> = (text) => splitSpace(unpunctuated(text).toLowerCase()).filter(isPalindrome).length >= 10

const primeLengths: Rule<'words:prime_lengths'> = (text) => bareWords(text).every((word) => primes.has(codePoints(word).length))

const repeats: Rule<'words:repeats'> = (text, kwargs) => {
  const most = kwargs.small_n
  const counts = new Map<string, number>()
  for (const word of bareWords(text.toLowerCase())) {
    const count = (counts.get(word) ?? 0) + 1
    if (count > most) return false
    counts.set(word, count)
  }
  return true
}

const alternateSyllables: Rule<'words:odd_even_syllables'> = (text, _kwargs, tables) => {
  const dictionary = tables.get(syllapyDictionary)
  const parities = splitSpace(unpunctuated(text).toLowerCase()).map((word) => syllables(word, dictionary) % 2)
  return parities.every((parity, index) => index === 0 || parity !== parities[index - 1])
}

const paragraphLastFirst: Rule<'words:paragraph_last_first'> = (text) =>
  text.split('\n').every((line) => {
    const words = splitSpace(bare(strip(line).toLowerCase()))
    return words[0] === words.at(-1)
  })

const noConsecutive: Rule<'words:no_consecutive'> = (text) => {
  const initials = bareWords(text.toLowerCase()).map(firstChar)
  return initials.every((initial, index) => index === 0 || initial !== initials[index - 1])
}

export const wordsRules = {
  'words:alphabet': alphabetLoop,
  'words:vowel': threeVowels,
  'words:consonants': consonantClusters,
  'words:palindrome': palindromes,
  'words:prime_lengths': primeLengths,
  'words:repeats': repeats,
  'words:odd_even_syllables': alternateSyllables,
  'words:paragraph_last_first': paragraphLastFirst,
  'words:no_consecutive': noConsecutive,
} satisfies Partial<IfbenchRules>
