import { splitSpace, strip } from '../../python/text.ts'
import { readDecimal, sameDecimal } from '../../scorers/python-decimal.ts'

/** `raises`: the official comparison itself breaks, as at a signalling NaN. */
export type Compared = { same: true } | { same: false; why: string; raises: boolean }

/**
 * Compares what a program wrote with what was expected, as the official runner does (reference 1.6, rule 7): line by line without white space around
 * them, and lines that differ word by word as exact decimal numbers, without any tolerance.
 */
export function compareOutput(got: string, expected: string): Compared {
  const [ours, theirs] = [linesOf(got), linesOf(expected)]
  if (ours.length !== theirs.length) return differ(`${ours.length} lines instead of ${theirs.length}`)
  for (const [index, line] of ours.entries()) {
    const same = line === theirs[index] || sameNumbers(line, theirs[index]!)
    if (same === null) return { same: false, why: `line ${index + 1} holds a signalling NaN`, raises: true }
    if (!same) return differ(`line ${index + 1} differs`)
  }
  return { same: true }
}

const differ = (why: string): Compared => ({ same: false, why, raises: false })

const linesOf = (text: string): string[] => strip(text).split('\n').map(strip)

/** Whether all words of both lines are decimal numbers, as many here as there and equal one by one; null where Python raises at one. */
function sameNumbers(a: string, b: string): boolean | null {
  const ours = decimalsOf(a)
  const theirs = ours && decimalsOf(b)
  if (!ours || !theirs || ours.length !== theirs.length) return false
  for (const [index, one] of ours.entries()) {
    const same = sameDecimal(one, theirs[index]!)
    if (same !== true) return same
  }
  return true
}

function decimalsOf(line: string) {
  const numbers = []
  for (const word of splitSpace(line)) {
    const number = readDecimal(word)
    if (number === null) return null
    numbers.push(number)
  }
  return numbers
}
