import { expect, test } from 'vitest'
import { needsOf } from './needs-of.ts'

test('[RUN47] what a run needs: its provider by the owner’s key or the agent’s, and each judge’s once', () => {
  const model = { id: 'm', slug: 'm', provider: 'chutes' }
  const judge = (provider: string) => ({ roles: { judge: { model: { ...model, provider } } as never } })
  expect(needsOf({ model, own_credential: false })).toEqual(['llm', 'provider:chutes'])
  expect(needsOf({ model, own_credential: false, benchmarks: [{}, { roles: {} }] })).toEqual(['llm', 'provider:chutes'])
  expect(needsOf({ model: { ...model, provider: 'replay' }, own_credential: false })).toEqual(['llm', 'provider:replay'])
  expect(needsOf({ model, own_credential: true, benchmarks: [judge('openai'), judge('chutes'), judge('openai')] })).toEqual([
    'llm',
    'own-key:chutes',
    'provider:openai',
  ])
})
