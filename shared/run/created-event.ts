import type { RunEvent } from '../contract/event.ts'
import type { RunSpec } from '../contract/run.ts'

/** First event of a run, in the predecessor's fields. */
export function createdEvent(spec: RunSpec): RunEvent {
  const { subset, model, benchmarks } = spec
  return {
    event_type: 'run_created',
    benchmark_name: null,
    at: spec.created_at,
    data: {
      model_slug: model.slug,
      provider: model.provider,
      subset_pct: subset.pct,
      subset_count: subset.count,
      subset_seed: subset.seed,
      benchmark_count: benchmarks.length,
    },
  }
}
