import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { packStream } from '../stream/packed-stream.ts'
import { exampleStream } from '../stream/testing/example-stream.ts'
import { fitsAsItIs } from './fits.ts'
import { RunUp } from './frame.ts'

const read = (text: string) => JSON.parse(text)
const params = { temperature: 0, top_p: null, max_tokens: 64, stop: null, seed: null, reasoning_effort: null }
const record = {
  ...{ ordinal: 0, attempt: 1, benchmark: 'mmlu_pro', item_id: '4', epoch: 0, source_id: null, item_hash: 'h', group: null },
  ...{ outcome: 'right', score: 1, answer: 'A', expected: 'A', explanation: null, flags: [], detail: {}, params, evidence: null },
  ...{ messages: [{ role: 'user', content: 'Which?' }], failure: null, item_metadata: {}, cost_usd: null, calls: 1 },
  usage: { input_tokens: 12, output_tokens: 3, cached_tokens: 0, reasoning_tokens: 0 },
  ...{ model_reported: null, system_fingerprint: null, latency_ms: 10, ttft_ms: null, max_gap_ms: null },
}
const golden = { type: 'report', id: 1, openings: {}, results: [record] }
const failure = { at: 'provider', reason: 'payment-required', retryable: false, detail: 'd', status: 402 }
/** Frames of an agent to a run, one of each kind. */
const examples: Json[] = [
  { type: 'hello', protocol_min: 7, protocol_max: 7, agent_id: 'box', session: 'session-1', holding: [[0, 1]], pass: 'ff' },
  { type: 'claim', count: 32, ask: 1, width: 16, working: 0 },
  { type: 'renew' },
  golden,
  { type: 'release', leases: [[3, 1]] },
  { type: 'halt', failure, until: null },
  { type: 'pulse', stage: 'working', models: [] },
  { type: 'leave' },
]
/** A report with what a record may have besides, one of each. */
const report = {
  ...golden,
  openings: { ['a'.repeat(64)]: 'Answer the question.' },
  results: golden.results.map((one) => ({
    ...one,
    messages: [{ role: 'user', content: '?', opening: 'a'.repeat(64) }],
    stream: packStream(exampleStream()),
    measured_by: { agent: 'agent-1f2e', place: null },
    detail: { votes: 3 },
    item_metadata: { options: ['a', { b: [null] }] },
    artifacts: [],
  })),
}
const frames: Json[] = [...examples, report, { ...report, results: [...report.results, ...report.results] }]

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

test('[FLEET112] what fits as it is, parsing gives back unchanged', () => {
  const fits = fitsAsItIs(RunUp)
  let fitting = 0
  fc.assert(
    fc.property(fc.constantFrom(...frames), changes, (value, some) => {
      const said = some.reduce((before, [steps, how]) => changed(before, steps, how), value)
      if (!fits(said)) return
      fitting++
      expect(RunUp.safeParse(said)).toEqual({ success: true, data: said })
    }),
    { numRuns: 5000, seed: 8 },
  )
  expect(fitting).toBeGreaterThan(500) // the check above was not idle
})

/** Kinds that change a value or judge it by more than its form, with values that they do not give back, and some that they do. */
const others: [string, z.ZodType, Json[]][] = [
  ['upper case', z.string().toUpperCase(), ['a', 'A']],
  ['a default within what may be absent', z.object({ a: z.string().default('x').optional() }), [{}, { a: 'y' }]],
  ['a fallback', z.string().catch('x'), [1, 'a']],
  ['members in order', z.union([z.object({ a: z.int() }), z.object({ a: z.int(), b: z.int() })]), [{ a: 1, b: 2 }]],
  ['named keys', z.record(z.enum(['a', 'b']), z.int()), [{ a: 1 }, { a: 1, b: 2 }]],
  ['any keys', z.record(z.string(), z.int()), [read('{"__proto__":1}'), { a: 1 }]],
  ['a pattern with a memory', z.string().regex(/b/y), ['b', 'ab', 'b']],
  ['a refinement', z.object({ a: z.int() }).refine(({ a }) => a > 1), [{ a: 1 }, { a: 2 }]],
  ['another type', z.coerce.number(), ['1', 1]],
  ['steps', z.number().multipleOf(2), [3, 4]],
  ['a pair', z.tuple([z.object({ a: z.int() })]), [[{ a: 1, b: 2 }]]],
  ['open', z.looseObject({ a: z.int() }), [{ a: 1, b: 2 }]],
]

test.each(others)('[FLEET112] %s: what fits as it is, parsing gives back unchanged', (_, schema, values) => {
  const fits = fitsAsItIs(schema)
  for (const value of values) {
    const parsed = schema.safeParse(value)
    if (fits(value)) expect([parsed.data, JSON.stringify(parsed.data)]).toEqual([value, JSON.stringify(value)])
  }
})

test('[FLEET112] a report is taken as it is; one with what parsing would fill in, leave out or refuse is parsed', () => {
  const fits = fitsAsItIs(RunUp)
  const [record] = report.results
  const withRecord = (change: object) => ({ ...report, results: [{ ...record, ...change }] })
  expect(fits(report)).toBe(true)
  const { detail: _, ...former } = record!
  expect(fits({ ...report, results: [former] })).toBe(false)
  expect(fits(withRecord({ unheard: 1 }))).toBe(false)
  expect(fits(withRecord({ stream: exampleStream() }))).toBe(false)
  const stream = [...report.results[0]!.stream]
  for (const changed of [
    stream.slice(1),
    stream.slice(0, -1),
    [...stream, {}],
    stream.with(0, -1),
    stream.with(7, 1.5),
    stream.with(15, [1]),
  ])
    expect([changed, fits(withRecord({ stream: changed }))]).toEqual([changed, false])
  expect(fits(withRecord({ stream: [...stream, 1] }))).toBe(true)
  expect(fits(withRecord({ score: 1.1 }))).toBe(false)
  expect(fits(withRecord({ calls: 1.5 }))).toBe(false)
  expect(fits({ ...report, results: [] })).toBe(false)
  expect(fits({ ...report, openings: { short: '' } })).toBe(false)
})
