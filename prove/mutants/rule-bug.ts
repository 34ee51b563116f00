import type { Named } from './named.ts'

/** A bug in the line that carries a rule of `shared/SPEC.md`: a test whose title begins with the rule has to find it. */
export type RuleBug = Omit<Named, 'name'> & { rule: string; test: string }

/** The bugs of one rule in the file that carries it, each looked for by the rule's tests in the same file. */
export function bugsOf(
  rule: string,
  path: string,
  test: string,
  ...changes: readonly (readonly [find: string, replace: string])[]
): RuleBug[] {
  return changes.map(([find, replace]) => ({ rule, path, test, find, replace }))
}
