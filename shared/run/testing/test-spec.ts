import { RunId } from '../../contract/ids.ts'
import type { HelperRole, PlannedRole } from '../../contract/role.ts'
import type { RunSpec } from '../../contract/run.ts'

type Options = {
  benchmarks?: { name: string; items: number; epochs: number; roles?: Partial<Record<HelperRole, PlannedRole>> }[]
  seed?: string
  budget_usd?: number | null
  concurrency?: number
  max_tokens?: number
}

/** A run over invented benchmarks, for tests and the simulator. One million tokens cost a dollar in and a dollar out. */
export function testSpec(options: Options = {}): RunSpec {
  const {
    benchmarks = [{ name: 'alpha', items: 10, epochs: 1 }],
    seed = 'default',
    budget_usd = null,
    concurrency = 8,
    max_tokens = 1000,
  } = options
  return {
    run_id: RunId.parse('00000000-0000-4000-8000-000000000001'),
    owner_id: 'owner',
    visibility: 'public',
    model: { id: 'model', slug: 'model', provider: 'demo' },
    own_credential: false,
    price: { input_per_million_usd: 1, output_per_million_usd: 1, cached_input_per_million_usd: null },
    benchmarks: benchmarks.map(({ name, items, epochs, roles }) => ({
      name,
      version: 1,
      profile: 'builtin',
      epochs,
      total_items: items,
      sampled_items: items,
      gated: false,
      data: { source: 'sample', repo: 'sample', revision: '0'.repeat(40), files: [] },
      params: { temperature: 0, top_p: null, max_tokens, stop: null, seed: null, reasoning_effort: null },
      ...(roles && { roles }),
    })),
    subset: { pct: 100, count: null, seed, sampling: 'sha256' },
    concurrency,
    priority: 0,
    max_failure_share: 0.01,
    budget_usd,
    created_at: '2026-01-01T00:00:00.000Z',
  }
}
