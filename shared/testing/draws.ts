import fc from 'fast-check'

const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } }
const setting = (name: string): number | undefined => {
  const text = process?.env?.[name]
  return text ? Number(text) : undefined
}

/** How many times the usual number of cases a test draws: 1 in `npm test`, more in `npm run prove -- deep`. */
export const drawBudget = setting('BENCH_DRAW_BUDGET') ?? 1

/** `count` cases or seeds at the usual budget, and in proportion at any other; at least one. */
export const drawn = (count: number): number => Math.max(1, Math.round(count * drawBudget))

/** Size of a test's crowd or sample: `usual` in `npm test`, `full` at a larger budget. */
export const sized = (usual: number, full: number): number => (drawBudget > 1 ? full : usual)

/**
 * Parameters of a property test that draws `count` cases at the usual budget. fast-check prints the seed and the path of a failure;
 * BENCH_DRAW_SEED draws the same cases again.
 */
export function draws<T extends object>(count: number, more?: T): { numRuns: number; seed?: number } & T {
  const seed = setting('BENCH_DRAW_SEED')
  return { numRuns: drawn(count), ...(seed === undefined ? {} : { seed }), ...(more as T) }
}

/**
 * Positions below `count` for a test that could try each one: every `stride`th from a start drawn at random at the usual budget, all of
 * them at a budget of `stride`. A failure names its position.
 */
export function positions(count: number, stride: number): number[] {
  const step = Math.max(1, Math.round(stride / drawBudget))
  const [start] = fc.sample(fc.nat(step - 1), draws(1)) as [number] // one was asked for
  return Array.from({ length: Math.ceil(Math.max(0, count - start) / step) }, (_, n) => start + n * step)
}

/** Draws `count` cases of a list at random and keeps their order. With a budget above 1 it returns all cases. */
export function someOf<T>(cases: readonly T[], count: number): readonly T[] {
  if (drawBudget > 1 || cases.length <= count) return cases
  const [chosen] = fc.sample(fc.subarray([...cases.keys()], { minLength: count, maxLength: count }), draws(1)) as [number[]] // one was asked for
  return chosen.map((at) => cases[at]!)
}

/**
 * The `test` of a file whose tests take long: of its `all` tests `npm test` plays `count`, drawn at
 * random. With a budget above 1 it plays all. Throws at the first test beyond `all`.
 */
export function drawnTests<T extends (...given: never[]) => unknown>(test: T, count: number, all: number): T {
  const chosen = new Set(someOf([...Array(all).keys()], count))
  let made = 0
  return ((...given: never[]) => {
    if (made === all) throw new RangeError(`this file has more than the ${all} tests of which ${count} are drawn`)
    return chosen.has(made++) ? test(...given) : undefined
  }) as T
}
