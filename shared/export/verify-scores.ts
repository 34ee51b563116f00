import type { Task } from '../benchmarks/task.ts'
import type { Evidence, EvidenceKind } from '../contract/evidence/evidence.ts'
import type { Score } from '../contract/item.ts'
import type { PlannedBenchmark } from '../contract/run.ts'
import type { TrialRecord } from '../contract/trial.ts'
import type { EvidenceHere } from '../run/evidence-apart.ts'
import { noTables, TableMissing, type Tables } from '../scorers/tables.ts'
import { canonicalJson } from './canonical-json.ts'

/** Loads a benchmark's scorer by name; undefined where this verifier does not know the benchmark. */
export type ScorerLoader = (
  benchmark: string,
) => Promise<(Pick<Task, 'score'> & { card?: { version: number; evidence?: EvidenceKind }; tables?: Tables }) | undefined>

export type Rescorer = {
  rescore(record: TrialRecord, evidence: EvidenceHere, withheld: boolean, benchmark: number): Promise<void>
  count(): number
  /** `ok`, `detail` and `partial` of the check over all records seen. */
  verdict(): [ok: boolean | null, detail: string, partial?: boolean]
}

/** Scores each record's evidence anew with its benchmark's scorer and compares value, outcome, answer, explanation and flags. */
export function openRescorer(load: ScorerLoader | undefined, plans: readonly PlannedBenchmark[]): Rescorer {
  let rescored = 0
  let withheldCount = 0
  let apart = 0
  let scored = 0
  let wrong: string | null = null
  const unknown = new Set<string>()
  const missing = new Set<string>()
  return {
    async rescore(record, evidence, withheld, benchmark) {
      if (record.outcome === 'failed') return
      scored++
      const plan = plans[benchmark]
      if (withheld) return void withheldCount++
      if (evidence === 'apart') return void apart++
      const task = await load?.(record.benchmark)
      if (!task || !plan || (task.card && task.card.version !== plan.version)) return void unknown.add(record.benchmark)
      try {
        wrong ??= compare(record, evidence, task, plan.profile)
        rescored++
      } catch (error) {
        if (!(error instanceof TableMissing)) throw error
        missing.add(error.table)
      }
    },
    count: () => rescored,
    verdict() {
      if (wrong) return [false, wrong]
      const left = [
        withheldCount > 0 && `${withheldCount} are of gated data and withheld`,
        apart > 0 && `${apart} are of answers too large for the record, which cannot be read from here`,
        missing.size > 0 && `the tables ${[...missing].join(', ')} are not here`,
        unknown.size > 0 && `no scorer here for ${[...unknown].join(', ')}`,
      ]
      const note = left.filter(Boolean).join('; ')
      if (!load) return [null, 'no scorers were given to compute with']
      if (rescored === 0 && scored > 0) return [null, note]
      return [true, `${rescored} of ${scored} scores computed anew from their evidence${note && `; ${note}`}`, rescored < scored]
    },
  }
}

type Scoring = NonNullable<Awaited<ReturnType<ScorerLoader>>>

function compare(record: TrialRecord, evidence: Evidence | null, task: Scoring, profile: string): string | null {
  const where = `${record.benchmark} item ${record.item_id}, epoch ${record.epoch}`
  if (!evidence) return `${where} has a score and no evidence that belongs to it`
  const kind = task.card?.evidence ?? evidence.kind
  if (evidence.kind !== kind) return `${where}: its evidence is ${evidence.kind}, its scorer reads ${kind}`
  let again: Score
  try {
    const item = { target: record.expected ?? '', metadata: record.item_metadata }
    again = task.score(item, evidence, profile, task.tables ?? noTables)
  } catch (error) {
    if (error instanceof TableMissing) throw error
    return `${where}: the scorer cannot read its evidence`
  }
  if (again.value !== record.score) return `${where}: its evidence scores ${again.value}, the record says ${record.score}`
  if (again.outcome !== record.outcome) return `${where}: its evidence is ${again.outcome}, the record says ${record.outcome}`
  if (again.answer !== record.answer) return `${where}: its evidence answers ${again.answer}, the record says ${record.answer}`
  if (again.explanation !== record.explanation) return `${where}: the explanation is not the scorer's`
  if (canonicalJson(again.detail) !== canonicalJson(record.detail)) return `${where}: the detail is not the scorer's`
  const absent = again.flags.find((flag) => !record.flags.includes(flag))
  return absent ? `${where}: the flag ${absent} is missing` : null
}
