import { expect, test } from 'vitest'
import type { ModelParams } from '#shared/contract/message.ts'
import type { KeyedProvider } from '#shared/providers/provider.ts'
import { initialHead } from '#shared/run/apply.ts'
import { matchFleet } from '#shared/run/match/match-fleet.ts'
import { matchRunOf } from '#shared/run/match/match-run.ts'
import { testSpec } from '#shared/run/testing/test-spec.ts'
import { capabilitiesOf, withChutes } from './provider.ts'

const chutesUrl = 'https://llm.example/v1'
const own: KeyedProvider = { id: 'openai', label: 'Mine', kind: 'openai', base_url: 'http://127.0.0.1/v1', models: [], api_key: null }
const keyed: KeyedProvider = { id: 'chutes', label: 'Chutes', kind: 'chutes', base_url: chutesUrl, models: [], api_key: 'cpk_agent' }

/** Whether an agent with these providers is given a run at this provider. */
function isGiven(providers: KeyedProvider[], provider: string, own_credential: boolean): boolean {
  const spec = testSpec()
  const run = matchRunOf({ ...spec, model: { ...spec.model, provider }, own_credential }, initialHead(spec))
  const agent = { session: 's', slots: 5, sandboxes: [], capabilities: ['llm', ...capabilitiesOf(withChutes(providers, chutesUrl))] }
  return (matchFleet([run], [agent]).get('s') ?? []).length > 0
}

test('[FLEET3] an agent gets the runs of its own providers and of no other', () => {
  expect(isGiven([own], 'openai', false)).toBe(true)
  expect(isGiven([own], 'demo', false)).toBe(false)
  expect(isGiven([], 'openai', false)).toBe(false)
  expect(isGiven([keyed], 'chutes', false)).toBe(true)
})

test('[FLEET3] without a Chutes key an agent serves those Chutes runs whose owners bring theirs', () => {
  expect(isGiven([own], 'chutes', false)).toBe(false)
  expect(isGiven([own], 'chutes', true)).toBe(true)
  expect(isGiven([keyed], 'chutes', true)).toBe(true)
  expect(withChutes([keyed], 'https://other.example/v1')).toEqual([keyed])
})

test('[RUN114] an agent without any provider is given the runs that replay answers', () => {
  expect(isGiven([], 'replay', false)).toBe(true)
})

test('[PROV16] a run with a budget or routing goes to agents that send them, and to no older one', () => {
  const spec = testSpec()
  const given = (asked: Partial<ModelParams>, capabilities: string[]) => {
    const benchmarks = spec.benchmarks.map((planned) => ({ ...planned, params: { ...planned.params, ...asked } }))
    const run = matchRunOf({ ...spec, benchmarks, model: { ...spec.model, provider: 'openai' } }, initialHead(spec))
    return (matchFleet([run], [{ session: 's', slots: 5, sandboxes: [], capabilities }]).get('s') ?? []).length > 0
  }
  const today = ['llm', ...capabilitiesOf([own])]
  const older = ['llm', 'provider:replay', 'provider:openai']
  const asked = [{}, { reasoning_budget_tokens: 10 }, { routing: { order: ['x'] } }]
  expect(asked.map((one) => given(one, today))).toEqual([true, true, true])
  expect(asked.map((one) => given(one, older))).toEqual([true, false, false])
})
