import { expect, test } from 'vitest'
import { defineCard } from '../benchmarks/define-card.ts'
import type { Card } from '../contract/card.ts'
import { CreateRun } from '../contract/create-run.ts'
import { defaultLimits } from '../contract/limits.ts'
import { questionNeeds } from '../contract/resources.ts'
import { mapRoles } from '../contract/role.ts'
import { RunSpec } from '../contract/run.ts'
import { noUsage } from '../contract/usage.ts'
import { initialHead } from './apply.ts'
import { buildSpec, type Planning, planBenchmarks, roleModelsOf } from './build-spec.ts'
import type { AskedModel } from './choose-role.ts'
import { noLists } from './chosen-items.ts'
import { inputNotes } from './input-limits.ts'
import { needsOf } from './match/needs-of.ts'
import { mostReplies, reserveUsd } from './reserve.ts'
import { RunRefused } from './run-refused.ts'
import { brief, startHistory } from './testing/history.ts'
import { testSpec } from './testing/test-spec.ts'

const params = { temperature: 0, top_p: null, max_tokens: 1000, stop: null, seed: null, reasoning_effort: null }
const judgeParams = { ...params, max_tokens: 500 }
const price = { input_per_million_usd: 1, output_per_million_usd: 1, cached_input_per_million_usd: null }

function cardOf(name: string, changes: Partial<Parameters<typeof defineCard>[0]> = {}): Card {
  const judge = {
    model: 'lab/judge',
    provider: null,
    params: judgeParams,
    schema: true,
    estimate: { input_tokens: 700, output_tokens: 100 },
  }
  return defineCard({
    name,
    display_name: name.toUpperCase(),
    description: '',
    category: '',
    version: 1,
    fingerprint: 'f'.repeat(64),
    evidence: 'judged',
    data: { repo: 'r', revision: 'a'.repeat(40), licence: 'MIT', gated: false, files: [] },
    total_items: 10,
    sample_items: 10,
    group_label: null,
    profiles: [{ id: 'official', title: '', texts: [], files: [], tables: [], params, epochs: 1, roles: { judge } }],
    default_profile: 'official',
    default_selected: true,
    metrics: ['accuracy'],
    needs: questionNeeds,
    estimate: { input_tokens: 100, output_tokens: 100 },
    fields: [],
    setup_notes: null,
    ...changes,
  })
}
const plain = (name: string): Card => {
  const card = cardOf(name)
  return { ...card, profiles: card.profiles.map(({ roles: _roles, ...profile }) => profile) }
}
const modelOf = (slug: string, changes: Partial<AskedModel> = {}): AskedModel => ({
  id: slug,
  slug,
  provider: 'own',
  price,
  context_length: null,
  input_modalities: [],
  ...changes,
})
const judge = modelOf('lab/judge', { provider: 'elsewhere', price: { ...price, output_per_million_usd: 100 } })
const other = modelOf('lab/other')
const cards = [
  cardOf('essay'),
  plain('quiz'),
  cardOf('shown', { input: ['text', 'image'] }),
  cardOf('shown_text'),
  cardOf('long', { min_context: 100_000 }),
]

function planning(judges: AskedModel[] = [judge, other]): Planning {
  return {
    cards,
    dataFor: (_name, choice) => ({ source: choice === 'sample' ? 'sample' : 'pinned', repo: 'r', revision: 'a'.repeat(40), files: [] }),
    providerOf: () => undefined,
    itemsOf: noLists,
    helperFor: ({ model_id, provider }) => judges.find((one) => one.slug === model_id && (provider ?? one.provider) === one.provider),
  }
}
const request = (benchmark: string, changes: object = {}) =>
  CreateRun.parse({ model_id: 'lab/model', selected_benchmarks: benchmark.split(','), ...changes })
