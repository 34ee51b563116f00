import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { exampleStream } from '../stream/testing/example-stream.ts'
import { fitsAsItIs } from './fits.ts'
import { RunUp } from './frame.ts'
import { framesOf3 } from './testing/protocol-3.ts'

const read = (text: string) => JSON.parse(text)
const golden = read(framesOf3.RunUp.find((text) => text.includes('"report"'))!)
/** A report with what a record may have besides, one of each. */
const report = {
  ...golden,
  openings: { ['a'.repeat(64)]: 'Answer the question.' },
  results: golden.results.map((record: object) => ({
    ...record,
    messages: [{ role: 'user', content: '?', opening: 'a'.repeat(64) }],
    stream: exampleStream(),
    measured_by: { agent: 'agent-1f2e', place: null },
    detail: { votes: 3 },
    item_metadata: { options: ['a', { b: [null] }] },
    artifacts: [],
  })),
}
const frames = [...framesOf3.RunUp.map(read), report, { ...report, results: [...report.results, ...report.results] }]

/** Kinds and checks that no frame has today. */
const Odd = z.object({
  upper: z.string().toUpperCase(),
  date: z.iso.datetime(),
  global: z.string().regex(/a/g).min(1).max(3),
  even: z.number().multipleOf(2).gt(0).lt(9),
  filled: z.string().default('x').optional(),
  fallback: z.string().catch('x'),
  either: z.union([z.object({ a: z.string() }), z.object({ b: z.number() }), z.null()]).optional(),
  pair: z.tuple([z.int(), z.string()]).optional(),
  few: z.array(z.boolean()).min(1).max(2).nullish(),
  named: z.record(z.enum(['a', 'b']), z.number()).optional(),
  refined: z.object({ a: z.int() }).refine(({ a }) => a > 1),
  text: z.coerce.string(),
  strict: z.strictObject({ a: z.literal([1, 'x']) }),
  loose: z.looseObject({ a: z.boolean() }),
})
const odd = {
  ...{ upper: 'A', date: '2026-01-01T00:00:00Z', global: 'aa', even: 4, filled: 'y', fallback: 'z', either: { b: 1 }, pair: [1, 'a'] },
  ...{ few: [true], named: { a: 1, b: 2 }, refined: { a: 2 }, text: 't', strict: { a: 'x' }, loose: { a: true } },
}

type Json = z.core.util.JSONType
const junk = fc.constantFrom<Json>(
  null,
  true,
  0,
  -1,
  1,
  1.5,
  2 ** 60,
  '',
  'a',
  'ab',
  'A',
  'aaaa',
  'completion',
  'report',
  [],
  {},
  [1],
  { a: 1 },
  [[0, 1]],
)
const key = fc.constantFrom('type', 'kind', 'a', 'b', 'constructor', '__proto__', 'ordinal', 'judge', 'limit')

/** The value with something changed at one place: put in its stead, taken away, or added beside it. */
function changed(value: Json, steps: readonly number[], how: { with: Json; key: string; take: boolean; add: boolean }): Json {
  const [step, ...further] = steps
  const names = typeof value === 'object' && value !== null ? Object.keys(value) : []
  if (step === undefined || names.length === 0) return how.with
  const name = names[step % names.length]!
  const copy = read(JSON.stringify(value))
  if (further.length > 0) copy[name] = changed(copy[name], further, how)
  else if (how.take && Array.isArray(copy)) copy.splice(Number(name), 1)
  else if (how.take) delete copy[name]
  else if (how.add && Array.isArray(copy)) copy.push(how.with)
  else if (how.add) Object.defineProperty(copy, how.key, { value: how.with, enumerable: true, writable: true, configurable: true })
  else copy[name] = how.with
  return copy
}

const changes = fc.array(
  fc.tuple(fc.array(fc.nat(40), { maxLength: 6 }), fc.record({ with: junk, key, take: fc.boolean(), add: fc.boolean() })),
  { maxLength: 2 },
)

test.each([
  ['frames', RunUp, frames],
  ['other kinds', Odd, [odd]],
] as [string, z.ZodType, Json[]][])('[FLEET112] what fits as it is, parsing gives back unchanged: %s', (_, schema, values) => {
  const fits = fitsAsItIs(schema)
  let fitting = 0
  fc.assert(
    fc.property(fc.constantFrom(...values), changes, (value, some) => {
      const said = some.reduce((before, [steps, how]) => changed(before, steps, how), value)
      if (!fits(said)) return
      fitting++
      expect(schema.safeParse(said)).toEqual({ success: true, data: said })
      expect(Object.keys(schema.parse(said) as object).length).toBe(Object.keys(said as object).length)
    }),
    { numRuns: 5000, seed: 8 },
  )
  if (schema === RunUp) expect(fitting).toBeGreaterThan(500) // the check above was not idle
})

test('[FLEET112] a report is taken as it is; one with what parsing would fill in, leave out or refuse is parsed', () => {
  const fits = fitsAsItIs(RunUp)
  const [record] = report.results
  const withRecord = (change: object) => ({ ...report, results: [{ ...record, ...change }] })
  expect(fits(report)).toBe(true)
  const { detail: _, ...former } = record
  expect(fits({ ...report, results: [former] })).toBe(false)
  expect(fits(withRecord({ unheard: 1 }))).toBe(false)
  expect(fits(withRecord({ stream: { ...exampleStream(), unheard: 1 } }))).toBe(false)
  expect(fits(withRecord({ score: 1.1 }))).toBe(false)
  expect(fits(withRecord({ calls: 1.5 }))).toBe(false)
  expect(fits({ ...report, results: [] })).toBe(false)
  expect(fits({ ...report, openings: { short: '' } })).toBe(false)
})
