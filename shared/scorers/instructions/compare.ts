/** The two relations in which instructions count. */
export const relations = ['less than', 'at least'] as const
export type Relation = (typeof relations)[number]

/** "less than" is strict, "at least" includes the bound. */
export function compare(count: number, relation: Relation, bound: number): boolean {
  return relation === 'less than' ? count < bound : count >= bound
}