const plan = (body: CreateRun, model = modelOf('lab/model'), offer = planning()) => planBenchmarks(body, model, offer)
const specOf = (body: CreateRun, model = modelOf('lab/model'), own_credential = false) =>
  buildSpec(
    body,
    model,
    { id: 'o', own_credential },
    { ...planning(), invented: () => false, newId: () => crypto.randomUUID(), now: () => new Date(0) },
  )

function refusalOf(act: () => unknown): [string, string, string] {
  try {
    act()
  } catch (error) {
    if (error instanceof RunRefused) return [error.code, error.pointer, error.message]
    throw error
  }
  throw new Error('nothing was refused')
}

test("[RUN44] the judge is frozen with its price: the profile's own, or the one that the request names", () => {
  expect(plan(request('essay,quiz')).map((one) => one.roles)).toEqual([
    { judge: { model: { id: judge.id, slug: judge.slug, provider: 'elsewhere' }, price: judge.price, params: judgeParams, schema: true } },
    {},
  ])
  expect(plan(request('essay', { judge: { model_id: 'lab/other' } }))[0]!.roles?.judge).toMatchObject({
    model: { slug: 'lab/other' },
    price,
  })
  const spec = specOf(request('essay'))
  expect(RunSpec.parse(spec)).toEqual(spec)
})

test('[RUN44] whoever plans a run is told once whom to look up, and of no judge where none is needed', () => {
  const model = modelOf('lab/model')
  expect(roleModelsOf(request('essay,long,quiz'), model, planning())).toEqual([{ model_id: 'lab/judge', provider: null }])
  expect(roleModelsOf(request('quiz', { judge: { model_id: 'x' } }), model, planning())).toEqual([])
  expect(roleModelsOf(request('essay', { judge: { model_id: 'x', provider: 'p' } }), model, planning())).toEqual([
    { model_id: 'x', provider: 'p' },
  ])
})

test('[RUN44] a judge that is not served here is refused by name, with the way to choose another', () => {
  const [code, pointer, message] = refusalOf(() => plan(request('essay'), undefined, planning([])))
  expect([code, pointer]).toEqual(['validation', '/judge'])
  for (const part of ['ESSAY', 'lab/judge', 'not being served here', 'judge.model_id', '--judge']) expect(message).toContain(part)
  const there = refusalOf(() => plan(request('essay', { judge: { model_id: 'lab/judge', provider: 'own' } })))
  expect(there[2]).toContain('by own here')
})

test('[RUN45] a model does not judge itself unless that is allowed; the demo model does, unless another is named', () => {
  const itself = request('essay', { judge: { model_id: 'lab/other' } })
  const [, pointer, message] = refusalOf(() => plan(itself, other))
  expect(pointer).toBe('/judge')
  for (const part of ['allow_self_judge', '--allow-self-judge', 'lab/other']) expect(message).toContain(part)
  expect(plan({ ...itself, allow_self_judge: true }, other)[0]!.roles?.judge).toMatchObject({ model: { slug: 'lab/other' } })
  const demo = modelOf('demo-model', { provider: 'demo' })
  expect(plan(request('essay'), demo, planning([demo]))[0]!.roles?.judge).toMatchObject({ model: { slug: 'demo-model', provider: 'demo' } })
  expect(plan(request('essay', { judge: { model_id: 'lab/judge' } }), demo)[0]!.roles?.judge).toMatchObject({
    model: { slug: 'lab/judge' },
  })
})

test('[RUN46] questions with pictures are refused to a model that takes text only, and the way out is named', () => {
  const [, pointer, message] = refusalOf(() => plan(request('shown'), modelOf('m', { input_modalities: ['text'] })))
  expect(pointer).toBe('/model_id')
  expect(message).toContain('Choose shown_text')
  expect(plan(request('shown'), modelOf('m', { input_modalities: ['text', 'image'] }))).toHaveLength(1)
  expect(plan(request('shown_text'), modelOf('m', { input_modalities: ['text'] }))).toHaveLength(1)
})

