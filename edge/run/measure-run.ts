import type { Store } from '#db/store.ts'
import { cards } from '#shared/benchmarks/cards.ts'
import type { RunSpec } from '#shared/contract/run.ts'
import { measureBenchmark } from '#shared/metrics/measure.ts'

/** Computes every metric of an ended run, its groups' scores and its times from its record and keeps them beside it. Repeating it gives the same figures. */
export async function measureRun(store: Pick<Store, 'listMetricRows' | 'saveMetrics'>, spec: RunSpec): Promise<void> {
  for (const benchmark of spec.benchmarks) {
    const card = cards.find((each) => each.name === benchmark.name)
    if (!card) continue
    const rows = await store.listMetricRows(spec.run_id, benchmark.name)
    await store.saveMetrics(spec.run_id, benchmark.name, measureBenchmark(card.metrics, rows, benchmark))
  }
}
