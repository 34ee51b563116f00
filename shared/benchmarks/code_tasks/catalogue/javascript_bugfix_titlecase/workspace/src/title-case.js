import { smallWords } from './small-words.js'

/**
 * Gives a title the capitals of our catalogue.
 *
 * @param {string} text
 * @returns {string}
 */
export function titleCase(text) {
  const words = text.toLowerCase().split(' ')
  return words.map((word, index) => (index > 0 && smallWords.has(word) ? word : capitalize(word))).join(' ')
}

function capitalize(word) {
  return word.replace(/\b\w/g, (letter) => letter.toUpperCase())
}
