import { smallWords } from './small-words.js'

const letter = /\p{L}/u
const letterOrDigit = /[\p{L}\p{N}]/u
const around = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu
const endsSentence = /[:?!.]["'”’)\]]*$/

/**
 * Gives a title the capitals of our catalogue.
 *
 * @param {string} text
 * @returns {string}
 */
export function titleCase(text) {
  const words = text.split(/\s+/).filter((word) => word !== '')
  const parts = words.flatMap((word) => word.split('-')).filter((part) => part !== '')
  const telling = parts.flatMap((part, index) => (letterOrDigit.test(part) ? [index] : []))
  const shouted = ![...text].some((character) => letter.test(character) && character !== character.toUpperCase())
  let place = 0
  const finish = (part) => {
    if (part === '') return part
    const index = place++
    if (!shouted && isAbbreviation(part)) return part
    const exposed = index === telling[0] || index === telling.at(-1) || (index > 0 && endsSentence.test(parts[index - 1]))
    const small = lower(part)
    return !exposed && smallWords.has(small.replace(around, '')) ? small : capitalize(small)
  }
  return words.map((word) => word.split('-').map(finish).join('-')).join(' ')
}

function isAbbreviation(part) {
  const letters = [...part].filter((character) => letter.test(character))
  return letters.length >= 2 && letters.every((character) => character !== character.toLowerCase())
}

function lower(part) {
  return Array.from(part, (character) => (letter.test(character) ? character.toLowerCase() : character)).join('')
}

function capitalize(part) {
  return part.replace(letter, (first) => first.toUpperCase())
}
