import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Card } from '#shared/contract/card.ts'
import { CreateRun } from '#shared/contract/create-run.ts'
import { ownJudges } from './own-judges.ts'
import { readSelection, type Selection, subsetLine, toCreateRun, writeSelection } from './selection.ts'

const plain = readSelection({})

test('[UI8] an empty address is the default selection, and the default selection an empty address', () => {
  expect(plain).toMatchObject({ pct: undefined, data: 'auto', concurrency: 64, benchmarks: undefined, count: undefined })
  expect(Object.values(writeSelection(plain)).filter((value) => value !== undefined)).toEqual([])
})

test('[UI8] any selection survives the way through the address', () => {
  const name = fc.stringMatching(/^[a-z0-9_]{2,12}$/).filter((one) => one !== 'none')
  const maybe = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: undefined })
  // No benchmark is called so, and a record that is read has no such key.
  const benchmark = name.filter((one) => one !== '__proto__')
  const selection: fc.Arbitrary<Selection> = fc.record({
    model: maybe(fc.string({ minLength: 1 })),
    provider: maybe(name),
    benchmarks: maybe(fc.array(name, { maxLength: 4 })),
    pct: maybe(fc.integer({ min: 1, max: 100 })),
    count: fc.constant(undefined),
    items: maybe(fc.dictionary(benchmark, fc.array(name, { minLength: 1, maxLength: 3 }), { minKeys: 1, maxKeys: 2 })),
    also: maybe(fc.array(name, { minLength: 1, maxLength: 3 })),
    levels: maybe(fc.subarray(['none', 'low', 'medium', 'high'] as const, { minLength: 1 })),
    seed: maybe(fc.string({ minLength: 1, maxLength: 128 })),
    sampling: maybe(fc.constant('legacy' as const)),
    epochs: maybe(fc.integer({ min: 1, max: 64 })),
    profile: maybe(fc.constantFrom('official', 'builtin', 'aa')),
    data: fc.constantFrom('auto' as const, 'sample' as const, 'override' as const),
    concurrency: fc.integer({ min: 1, max: 2000 }),
    budget: maybe(fc.integer({ min: 0, max: 1000 })),
    judge: maybe(fc.string({ minLength: 1 })),
    judgeProvider: maybe(name),
    selfJudge: fc.boolean(),
    visibility: maybe(fc.constantFrom('public' as const, 'link' as const, 'private' as const)),
    team: maybe(fc.uuid()),
    name: maybe(fc.string({ minLength: 1, maxLength: 120 })),
    temperature: maybe(fc.double({ min: 0, max: 2, noNaN: true }).map((one) => one + 0)),
    topP: maybe(fc.double({ min: 0.01, max: 1, noNaN: true })),
    maxTokens: maybe(fc.integer({ min: 1, max: 1_000_000 })),
    reasoning: maybe(fc.string({ minLength: 1, maxLength: 20 })),
    reasoningBudget: maybe(fc.integer({ min: 1, max: 1_000_000 })),
    upstream: maybe(fc.string({ minLength: 1, maxLength: 300 })),
    fallbacks: maybe(fc.constant('never' as const)),
    failuresPct: maybe(fc.integer({ min: 0, max: 100 })),
    priceIn: maybe(fc.integer({ min: 0, max: 1000 })),
    priceOut: maybe(fc.integer({ min: 0, max: 1000 })),
  })
  fc.assert(
    fc.property(selection, (one) => {
      expect(readSelection(writeSelection(one))).toEqual(one)
    }),
  )
})

test('[UI8] nonsense in the address falls back to the defaults', () => {
  const nonsense = { pct: '0', count: '-3', epochs: 'x', data: 'other', concurrency: '1e9', budget: '-1', profile: ['a'] }
  const more = { visibility: 'all', temperature: '3', top_p: '0', max_tokens: '1.5', failures: 'x', price_in: '-1', price_out: 'NaN' }
  expect(readSelection({ ...nonsense, ...more })).toEqual(plain)
})

test('[UI9] a request needs a model and a benchmark', () => {
  expect(toCreateRun(plain, ['mmlu_pro'])).toBeUndefined()
  expect(toCreateRun({ ...plain, model: 'lab/m' }, [])).toBeUndefined()
  expect(toCreateRun({ ...plain, model: 'lab/m', pct: 5 }, ['mmlu_pro'])).toMatchObject({
    model_id: 'lab/m',
    subset_pct: 5,
    subset_count: null,
    selected_benchmarks: ['mmlu_pro'],
  })
})

test('[UI9] a count wins over a share, in the address and in words', () => {
  const counted = { ...plain, pct: 5, count: 200 }
  expect(writeSelection(counted)).toMatchObject({ count: '200', pct: undefined })
  expect(subsetLine(counted)).toBe('200 items of each, 64 at once, public')
  expect(subsetLine({ ...plain, pct: 5, epochs: 4, profile: 'official', budget: 2 })).toBe(
    '5 % of each, 4 epochs, profile official, 64 at once, at most $2, public',
  )
})

