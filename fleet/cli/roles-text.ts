import { roleEntries, rolesOf, roleTitles } from '#shared/contract/role.ts'
import type { RunHead, RunSpec } from '#shared/contract/run.ts'
import { costParts, count } from './numbers.ts'
import { cleanLine } from './terminal.ts'

/** Who helps in a run, such as its judge, and what that took, apart from the model's own tokens and cost; no line where nobody does. */
export function rolesText(spec: Pick<RunSpec, 'benchmarks'>, head: Pick<RunHead, 'roles'>): string[] {
  return roleEntries(rolesOf(head)).map(([role, spent]) => {
    const { usage } = spent
    const slugs = new Set(spec.benchmarks.flatMap((planned) => rolesOf(planned)[role]?.model.slug ?? []))
    const tokens = `tokens ${count(usage.input_tokens)} in, ${count(usage.output_tokens)} out`
    const who = [...slugs].map((slug) => cleanLine(slug)).join(', ')
    return `${roleTitles[role].toLowerCase()}  ${who}  ·  ${tokens}  ·  ${costParts(spent).join('  ·  ')}`
  })
}
