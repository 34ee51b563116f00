import type { Store } from '#db/store.ts'
import { cards } from '#shared/benchmarks/cards.ts'
import type { RunSpec } from '#shared/contract/run.ts'
import { computeMetrics } from '#shared/metrics/metrics.ts'

/** Computes every metric of an ended run from its record and keeps them beside it. Repeating it gives the same figures. */
export async function measureRun(store: Store, spec: RunSpec): Promise<void> {
  for (const benchmark of spec.benchmarks) {
    const card = cards.find((each) => each.name === benchmark.name)
    if (!card) continue
    const rows = await store.listMetricRows(spec.run_id, benchmark.name)
    const population = benchmark.total_items
    await store.saveMetrics(spec.run_id, benchmark.name, computeMetrics(card.metrics, rows, { population }))
  }
}
