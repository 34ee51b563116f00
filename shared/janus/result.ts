import type { ExchangeEvidence, ExchangeTurn } from '../contract/evidence/exchange.ts'
import type { ItemFacts } from '../contract/item.ts'
import type { TrialRecord } from '../contract/trial.ts'
import { noUsage } from '../contract/usage.ts'
import { type JanusScores, janusScores } from './score/item-score.ts'
import type { Version } from './score/phrases.ts'
import { streamMetricsOf, tokenRate } from './score/stream-metrics.ts'
import type { StreamMetrics } from './score/streaming.ts'

/** A finished trial as composite and report read it; a failed one too. Seconds. */
export type JanusResult = {
  benchmark: string
  subtype: string
  failed: boolean
  answered: boolean
  scores: Pick<JanusScores, 'quality' | 'speed' | 'cost' | 'streaming' | 'multimodal' | 'judge' | 'flags'>
  stream: StreamMetrics
  tokens_per_second: number | null
  latency_s: number
  tokens: { input: number; output: number; baseline: number } | null
}

const noTurn: ExchangeTurn = {
  text: '',
  reasoning_chars: 0,
  finish_reason: null,
  tool_calls: [],
  usage: noUsage,
  usage_known: false,
  latency_ms: 0,
  ttft_ms: null,
  max_gap_ms: null,
  stream: null,
}

/** What a trial without an answer is to the official scorers: an empty answer that took as long as it took. */
function emptyExchange(latency_ms: number): ExchangeEvidence {
  const said = { text: '', reasoning: null, finish_reason: null, scoring_input: null, truncated_reasoning: false }
  const turns = [{ ...noTurn, latency_ms }]
  return { kind: 'exchange', ...said, turns, pictures: [], code: null, judge: null, sandbox_ms: null }
}

type Read = Pick<TrialRecord, 'benchmark' | 'group' | 'outcome' | 'evidence' | 'item_metadata' | 'latency_ms'>

/**
 * The scores of a trial, computed anew from its record by either reading, whatever profile it ran under. A failed trial has what the official scorers
 * give to an empty answer (`v1`), or 0 in everything (`v2`).
 */
export function resultOf(record: Read, version: Version): JanusResult {
  const exchanged = record.evidence?.kind === 'exchange' && record.outcome !== 'failed' ? record.evidence : null
  const evidence = exchanged ?? emptyExchange(record.latency_ms ?? 0)
  const subtype = String(record.item_metadata.subtype ?? record.group ?? '')
  const metadata: ItemFacts['metadata'] = { benchmark: record.benchmark, subtype, ...record.item_metadata }
  const scores = janusScores({ target: '', metadata }, evidence, version)
  const turns = version === 'v1' ? evidence.turns.slice(0, 1) : evidence.turns
  const [first = noTurn] = turns
  const known = turns.length > 0 && turns.every((turn) => turn.usage_known)
  const sum = (each: (turn: ExchangeTurn) => number): number => turns.reduce((total, turn) => total + each(turn), 0)
  const baseline = (metadata.evaluation as { baseline_tokens?: number } | undefined)?.baseline_tokens ?? 0
  return {
    benchmark: record.benchmark,
    subtype,
    failed: !exchanged,
    answered: exchanged !== null && evidence.text.trim() !== '',
    scores,
    stream: streamMetricsOf(first, version),
    tokens_per_second: tokenRate(first, version),
    latency_s: sum((turn) => turn.latency_ms) / 1000,
    tokens: known ? { input: sum((turn) => turn.usage.input_tokens), output: sum((turn) => turn.usage.output_tokens), baseline } : null,
  }
}