test('[RUN46] questions longer than the model holds are refused before the run, on the real data only', () => {
  const small = modelOf('m', { context_length: 32_768 })
  expect(refusalOf(() => plan(request('long'), small))[2]).toContain('needs a context of 100,000 tokens, and m has 32,768')
  expect(plan(request('long', { data: 'sample' }), small)).toHaveLength(1)
  expect(plan(request('long'), modelOf('m', { context_length: 131_072 }))[0]!.most_input_tokens).toBe(100_000)
})

test('[RUN46] what is not known of a model passes with a note', () => {
  const model = modelOf('m')
  const [shown, long, essay] = ['shown', 'long', 'essay'].map((name) => {
    const card = cards.find((one) => one.name === name)!
    return inputNotes(card, plan(request(name), model)[0]!.data, model)
  })
  expect(shown).toEqual([expect.stringContaining('whether m takes them is not known')])
  expect(long).toEqual([expect.stringContaining('100,000 tokens')])
  expect(essay).toEqual([])
  expect(
    inputNotes(cards[2]!, { source: 'pinned', repo: '', revision: '', files: [] }, modelOf('m', { input_modalities: ['image'] })),
  ).toEqual([])
})

test('[RUN43] the reserve holds the dearest trial with its judge asked as often as it may be; an unknown price gives none', () => {
  const spec = specOf(request('essay,quiz'))
  const asked = (8_000 + 1000) / 1e6
  const judged = ((8_000 + 1000) * 1 + 500 * 100) / 1e6
  expect(reserveUsd(spec)).toBeCloseTo(asked + mostReplies * judged, 12)
  expect(reserveUsd(specOf(request('quiz')))).toBeCloseTo(asked, 12)
  expect(reserveUsd(specOf(request('long')))!).toBeGreaterThan(100_000 / 1e6)
  const unknown = spec.benchmarks.map((one) => ({ ...one, roles: mapRoles(one.roles ?? {}, (role) => ({ ...role, price: null })) }))
  expect([reserveUsd({ ...spec, benchmarks: unknown }), initialHead({ ...spec, benchmarks: unknown }).roles?.judge?.cost_usd]).toEqual([
    null,
    null,
  ])
})

test('[RUN43] a budget is refused where the price of the judge is not known', () => {
  const free = planning([{ ...judge, price: null }])
  const deps = { ...free, invented: () => false, newId: () => crypto.randomUUID(), now: () => new Date(0) }
  const build = (body: CreateRun) => buildSpec(body, modelOf('lab/model'), { id: 'o', own_credential: false }, deps)
  expect(refusalOf(() => build(request('essay', { budget_usd: 1 }))).slice(0, 2)).toEqual(['validation', '/budget_usd'])
  expect(build(request('essay')).budget_usd).toBeNull()
})

test("[RUN43] a budget stops a run by the sum of the model's cost and the judge's", () => {
  const base = testSpec({ budget_usd: 0.1, max_tokens: 1000 })
  const planned = { ...judge, model: { id: 'j', slug: 'j', provider: 'p' }, price, params: judgeParams, schema: false }
  const spec = { ...base, benchmarks: base.benchmarks.map((one) => ({ ...one, roles: { judge: planned } })) }
  const affordable = (judge_usd: number) => {
    const history = startHistory(spec)
    history.run({ type: 'hello', agent_id: 'a', session: 'session-1', holding: [] }, 0)
    history.run({ type: 'claim', session: 'session-1', count: 1 }, 0)
    const result = { ...brief(0, 1, 'right', 0.001), roles: { judge: { usage: { ...noUsage, output_tokens: 7 }, cost_usd: judge_usd } } }
    history.run({ type: 'report', session: 'session-1', results: [result] }, 0)
    history.run({ type: 'claim', session: 'session-1', count: 10 }, 0)
    expect(history.head().roles?.judge).toEqual({ usage: { ...noUsage, output_tokens: 7 }, cost_usd: judge_usd })
    expect(history.head().cost_usd).toBe(0.001)
    expect(history.head().usage.output_tokens).toBe(10)
    return history.head().leased
  }
  expect(affordable(0.001)).toBe(2)
  expect(affordable(0.06)).toBe(1)
  expect(affordable(0.09)).toBe(0)
})

