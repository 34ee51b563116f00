import { expect, test } from 'vitest'
import type { RunSpec } from '#shared/contract/run.ts'
import { silent } from '#shared/telemetry/telemetry.ts'
import { openLmStudio } from './testing/lmstudio-server.ts'
import { createUnloader } from './unload-models.ts'

const asking = (slug: string) => ({ model: { id: slug, slug, provider: 'p' }, benchmarks: [] as RunSpec['benchmarks'] })

test('[LINE10] a model is unloaded after the last of the runs that use it, once, and only where its provider says so', async () => {
  await using server = await openLmStudio({ loaded: ['qwen/qwen3-4b', 'lab/other'] })
  const provider = { id: 'p', label: 'LM Studio', kind: 'lmstudio' as const, base_url: server.base_url, models: [], api_key: null }
  const use = createUnloader(silent)
  const asked = [{ ...provider, unload_after_run: true }]
  const [first, second, other] = [
    use(asking('qwen/qwen3-4b'), asked),
    use(asking('qwen/qwen3-4b'), asked),
    use(asking('lab/other'), [provider]),
  ]
  await other()
  await first()
  await first()
  expect(server.loaded()).toEqual(['qwen/qwen3-4b', 'lab/other'])
  await second()
  expect(server.loaded()).toEqual(['lab/other'])
})
