import { strip } from '../../python/text.ts'

/**
 * A patch without its binary sections, as the official code takes them out: it is cut before every line that begins with `diff --git `, and a part goes
 * when it has a line `Binary files … differ` or `GIT binary patch`, or is blank. What stands before the first such line is a part like any other.
 */
export function stripBinaryHunks(patch: string): string {
  // A line begins after \n alone: JavaScript's own ^ would see one after \r and the separators of Unicode too.
  const parts = patch.split(/(?<![^\n])(?=diff --git )/)
  return parts.filter((part) => strip(part) !== '' && !binary.test(part)).join('')
}

const binary = /(?<![^\n])(?:Binary files [^\n]* differ|GIT binary patch)(?=\n|$)/

/** A patch as it is graded: without binary sections, its last line ended, as git refuses a patch whose last line is cut. */
export function normalisedPatch(patch: string): string {
  const text = stripBinaryHunks(patch)
  return text === '' || text.endsWith('\n') ? text : `${text}\n`
}
