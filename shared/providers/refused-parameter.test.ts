import { expect, test } from 'vitest'
import { namedModel } from './listed-model.ts'
import type { ConfiguredProvider, ProviderKind } from './provider.ts'
import { providerDefs } from './providers.ts'
import { refusedParameter } from './refused-parameter.ts'

const at = (kind: ProviderKind, more: Partial<ConfiguredProvider> = {}): ConfiguredProvider => ({
  ...{ id: kind, label: providerDefs[kind].label ?? 'Lab', kind, base_url: 'http://lab.example/v1', models: [] },
  ...more,
})
const model = (features: string[] = []) => ({ slug: 'org/m', features })
/** A model as OpenRouter lists it. */
const listed = (entry: object) => ({ slug: 'org/m', ...providerDefs.openrouter.readListed({ id: 'org/m', ...entry })! })

test('[PROV13] routing is for a provider with others behind it, and every other kind says so', () => {
  const routing = { order: ['deepinfra'] }
  expect(refusedParameter({ routing }, model(), at('openrouter'))).toBeNull()
  for (const kind of ['chutes', 'openai', 'demo'] as const)
    expect(refusedParameter({ routing }, model(), at(kind))).toMatchObject({
      field: 'routing',
      message: expect.stringContaining('OpenRouter'),
    })
})

test('[PROV13] a budget for reasoning is taken by OpenRouter, and by a server whose operator says so; by Chutes never', () => {
  const asked = { reasoning_budget_tokens: 2000 }
  expect(refusedParameter(asked, model(), at('openrouter'))).toBeNull()
  expect(refusedParameter(asked, model(), at('demo'))).toBeNull()
  expect(refusedParameter(asked, model(), at('chutes'))?.message).toMatch(/Chutes takes no budget/)
  expect(refusedParameter(asked, model(), at('openai'))).toMatchObject({
    field: 'reasoning_budget_tokens',
    message: expect.stringContaining('reasoning_budget_field'),
  })
  expect(refusedParameter(asked, model(), at('openai', { reasoning_budget_field: 'thinking_token_budget' }))).toBeNull()
})

test('[PROV13] what a list says of levels and budgets is held to; what it does not say passes', () => {
  const [low, none, budget] = [{ reasoning_effort: 'low' }, { reasoning_effort: 'none' }, { reasoning_budget_tokens: 2000 }]
  const why = (asked: Parameters<typeof refusedParameter>[0], entry: object) =>
    refusedParameter(asked, listed(entry), at('openrouter'))?.message ?? null
  const plain = { supported_parameters: ['temperature'] }
  expect([why(low, plain), why(budget, plain)]).toEqual([
    expect.stringContaining('does not reason'),
    expect.stringContaining('does not reason'),
  ])
  const levels = { supported_parameters: ['reasoning'], reasoning: { mandatory: true, supported_efforts: ['high', 'low', null] } }
  expect([why(low, levels), why(none, levels), why(budget, levels)]).toEqual([
    null,
    expect.stringContaining('high, low'),
    expect.stringContaining('takes no budget'),
  ])
  const budgets = { reasoning: { mandatory: true, supported_efforts: null, supports_max_tokens: true } }
  expect([why(low, budgets), why(none, budgets), why(budget, budgets)]).toEqual([null, expect.stringContaining('always reasons'), null])
  const former = { supported_parameters: ['reasoning'] }
  for (const entry of [former, {}]) expect([why(low, entry), why(none, entry), why(budget, entry)]).toEqual([null, null, null])
})

test('[PROV13] a list of features from Chutes without reasoning says that there is none', () => {
  const features = (supported_features: string[] | null) => providerDefs.chutes.readListed({ id: 'org/m', supported_features })!.features
  const why = (told: string[] | null) => refusedParameter({ reasoning_effort: 'low' }, model(features(told)), at('chutes'))?.field ?? null
  expect([why(['tools']), why(['tools', 'reasoning']), why([]), why(null)]).toEqual(['reasoning_effort', null, null, null])
  expect(refusedParameter({ reasoning_effort: 'low' }, namedModelOf(), at('chutes'))).toBeNull()
})

const namedModelOf = () => ({ slug: 'org/m', ...namedModel('org/m') })
