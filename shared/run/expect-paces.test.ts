import { expect, test } from 'vitest'
import { expectPaces, type PacedRun, type PaceSource, paceKey } from './expect-paces.ts'
import { addTrial, fitPace, noPace, type Pace } from './pace.ts'

const pace = (seconds: number, trials: number): Pace => ({ seconds, spread: 0.5, trials })
const key = (name: string): string => paceKey({ name, profile: 'standard' })
const source = (model: string, paces: Record<string, Pace>): PaceSource => ({
  model,
  paces: new Map(Object.entries(paces).map(([name, of]) => [key(name), of])),
})
const run = (model: string, paces: Record<string, Pace | null>): PacedRun => ({
  model,
  benchmarks: Object.entries(paces).map(([name, of]) => ({ name, profile: 'standard', pace: of })),
})
const secondsOf = (one: PacedRun, kept: readonly PaceSource[], name: string, ...others: PacedRun[]): number | undefined =>
  expectPaces([one, ...others], kept)[0]!.get(name)?.seconds

test('[OPS19] each trial that ends moves the pace from that of the last run to the measured one', () => {
  const kept = [source('m', { alpha: pace(40, 50) })]
  expect(secondsOf(run('m', { alpha: null }), kept, 'alpha')).toBeCloseTo(40)
  const seconds = [1, 4, 16, 256].map((trials) => secondsOf(run('m', { alpha: pace(10, trials) }), kept, 'alpha')!)
  expect(seconds).toEqual([...seconds].sort((a, b) => b - a))
  expect(seconds[0]).toBeGreaterThan(25)
  // Four trials weigh about as much as the last run (spread² / 0.25²): the middle of the logarithms.
  expect(seconds[1]).toBeGreaterThan(17)
  expect(seconds[1]).toBeLessThan(23)
  expect(seconds[3]).toBeLessThan(10.4)
})

test('[OPS19] a run that is slower than its model was has its other benchmarks slower too', () => {
  const kept = [source('m', { alpha: pace(10, 50), beta: pace(30, 50) })]
  const seconds = secondsOf(run('m', { alpha: pace(20, 50), beta: null }), kept, 'beta')!
  expect(seconds).toBeGreaterThan(45)
  expect(seconds).toBeLessThan(60)
})

test('[OPS19] a benchmark that its model never ran goes by other models, as fast as the run is on what both ran', () => {
  const kept = [source('other', { alpha: pace(5, 50), beta: pace(30, 50) })]
  expect(secondsOf(run('m', { alpha: pace(10, 50), beta: null }), kept, 'beta')).toBeCloseTo(60)
  expect(secondsOf(run('m', { alpha: pace(10, 50), beta: null }), [source('other', { beta: pace(30, 50) })], 'beta')).toBeUndefined()
  expect(secondsOf(run('m', { alpha: null, beta: null }), kept, 'beta')).toBeUndefined()
})

test('[OPS19] another run at work tells of its model as an ended one does; no run is its own source', () => {
  const other = run('m', { beta: pace(30, 50) })
  expect(secondsOf(run('m', { beta: null }), [], 'beta', other)).toBeCloseTo(30)
  const alone = expectPaces([run('m', { alpha: pace(10, 2) })], [])[0]!.get('alpha')!
  expect(alone).toMatchObject({ seconds: expect.closeTo(10), trials: 2 })
})

test('[OPS19] profiles are benchmarks of their own', () => {
  const kept: PaceSource[] = [{ model: 'm', paces: new Map([[paceKey({ name: 'alpha', profile: 'long' }), pace(90, 50)]]) }]
  expect(secondsOf(run('m', { alpha: null }), kept, 'alpha')).toBeUndefined()
})

test('[OPS19] few trials are fitted with the spread of other runs: the first ones to end are the further from the mean, the wider it is', () => {
  const sums = [4, 5, 6].reduce(addTrial, noPace)
  const ages = Array(27).fill(6)
  const told: PacedRun = { model: 'm', benchmarks: [{ name: 'alpha', profile: 'standard', pace: fitPace(sums, ages), sums, ages }] }
  const seconds = (spread: number): number => secondsOf(told, [source('other', { alpha: { ...pace(20, 100), spread } })], 'alpha')!
  expect(seconds(0.9)).toBeGreaterThan(1.4 * seconds(0.3))
})
