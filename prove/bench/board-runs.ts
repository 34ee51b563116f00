import { sql } from 'drizzle-orm'
import type { Database } from '#db/connect.ts'
import { exampleHead, exampleSpec } from '#db/example-run.ts'
import { writeBoards } from '#db/queries/board-write.ts'
import { headColumns } from '#db/queries/runs.ts'
import { runBenchmarks } from '#db/schema/run-benchmarks.ts'
import { runs } from '#db/schema/runs.ts'
import { cards } from '#shared/benchmarks/cards.ts'
import type { RunHead, RunSpec } from '#shared/contract/run.ts'
import { wilson } from '#shared/metrics/wilson.ts'

export type BoardRuns = { runs: number; models: number; benchmarks: number }

/** Owners of the runs; the first is the one whom a local service takes its own visitor for. */
export const ownerOf = (at: number): string => (at % 50 === 0 ? 'local' : `owner-${at % 50}`)

/** An ended run of one benchmark in its first profile, with its score: every tenth is private, every twentieth asked a part of the items. */
export function boardRun(
  at: number,
  { models, benchmarks }: BoardRuns,
): { spec: RunSpec; head: RunHead; estimate: object; benchmark: string } {
  const card = cards[Math.floor(at / models) % benchmarks]!
  const slug = `org/model-${at % models}`
  const example = exampleSpec(
    { model: { id: slug, slug, provider: 'chutes' }, owner_id: ownerOf(at), visibility: at % 10 === 0 ? 'private' : 'public' },
    [card.name],
  )
  const [profile] = card.profiles
  const planned = { ...example.benchmarks[0]!, profile: profile!.id, epochs: profile!.epochs, total_items: 500 }
  const sampled_items = at % 20 === 7 ? 50 : planned.total_items
  const spec = { ...example, benchmarks: [{ ...planned, sampled_items }] }
  const value = 0.3 + (((at * 7919) % 5000) + (at % models) * 20) / 14_000
  const limits = wilson(value, sampled_items)
  const estimate = { value, ...limits, n: sampled_items, method: 'bench', limits: { as_answered: limits, expected: limits } }
  const tally = { total: sampled_items, right: sampled_items, wrong: 0, failed: 0, score_sum: 0, flags: {}, status: 'succeeded' as const }
  const times = { started_at: spec.created_at, completed_at: new Date(Date.parse(spec.created_at) + at * 1000).toISOString() }
  const head = exampleHead(spec, {
    ...{ status: 'succeeded', seq: 9, cost_usd: at / 100, completed_at: times.completed_at },
    benchmarks: { [card.name]: { ...tally, ...times } },
  })
  return { spec, head, estimate, benchmark: card.name }
}

const atOnce = 500

/** Puts ended runs into the record and on their boards with the service's own statement, many at once. */
export async function writeBoardRuns(db: Database, options: BoardRuns): Promise<void> {
  for (let from = 0; from < options.runs; from += atOnce) {
    const some = Array.from({ length: Math.min(atOnce, options.runs - from) }, (_, index) => boardRun(from + index, options))
    const ids = sql.param(some.map(({ spec }) => spec.run_id))
    await db.batch([
      db.insert(runs).values(some.map(({ spec, head }) => ({ ...columnsOf(spec), ...headColumns(head) }))),
      db.insert(runBenchmarks).values(some.map(partOf)),
      db.execute(writeBoards(sql`r.id = any(${ids}::uuid[])`)),
    ])
  }
  // What a database of some age has done by itself.
  await db.execute(sql`vacuum analyze`)
}

function columnsOf(spec: RunSpec) {
  const { run_id: id, owner_id, visibility, created_at, model } = spec
  return {
    id,
    owner_id,
    visibility,
    created_at,
    spec,
    model_id: model.id,
    model_slug: model.slug,
    provider: model.provider,
  }
}

function partOf({ spec, estimate }: ReturnType<typeof boardRun>) {
  const { name, version, profile } = spec.benchmarks[0]!
  const card = cards.find((one) => one.name === name)!
  return { run_id: spec.run_id, benchmark: name, position: 0, version, profile, metrics: { [card.metrics[0]!]: estimate } }
}
