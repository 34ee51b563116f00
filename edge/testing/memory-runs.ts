import type { OpsRecord, RunLabel, Store, StoredRun } from '#db/store.ts'
import type { RunSpec } from '#shared/contract/run.ts'

/** Runs of the same owner that grade the episodes of this one again, newest first. */
export function regradesOf(
  { runs }: { runs: ReadonlyMap<string, StoredRun> },
  { run_id, owner_id }: Pick<RunSpec, 'run_id' | 'owner_id'>,
): StoredRun[] {
  return [...runs.values()].filter(({ spec }) => spec.owner_id === owner_id && spec.regrade?.run_id === run_id).toReversed()
}

/** Changes who may read a run. */
export function shareIn({ runs }: { runs: Map<string, StoredRun> }, run_id: string, visibility: RunSpec['visibility']): void {
  const run = runs.get(run_id)
  if (run) runs.set(run_id, { ...run, spec: { ...run.spec, visibility } })
}

/** Names a run or files it under other tags; what is left out stays. */
export function labelIn({ runs }: { runs: Map<string, StoredRun> }, run_id: string, label: Partial<RunLabel>): void {
  const run = runs.get(run_id)
  if (run) runs.set(run_id, { ...run, label: { name: null, tags: [], ...run.label, ...label } })
}

/** Without sums: what trials took is the database's to add up. */
export function opsOf({ runs }: { runs: ReadonlyMap<string, StoredRun> }): OpsRecord {
  const all = [...runs.values()].map(({ spec, head, label = { name: null, tags: [] } }) => ({ spec, head, label }))
  const of = (status: string) => all.filter(({ head }) => head.status === status)
  const counts = Object.fromEntries([...new Set(all.map(({ head }) => head.status))].map((status) => [status, of(status).length]))
  const ended = all.filter(({ head }) => head.completed_at !== null)
  return { counts, queued: of('queued'), running: of('running'), ended, usage: [] }
}

/** A page of the runs that the filter names, the latest first. */
export function listIn(
  { runs }: { runs: ReadonlyMap<string, StoredRun> },
  filter: Parameters<Store['listRuns']>[0],
): Awaited<ReturnType<Store['listRuns']>> {
  const all = [...runs.values()].filter(
    ({ spec, head, label }) =>
      (filter.viewers.includes(spec.owner_id) || (spec.visibility === 'public' && !filter.mine)) &&
      (!filter.status || head.status === filter.status) &&
      (!filter.tag || label?.tags.includes(filter.tag)) &&
      (!filter.ids || filter.ids.includes(spec.run_id)) &&
      (!filter.benchmark || spec.benchmarks.some((one) => one.name === filter.benchmark)) &&
      (!filter.model_id || spec.model.id === filter.model_id) &&
      (!filter.model_slug || spec.model.slug.toLowerCase().includes(filter.model_slug.toLowerCase())),
  )
  return { runs: all.toReversed().slice(filter.offset, filter.offset + filter.limit), total: all.length }
}
