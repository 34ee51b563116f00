import { expect, test } from 'vitest'
import { memoryDeps } from '../testing/memory-deps.ts'
import { syncNews } from './sync-models.ts'

test('[API105] a catalogue that is as it was is not written again, one that changed is, and a failed writing is repeated', async () => {
  const { deps, answers, record } = memoryDeps()
  const kept = new Map<string, string>()
  const memory = {
    note: async (name: string) => kept.get(name) ?? null,
    keep: async (name: string, text: string) => void kept.set(name, text),
  }
  const catalogue = (names: string[], instances: number) => {
    const items = names.map((name) => ({ chute_id: `id-${name}`, name, standard_template: 'vllm', instances: Array(instances).fill({}) }))
    answers.set('https://catalogue.example', () => Response.json({ total: items.length, items }))
    answers.set('https://llm.example', () => Response.json({ data: names.map((id) => ({ id })) }))
  }
  catalogue(['org/a'], 1)
  record.away = true
  await expect(syncNews(deps, memory)).rejects.toThrow('away')
  record.away = false
  expect(await syncNews(deps, memory)).toBe('written')
  expect([...record.models.values()].map((model) => model.slug)).toEqual(expect.arrayContaining(['org/a', 'demo/coin']))
  catalogue(['org/a'], 9)
  record.away = true
  expect(await syncNews(deps, memory)).toBe('unchanged')
  record.away = false
  catalogue(['org/a', 'org/b'], 9)
  expect(await syncNews(deps, memory)).toBe('written')
})