test('[RUN42] a late answer that no longer counts still counts what its judge cost', () => {
  const base = testSpec()
  const planned = { model: { id: 'j', slug: 'j', provider: 'p' }, price, params, schema: false }
  const history = startHistory({ ...base, benchmarks: base.benchmarks.map((one) => ({ ...one, roles: { judge: planned } })) })
  history.run({ type: 'hello', agent_id: 'a', session: 'session-1', holding: [] }, 0)
  history.run({ type: 'claim', session: 'session-1', count: 1 }, 0)
  history.run({ type: 'cancel' }, 0)
  const late = { ...brief(0, 1, 'right', 0.001), roles: { judge: { usage: { ...noUsage, input_tokens: 5 }, cost_usd: 0.25 } } }
  history.run({ type: 'report', session: 'session-1', results: [late] }, 0)
  expect(history.head()).toMatchObject({ cost_usd: 0.001, roles: { judge: { usage: { input_tokens: 5 }, cost_usd: 0.25 } } })
})

test("[RUN47] an agent needs ways to the judges' providers too; the owner's key opens its own provider for a judge as well", () => {
  const spec = specOf(request('essay'))
  expect(needsOf(spec)).toEqual(['llm', 'provider:own', 'provider:elsewhere'])
  expect(needsOf(specOf(request('essay', { judge: { model_id: 'lab/other' } })))).toEqual(['llm', 'provider:own'])
  expect(needsOf(specOf(request('essay', { judge: { model_id: 'lab/other' } }), undefined, true))).toEqual(['llm', 'own-key:own'])
  expect(refusalOf(() => specOf(request('essay'), undefined, true)).slice(1)).toEqual([
    '/judge',
    expect.stringContaining('lab/judge is served by elsewhere'),
  ])
})

test('[FAIL30] limits are the usual ones, then the profile says, then the request; they are frozen with the run, and older runs have the usual ones', () => {
  const patient = plain('patient')
  const cards = [
    plain('usual'),
    { ...patient, profiles: patient.profiles.map((profile) => ({ ...profile, limits: { first_token_ms: 600_000 } })) },
  ]
  const limitsOf = (limits: unknown) =>
    plan(request('usual,patient', { limits }), modelOf('lab/model'), { ...planning(), cards }).map((one) => one.limits)
  expect(limitsOf(undefined)).toEqual([defaultLimits, { ...defaultLimits, first_token_ms: 600_000 }])
  expect(limitsOf({ first_token_ms: 20_000, timeouts: 1 })).toEqual(
    Array(2).fill({ ...defaultLimits, first_token_ms: 20_000, timeouts: 1 }),
  )
  for (const limits of [{ first_token_ms: 5 }, { attempts: 0 }, { patience_s: 4 }])
    expect(CreateRun.safeParse({ model_id: 'm', limits }).success).toBe(false)
  expect(RunSpec.parse(testSpec()).benchmarks[0]!.limits).toBeUndefined()
})

test('[RUN116] a replay freezes its judge as any run, is not looked at before, and no key of its owner pays for either', () => {
  const body = request('essay', { replay: [{ texts: ['x'] }] })
  const replayed = modelOf('kept', { provider: 'replay' })
  const spec = specOf(body, replayed)
  expect(spec).toMatchObject({
    own_credential: false,
    replay: { answers: 1 },
    benchmarks: [{ roles: { judge: { model: { slug: 'lab/judge' } } } }],
  })
  expect([spec.preflight, specOf(request('essay')).preflight]).toEqual([undefined, true])
  const [code, pointer, message] = refusalOf(() => specOf(body, replayed, true))
  expect([code, pointer, message]).toEqual(['validation', '/judge', expect.stringContaining('a replay asks none')])
  expect(specOf({ ...body, selected_benchmarks: ['quiz'] }, replayed, true).own_credential).toBe(false)
})