test('[UI9] none of a benchmark is not all of it: a count of 0 is asked for, so that the plan refuses it', () => {
  const none = readSelection({ model: 'm', count: '0', pct: '25' })
  expect(toCreateRun(none, ['ifeval'])).toMatchObject({ subset_count: 0 })
  expect(writeSelection(none)).toMatchObject({ count: '0', pct: undefined })
  expect(CreateRun.safeParse({ model_id: 'm', subset_count: 0 }).error?.issues[0]?.path).toEqual(['subset_count'])
})

test('[UI9] a judge is asked for only when one is named, and judging itself only when it is allowed', () => {
  const body = (part: object) => toCreateRun({ ...plain, model: 'lab/m', ...part }, ['hle'])
  expect(body({})).not.toHaveProperty('judge')
  expect(body({ judge: 'lab/m', judgeProvider: 'own', selfJudge: true })).toMatchObject({
    judge: { model_id: 'lab/m', provider: 'own' },
    allow_self_judge: true,
  })
})

test('[UI9] the start page asks for a judge where a chosen benchmark has one in the profile that is asked', () => {
  const judge = { model: 'lab/judge', provider: null, params: {}, schema: false, estimate: {} }
  const card = { default_profile: 'official', profiles: [{ id: 'official', roles: { judge } }, { id: 'plain' }] } as unknown as Card // as much as is read
  expect(ownJudges([{ card }, { card }], undefined)).toEqual(['lab/judge'])
  expect(ownJudges([{ card }], 'plain')).toEqual([])
  expect(ownJudges([], undefined)).toEqual([])
})

test('[UI70] what is left open is the cheap and the private choice where a real key pays, and all of the sample for the demo model', () => {
  const body = (provider: string, part: object = {}) => toCreateRun({ ...plain, model: 'lab/m', ...part }, ['mmlu_pro'], { provider })
  expect(body('chutes')).toMatchObject({ subset_pct: 5, visibility: 'private' })
  expect(body('demo')).toMatchObject({ subset_pct: 100, visibility: 'public' })
  expect(body('chutes', { pct: 100, visibility: 'public' })).toMatchObject({ subset_pct: 100, visibility: 'public' })
  expect(subsetLine(plain, { provider: 'chutes' })).toBe('5 % of each, 64 at once, private')
})

test('[UI70] everything that the API takes can be chosen; a price needs both of its sides', () => {
  const chosen = { ...plain, model: 'lab/m', temperature: 0, topP: 0.9, maxTokens: 100, reasoning: 'high', failuresPct: 5, priceIn: 1 }
  const body = toCreateRun(chosen, ['mmlu_pro'])
  expect(body).toMatchObject({ temperature: 0, top_p: 0.9, max_tokens: 100, reasoning_effort: 'high', max_failure_share: 0.05 })
  expect(body).not.toHaveProperty('price')
  expect(toCreateRun({ ...chosen, priceOut: 2 }, ['mmlu_pro'])).toMatchObject({
    price: { input_per_million_usd: 1, output_per_million_usd: 2, cached_input_per_million_usd: null },
  })
})

test("[LINE8] the predecessor's draw can be chosen; what is not chosen is not sent", () => {
  const body = (part: object) => toCreateRun({ ...plain, model: 'lab/m', ...part }, ['mmlu_pro'])
  expect(body(readSelection({ model: 'lab/m', sampling: 'legacy' }))).toMatchObject({ sampling: 'legacy' })
  expect(body(readSelection({ model: 'lab/m', sampling: 'other' }))).not.toHaveProperty('sampling')
})

test('[PROV17] a budget for reasoning and upstream providers can be chosen; what is not chosen is not sent', () => {
  const body = (part: object) => toCreateRun({ ...plain, model: 'lab/m', ...part }, ['mmlu_pro'])
  expect(body({ reasoningBudget: 2000, upstream: 'deepinfra, together', fallbacks: 'never' })).toMatchObject({
    reasoning_budget_tokens: 2000,
    routing: { order: ['deepinfra', 'together'], allow_fallbacks: false },
  })
  expect(body({ fallbacks: 'never' })).toMatchObject({ routing: { allow_fallbacks: false } })
  expect(Object.keys(body({})!)).not.toEqual(expect.arrayContaining(['routing']))
  expect(body({ upstream: ' , ' })).not.toHaveProperty('routing')
  expect(subsetLine({ ...plain, reasoningBudget: 2000, upstream: 'deepinfra' })).toContain('reasoning in 2,000 tokens, through deepinfra')
})

test('[TEAM3] a run for a team names it, and leaves to its admins who may read the run', () => {
  const team = '11111111-1111-4111-8111-111111111111'
  const chosen = { ...plain, model: 'org/one', team }
  expect(toCreateRun(chosen, ['mmlu_pro'], { provider: 'demo' })).toMatchObject({ team, visibility: null })
  expect(toCreateRun({ ...chosen, visibility: 'link' }, ['mmlu_pro'])).toMatchObject({ team, visibility: 'link' })
  expect(toCreateRun({ ...chosen, team: undefined }, ['mmlu_pro'])).toMatchObject({ visibility: 'public' })
})
