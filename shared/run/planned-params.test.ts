import { expect, test } from 'vitest'
import { boardMarkdown, setupText } from '../board/board-text.ts'
import { exampleLeaderboard } from '../board/testing/example-board.ts'
import { CreateRun } from '../contract/create-run.ts'
import { ModelParams } from '../contract/message.ts'
import { Routing } from '../contract/routing.ts'
import type { ConfiguredProvider } from '../providers/provider.ts'
import { needsOf, sendsLaterParams } from './match/needs-of.ts'
import { paramTexts } from './param-texts.ts'
import { plannedParams } from './planned-params.ts'
import type { RunRefused } from './run-refused.ts'

const own = { temperature: 0, top_p: null, max_tokens: 4096, stop: null, seed: null, reasoning_effort: null }
const model = { id: 'org/m', slug: 'org/m', provider: 'router', price: null, context_length: null, input_modalities: [] }
const router: ConfiguredProvider = { id: 'router', label: 'OpenRouter', kind: 'openrouter', base_url: 'http://r.example/v1', models: [] }
const chutes: ConfiguredProvider = { ...router, id: 'chutes', label: 'Chutes', kind: 'chutes' }

function planned(asked: object, provider = 'router', profile: ModelParams = own): ModelParams {
  const body = CreateRun.parse({ model_id: 'org/m', selected_benchmarks: ['quiz'], ...asked })
  const providerOf = (id: string) => [router, chutes].find((one) => one.id === id)
  return plannedParams(body, { name: 'quiz' }, { params: profile }, { ...model, provider }, { providerOf })
}
function refusal(asked: object, provider?: string): Pick<RunRefused, 'pointer' | 'message'> {
  try {
    planned(asked, provider)
  } catch (error) {
    return error as RunRefused // whatever else is thrown fails what is asserted of it
  }
  throw new Error('nothing was refused')
}

test('[PROV14] a run that asks for no budget and no routing is known by what it always was, and reads as before', () => {
  expect(Object.keys(planned({ reasoning_effort: 'low' }))).toEqual(Object.keys(own))
  expect(planned({})).toEqual(own)
  expect(ModelParams.parse(own)).toEqual(own)
  expect(JSON.stringify(ModelParams.parse(JSON.parse(JSON.stringify(own))))).toBe(JSON.stringify(own))
})

test('[PROV14] a budget stands in place of a level, and routing in one form however it was written', () => {
  expect(planned({ reasoning_budget_tokens: 2000 }, 'router', { ...own, reasoning_effort: 'high' })).toEqual({
    ...own,
    reasoning_budget_tokens: 2000,
  })
  const asked = { only: ['b', 'a', 'b'], order: ['z', 'a'], allow_fallbacks: false }
  const again = { allow_fallbacks: false, order: ['z', 'a'], only: ['a', 'b'] }
  expect(planned({ routing: asked }).routing).toEqual({ allow_fallbacks: false, only: ['a', 'b'], order: ['z', 'a'] })
  expect(JSON.stringify(planned({ routing: asked }))).toBe(JSON.stringify(planned({ routing: again })))
})

test('[PROV13] what cannot be asked so is refused by the field at fault; where answers are replayed nothing is sent', () => {
  expect(refusal({ reasoning_budget_tokens: 10, reasoning_effort: 'low' }).pointer).toBe('/reasoning_budget_tokens')
  expect(refusal({ reasoning_budget_tokens: 4096 })).toMatchObject({
    pointer: '/reasoning_budget_tokens',
    message: expect.stringContaining('leaves none to answer with'),
  })
  expect(planned({ reasoning_budget_tokens: 4096, max_tokens: 8192 })).toMatchObject({ max_tokens: 8192, reasoning_budget_tokens: 4096 })
  expect(refusal({ reasoning_budget_tokens: 10 }, 'chutes').pointer).toBe('/reasoning_budget_tokens')
  expect(refusal({ routing: { order: ['x'] } }, 'chutes').pointer).toBe('/routing')
  const replay = [{ texts: ['A'] }]
  expect(planned({ routing: { order: ['x'] }, replay }, 'chutes').routing).toEqual({ order: ['x'] })
})

test('[PROV13] routing names what OpenRouter knows, by slugs, and says something', () => {
  for (const none of [{}, { order: [] }, { order: ['a b'] }, { provider: 'x' }, { sort: 'luck' }, { max_price: { tokens: 1 } }])
    expect([none, Routing.safeParse(none).success]).toEqual([none, false])
  const all = {
    ...{
      order: ['deepinfra/turbo'],
      only: ['a'],
      ignore: ['b'],
      allow_fallbacks: false,
      require_parameters: true,
      data_collection: 'deny',
    },
    ...{ zdr: true, quantizations: ['fp8'], sort: 'price', max_price: { prompt: 1, completion: 2 } },
  }
  expect(Routing.parse(all)).toEqual(all)
})

test('[PROV17] lists, boards and reports say the budget and the routing in words', () => {
  const params = {
    ...own,
    reasoning_budget_tokens: 2000,
    routing: { order: ['deepinfra', 'together'], allow_fallbacks: false, max_price: { prompt: 1 } },
  }
  const said =
    'temperature 0, max_tokens 4096, reasoning_budget_tokens 2000, routing order deepinfra, together; allow_fallbacks false; max_price prompt 1'
  expect(setupText({ params, roles: {} })).toBe(said)
  expect(paramTexts(params).map(([name]) => name)).toEqual(['temperature', 'max_tokens', 'reasoning_budget_tokens', 'routing'])
  const board = exampleLeaderboard()
  expect(boardMarkdown({ ...board, rows: [{ ...board.rows[0]!, params }] })).toContain('order deepinfra, together; allow\\_fallbacks false')
})

test('[PROV29] tools by text are a parameter where they are asked for, or the profile has them so; asked as the server has them it is absent', () => {
  expect(planned({ tool_calling: 'text' })).toEqual({ ...own, tool_calling: 'text' })
  expect(planned({ tool_calling: 'native' })).toEqual(own)
  const profile = { ...own, tool_calling: 'text' as const }
  expect([planned({}, 'router', profile), planned({ tool_calling: 'native' }, 'router', profile)]).toEqual([profile, own])
  const text = {
    benchmarks: [{ params: profile }],
    model: { slug: 'm', provider: 'router' },
    own_credential: false,
  } as unknown as Parameters<typeof needsOf>[0]
  expect(needsOf(text)).toContain('sends:tool_calling')
  expect(sendsLaterParams).toContain('sends:tool_calling')
})
