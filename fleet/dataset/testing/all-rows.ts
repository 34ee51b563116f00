import type { Rows } from '#shared/benchmarks/rows.ts'
import type { Heavy } from '../../threads/heavy.ts'
import { heavyHere } from '../../threads/heavy-here.ts'

/** Every row of a role that is there, in order. */
export const allRows = (rows: Rows | undefined): Promise<unknown[]> =>
  Promise.all(Array.from({ length: rows?.count ?? 0 }, (_, index) => rows?.read(index)))

/** Heavy work done at once, of which the names are kept. */
export function countedHeavy(heavy: Heavy = heavyHere()): Heavy & { asked: string[] } {
  const asked: string[] = []
  return {
    asked,
    run(name, input, options) {
      asked.push(name)
      return heavy.run(name, input, options)
    },
  }
}
