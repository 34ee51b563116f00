import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { cards } from '#shared/benchmarks/cards.ts'
import { mostListed } from '#shared/contract/item-list.ts'
import { listedDataOf } from '#shared/run/build-spec.ts'
import { createDataChoice } from '#shared/run/data-choice.ts'
import { datasetEnv } from './dataset/dataset-env.ts'
import { sampleIdentities } from './dataset/sample-identities.ts'
import { listItems } from './list-items.ts'
import { benchmarksDir } from './program.ts'
import { openHeavyPool } from './threads/heavy-pool.ts'

const folder = mkdtempSync(join(tmpdir(), 'bench-lists-'))
const heavy = openHeavyPool()
afterAll(async () => {
  await heavy.close()
  rmSync(folder, { recursive: true })
})
const nowhere = 'http://127.0.0.1:9'
const env = datasetEnv({ HF_ENDPOINT: nowhere }, { cacheDir: folder, benchmarksDir, heavy })
const dataFor = createDataChoice(cards, await sampleIdentities(benchmarksDir), {})
const of = (name: string, data: 'sample' | 'pinned', profile: string | null = null) =>
  listedDataOf(name, { data, profile }, 'p', { cards, dataFor })

test('[ITEMS5] the items of the catalogue are listed by their names, and those of a sample with their groups', async () => {
  const tasks = await listItems(of('code_tasks', 'pinned'), env)
  const { keys, groups, group_of } = tasks.ok ? tasks.value : { keys: [], groups: [], group_of: [] }
  expect([keys.length, keys.includes('python_expert_workflow_scheduler'), keys.includes('go_expert_lru_cache')]).toEqual([31, true, true])
  expect([group_of.length, new Set(groups).size]).toEqual([31, groups.length])
  const sample = await listItems(of('mmlu_pro', 'sample', 'builtin'), env)
  const found = sample.ok ? sample.value : undefined
  expect(found?.keys).toHaveLength(cards.find(({ name }) => name === 'mmlu_pro')!.sample_items)
  expect(found?.groups).toContain('math')
})

test('[ITEMS5] what cannot be opened is not listed, nor what has more items than a list holds', async () => {
  expect(await listItems(of('mmlu_pro', 'pinned', 'builtin'), env)).toMatchObject({
    ok: false,
    failure: { at: 'dataset', reason: 'unavailable' },
  })
  const huge = { ...of('mmlu_pro', 'sample', 'builtin'), total_items: mostListed + 1 }
  expect(await listItems(huge, env)).toMatchObject({ ok: false, failure: { detail: expect.stringContaining('id:0-99') } })
})
