import type { Task } from '../benchmarks/task.ts'
import { answerCutFlag } from '../contract/evidence/evidence.ts'
import type {
  NotRecomputedReason,
  RescoreCounts,
  RescoreDifference,
  RescoreSubmission,
  RescoreSummary,
  Scored,
  ScorerIdentity,
} from '../contract/rescore.ts'
import type { PlannedBenchmark } from '../contract/run.ts'
import { transcriptLostFlag } from '../contract/transcript.ts'
import type { TrialRecord } from '../contract/trial.ts'
import { withheldFlag } from '../export/export-item.ts'
import { endedEarlyFlag, windowFullFlag } from '../metrics/cut-note.ts'
import { metricRowOf } from '../metrics/metric-row.ts'
import { computeMetrics } from '../metrics/metrics.ts'
import type { MetricRow } from '../metrics/port.ts'
import { TableMissing, type Tables } from '../scorers/tables.ts'
import { redactedFlag } from '../secrets/redactor.ts'
import { type EvidenceHere, evidenceHere } from './evidence-apart.ts'

/** What the present scorer makes of a record's evidence. `failed`: the trial has no answer, so there is nothing to score. */
export type Verdict =
  | { type: 'scored'; scored: Scored }
  | { type: 'failed' }
  | { type: 'not-recomputed'; reason: NotRecomputedReason; table?: TableMissing['table'] }

export type Rescored = {
  summary: RescoreSummary
  differences: RescoreDifference[]
  not_recomputed: { ordinal: number; reason: NotRecomputedReason }[]
}
/** Takes the records of one benchmark in the order of the plan; `evidence` is what the caller could read of it, if not the record's. */
export type Rescoring = { add(record: TrialRecord, evidence?: EvidenceHere): void; close(): Rescored }

/** Flags that the agent adds after scoring: a scorer neither gives nor takes them. */
const recordFlags: readonly string[] = [
  'reasoning_cut',
  answerCutFlag,
  transcriptLostFlag,
  redactedFlag,
  withheldFlag,
  windowFullFlag,
  endedEarlyFlag,
]

/** Scores a record's evidence again. Pure and total; a trial that failed in the scorer itself is scored as well. */
export function rescoreRecord(
  record: TrialRecord,
  evidence: EvidenceHere,
  task: Pick<Task, 'score' | 'card'>,
  profile: string,
  tables: Tables,
): Verdict {
  if (record.outcome === 'failed' && record.failure?.at !== 'scorer') return { type: 'failed' }
  if (record.flags.includes(withheldFlag)) return { type: 'not-recomputed', reason: 'withheld' }
  if (evidence === 'apart') return { type: 'not-recomputed', reason: 'evidence-apart' }
  if (!evidence) return { type: 'not-recomputed', reason: 'no-evidence' }
  if (evidence.kind !== task.card.evidence) return { type: 'not-recomputed', reason: 'other-evidence' }
  try {
    const item = { target: record.expected ?? '', metadata: record.item_metadata }
    const { value, ...score } = task.score(item, evidence, profile, tables)
    const added = record.flags.filter((flag) => recordFlags.includes(flag) && !score.flags.includes(flag))
    return { type: 'scored', scored: { ...score, score: value, flags: [...score.flags, ...added] } }
  } catch (error) {
    if (error instanceof TableMissing) return { type: 'not-recomputed', reason: 'table-missing', table: error.table }
    return { type: 'not-recomputed', reason: 'scorer-error' }
  }
}

/** Scores a benchmark of a run again with a task's scorer. */
export function openRescoring(planned: PlannedBenchmark, task: Pick<Task, 'score' | 'card'>, tables: Tables): Rescoring {
  const { version, fingerprint, metrics } = task.card
  return openComparison(planned, { version, fingerprint }, metrics, (record, evidence) =>
    rescoreRecord(record, evidence, task, planned.profile, tables),
  )
}

/** A submission names a trial that the run does not have, or says of one what cannot be so. */
export class BadSubmission extends Error {}

/**
 * The same with scores that were computed elsewhere: trials the submission does not name came out as recorded. `close` throws
 * `BadSubmission` when it names a trial twice, one that is not there, or one that has nothing to score.
 */
