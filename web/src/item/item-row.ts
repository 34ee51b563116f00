import type { RunItem } from '#shared/contract/api.ts'
import type { TrialOutcome } from '#shared/contract/trial.ts'
import type { FeedRow } from '../live.ts'

/** One line of the item list. `snippet` is empty for results that came by the stream: it carries no item text. */
export type ItemRow = {
  ordinal: number
  benchmark: string
  item_id: string
  epoch: number
  group: string | null
  outcome: TrialOutcome
  score: number | null
  answer: string | null
  expected: string | null
  flags: string[]
  failure: string | null
  latency_ms: number | null
  output_tokens: number
  snippet: string
}

export function toRow(item: RunItem): ItemRow {
  const { ordinal, benchmark, item_id, epoch, group, outcome, score, flags, failure, latency_ms, output_tokens } = item
  const answer = item.answer?.slice(0, 60) ?? null
  const expected = item.expected?.slice(0, 60) ?? null
  return {
    ordinal,
    benchmark,
    item_id,
    epoch,
    group,
    outcome,
    score,
    answer,
    expected,
    flags,
    failure,
    latency_ms,
    output_tokens,
    snippet: snippetOf(item),
  }
}

export function feedToRow(brief: FeedRow): ItemRow {
  const { ordinal, benchmark, item_id, epoch, group, outcome, score, answer, expected, flags, failure, latency_ms, usage } = brief
  return {
    ordinal,
    benchmark,
    item_id,
    epoch,
    group,
    outcome,
    score,
    answer,
    expected,
    flags,
    failure,
    latency_ms,
    output_tokens: usage.output_tokens,
    snippet: '',
  }
}

/** The item's own question where its metadata has one (worked examples make prompts begin alike), else the prompt's beginning. */
function snippetOf(item: RunItem): string {
  const { question, problem, prompt } = item.item_metadata
  const text = [question, problem, prompt].find((one) => typeof one === 'string') ?? item.prompt
  return (text as string).slice(0, 400).replace(/\s+/g, ' ').trim().slice(0, 140)
}

/** Rows with the stream's new ones in front, each trial once; the stream carries no texts, so a loaded twin lends its own. */
export function mergeRows(fresh: readonly ItemRow[], rows: readonly ItemRow[]): ItemRow[] {
  const seen = new Set(fresh.map((row) => row.ordinal))
  const texts = new Map(rows.filter((row) => row.snippet && seen.has(row.ordinal)).map((row) => [row.ordinal, row.snippet]))
  const front = fresh.map((row) => (row.snippet || !texts.has(row.ordinal) ? row : { ...row, snippet: texts.get(row.ordinal)! }))
  return [...front, ...rows.filter((row) => !seen.has(row.ordinal))]
}
