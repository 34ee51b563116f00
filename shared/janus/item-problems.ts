import { type JanusBenchmark, JanusItem, janusBenchmarks, janusGroups } from './item-schema.ts'

/** What is wrong with a line: the field, empty where it is the whole line, and the sentence. */
export type ItemProblem = { field: string; message: string }

const kindsOf = (benchmark: JanusBenchmark): string[] => [
  ...new Set(Object.keys(janusGroups[benchmark]).map((group) => group.split(' ').at(-1)!)),
]

/** Why a line of an item file is no item of the suite, field by field; empty where it is one. */
export function itemProblems(line: unknown): ItemProblem[] {
  const parsed = JanusItem.safeParse(line)
  if (parsed.success) return []
  return parsed.error.issues.map(({ path, message, code }) => {
    const field = path.join('.')
    const known = code === 'invalid_union' && (field === 'benchmark' || field === 'subtype')
    if (!known) return { field, message }
    const benchmark = (line as { benchmark?: unknown }).benchmark as JanusBenchmark // the union found it, where it looked for the sub-type
    return { field, message: `is none of ${(field === 'benchmark' ? janusBenchmarks : kindsOf(benchmark)).join(', ')}` }
  })
}