export function openSubmitted(planned: PlannedBenchmark, submission: RescoreSubmission, metrics: readonly string[]): Rescoring {
  const told = new Map<number, Verdict>()
  for (const { ordinal, after } of submission.changed)
    tell(told, ordinal, { type: 'scored', scored: { ...after, detail: after.detail ?? {} } })
  for (const { ordinal, reason } of submission.not_recomputed) tell(told, ordinal, { type: 'not-recomputed', reason })
  const comparison = openComparison(planned, submission.to, metrics, (record) => {
    const verdict = told.get(record.ordinal)
    told.delete(record.ordinal)
    if (record.outcome !== 'failed') return verdict ?? { type: 'scored', scored: scoredOf(record) }
    if (!verdict) return record.failure?.at === 'scorer' ? { type: 'not-recomputed', reason: 'scorer-error' } : { type: 'failed' }
    if (record.failure?.at === 'scorer') return verdict
    throw new BadSubmission(`Trial ${record.ordinal} failed before it had an answer: there is nothing to score.`)
  })
  return {
    add: comparison.add,
    close() {
      const [unknown] = told.keys()
      if (unknown !== undefined) throw new BadSubmission(`Trial ${unknown} is not a finished trial of ${planned.name} in this run.`)
      const rescored = comparison.close()
      return { ...rescored, summary: { ...rescored.summary, missing_tables: [...(submission.missing_tables ?? [])] } }
    },
  }
}

function tell(told: Map<number, Verdict>, ordinal: number, verdict: Verdict): void {
  if (told.has(ordinal)) throw new BadSubmission(`Trial ${ordinal} is named twice.`)
  told.set(ordinal, verdict)
}

function openComparison(
  planned: PlannedBenchmark,
  to: ScorerIdentity,
  metrics: readonly string[],
  judge: (record: TrialRecord, evidence: EvidenceHere) => Verdict,
): Rescoring {
  const counts: RescoreCounts = { trials: 0, failed: 0, unchanged: 0, changed: 0, not_recomputed: {} }
  const before: MetricRow[] = []
  const after: MetricRow[] = []
  const differences: RescoreDifference[] = []
  const not_recomputed: Rescored['not_recomputed'] = []
  const missing = new Set<TableMissing['table']>()
  return {
    add(record, evidence = evidenceHere(record)) {
      const verdict = judge(record, evidence)
      counts.trials++
      before.push(metricRowOf(record))
      after.push(metricRowOf({ ...record, ...scoredAs(verdict, record) }))
      if (verdict.type === 'failed') counts.failed++
      else if (verdict.type === 'not-recomputed') {
        const { reason, table } = verdict
        counts.not_recomputed[reason] = (counts.not_recomputed[reason] ?? 0) + 1
        not_recomputed.push({ ordinal: record.ordinal, reason })
        if (table) missing.add(table)
      } else if (sameScore(scoredOf(record), verdict.scored)) counts.unchanged++
      else {
        counts.changed++
        const { ordinal, item_id, epoch } = record
        differences.push({ ordinal, item_id, epoch, before: scoredOf(record), after: verdict.scored })
      }
    },
    close() {
      const summary: RescoreSummary = {
        benchmark: planned.name,
        profile: planned.profile,
        from: { version: planned.version, fingerprint: planned.fingerprint ?? null },
        to,
        counts,
        missing_tables: [...missing],
        headline: metrics[0]!, // a card has at least one
        before: computeMetrics(metrics, before, planned),
        after: computeMetrics(metrics, after, planned),
      }
      return { summary, differences, not_recomputed }
    },
  }
}

const unscored: Scored = { outcome: 'failed', score: null, answer: null, explanation: null, flags: [], detail: {} }

/** What metrics see of a trial afterwards: one that could not be scored again has no score. */
function scoredAs(verdict: Verdict, record: TrialRecord): Scored {
  if (verdict.type === 'failed') return scoredOf(record)
  return verdict.type === 'scored' ? verdict.scored : unscored
}

function scoredOf({ outcome, score, answer, explanation, flags, detail }: TrialRecord): Scored {
  return { outcome, score, answer, explanation, flags, detail }
}

/** The same in every field; flags in any order. */
function sameScore(a: Scored, b: Scored): boolean {
  return (
    a.score === b.score &&
    a.outcome === b.outcome &&
    sameJson(a.answer, b.answer) &&
    sameJson(a.explanation, b.explanation) &&
    a.flags.length === b.flags.length &&
    a.flags.every((flag) => b.flags.includes(flag)) &&
    sameJson(a.detail, b.detail)
  )
}

/** Equal JSON values as the record keeps them: the database has its own order of keys, and no text with NUL or half a surrogate pair. */
function sameJson(a: unknown, b: unknown): boolean {
  if (typeof a === 'string' && typeof b === 'string') return a === b || storable(a) === storable(b)
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b
  const keys = Object.keys(a)
  if (Array.isArray(a) !== Array.isArray(b) || keys.length !== Object.keys(b).length) return false
  return keys.every((key) => Object.hasOwn(b, key) && sameJson(a[key as keyof typeof a], b[key as keyof typeof b]))
}

const storable = (text: string): string => text.replaceAll('\0', '\ufffd').replace(/\p{Surrogate}/gu, '\ufffd')
