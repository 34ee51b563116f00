import type { ExchangeEvidence, ExchangeTurn } from '../../contract/evidence/exchange.ts'
import type { ItemFacts } from '../../contract/item.ts'
import { strip } from '../../python/text.ts'
import { costScore, unknownCost } from './cost.ts'
import { type CostFacts, costVerdict, type Tokens } from './cost-efficiency.ts'
import { multimodalScore, type PictureFacts } from './multimodal.ts'
import type { Version } from './phrases.ts'
import { shareHeld } from './phrases.ts'
import { publicScore } from './public-item.ts'
import { plainQuality } from './quality.ts'
import { clamp01 } from './ramp.ts'
import { cites, judgeScore, researchScore, tellsSources } from './research.ts'
import { ScoredFacts } from './scored-facts.ts'
import { speedScore } from './speed.ts'
import { streamMetricsOf, tokenRate } from './stream-metrics.ts'
import { plainStreamScore, streamScore } from './streaming.ts'
import { toolScore } from './tool-use.ts'

/** The five scores of an item, each from 0 to 1, and what they were made of. `cost` is null where nothing is known of it and the reading is mended. */
export type JanusScores = {
  quality: number
  speed: number
  cost: number | null
  streaming: number
  multimodal: number
  /** That of the five which its benchmark is measured by. */
  main: number
  judge: number | null
  flags: string[]
}

/** What is read of an exchange: officially its first turn, else all of it. */
type Read = { text: string; turns: readonly ExchangeTurn[]; first: ExchangeTurn | undefined; tokens: Tokens; latency_ms: number }

/** Scores an exchange by the item's facts: pure, from the record alone. Every score is within 0 and 1. */
export function janusScores(item: ItemFacts, evidence: ExchangeEvidence, version: Version): JanusScores {
  const facts = ScoredFacts.parse(item.metadata)
  const read = readOf(evidence, version)
  const judge = evidence.judge ? judgeScore(evidence.judge.replies.at(-1)!, version) : null
  const cost = costOf(facts, evidence, read, version)
  const quality = clamp01(qualityOf(facts, evidence, read, judge, version) ?? cost.quality)
  const multimodal = multimodalScore(pictureFacts(facts), read.text, evidence.pictures, version)
  const streaming = streamingOf(facts, read, version)
  const metrics = read.first ? streamMetricsOf(read.first, version) : null
  const speed = read.first ? speedScore(read.latency_ms / 1000, metrics!.ttft_s, tokenRate(read.first, version)) : 0
  const failed = version === 'v2' && strip(read.text) === '' && !read.turns.some((turn) => turn.tool_calls.length > 0)
  const scores = failed
    ? { quality: 0, speed: 0, cost: 0, streaming: 0, multimodal: 0 }
    : { quality, speed: clamp01(speed), cost: cost.score, streaming: clamp01(streaming), multimodal: clamp01(multimodal) }
  const flags = [
    ...(cost.counted ? [] : ['usage_unknown']),
    ...(tellsSources(read.text) ? ['tells_sources'] : []),
    ...(cites(read.text) ? ['cites'] : []),
  ]
  return { ...scores, main: mainOf(facts.benchmark, scores), judge, flags }
}

function mainOf(
  benchmark: string,
  { quality, multimodal, streaming, cost }: Pick<JanusScores, 'quality' | 'multimodal' | 'streaming' | 'cost'>,
): number {
  if (benchmark === 'janus_multimodal') return multimodal
  if (benchmark === 'janus_streaming') return streaming
  return benchmark === 'janus_cost' ? (cost ?? 0) : quality
}

function readOf(evidence: ExchangeEvidence, version: Version): Read {
  const turns = version === 'v1' ? evidence.turns.slice(0, 1) : evidence.turns
  const text = version === 'v1' ? (turns[0]?.text ?? '') : (evidence.scoring_input ?? evidence.text)
  const known = turns.length > 0 && turns.every((turn) => turn.usage_known)
  const sum = (each: (turn: ExchangeTurn) => number): number => turns.reduce((total, turn) => total + each(turn), 0)
  const [input, output] = [sum((turn) => turn.usage.input_tokens), sum((turn) => turn.usage.output_tokens)]
  const tokens = known ? { input, output, total: input + output } : { input: null, output: null, total: null }
  return { text, turns, first: turns[0], tokens, latency_ms: sum((turn) => turn.latency_ms) }
}

const callsOf = (turns: readonly ExchangeTurn[]) =>
  turns.flatMap((turn) => turn.tool_calls.map(({ name, arguments: given }) => ({ function: name, arguments: given })))

/** Null for items of cost, whose quality comes with their efficiency. */
function qualityOf(facts: ScoredFacts, evidence: ExchangeEvidence, read: Read, judge: number | null, version: Version): number | null {
  const { benchmark, subtype, evaluation, expected } = facts
  const { text } = read
  const plain = () => plainQuality(text, { answer: facts.expected_answer, keywords: facts.expected_keywords }, version)
  if (benchmark === 'janus_research') {
    if (text === '' || (version === 'v2' && concludesWrongly(facts, text))) return 0
    return researchScore(judge, factShare(facts, text, version)) ?? plainQuality(text, {}, version)
  }
  if (benchmark === 'janus_tool_use' || subtype === 'agentic') {
    const kind = subtype === 'agentic' ? 'function_calling' : subtype
    return toolScore({ ...facts, ...evaluation, subtype: kind }, callsOf(read.turns), text, version)
  }
  if (benchmark === 'janus_cost') return text === '' ? 0 : null
  if (benchmark !== 'janus_public' || !expected) return plain()
  if (subtype === 'code') return codeShare(evidence, text)
  const sourced =
    (subtype === 'research' || subtype === 'deep_research') && (expected.requires_citations === true || (expected.min_sources ?? 0) > 0)
  return publicScore(expected, text, read.latency_ms, sourced, version)
}

/** Whether the first of the words true and false in an answer is not the expected one; where neither stands there it has not concluded. */
function concludesWrongly({ evaluation, expected_answer }: ScoredFacts, text: string): boolean {
  if (!evaluation?.requires?.includes('correct_conclusion') || expected_answer === undefined) return false
  return /\b(?:true|false)\b/i.exec(text)?.[0].toLowerCase() !== expected_answer
}

function codeShare({ code }: ExchangeEvidence, text: string): number {
  if (!code || strip(text) === '' || code.cases.length === 0) return 0
  return code.cases.filter(Boolean).length / code.cases.length
}

/** The share of all listed facts, topics, aspects, elements and concepts; null where none are listed. */
function factShare({ expected_facts = [], evaluation }: ScoredFacts, text: string, version: Version): number | null {
  const { expected_topics = [], required_aspects = [], required_elements = [], required_concepts = [] } = evaluation ?? {}
  const all = [expected_facts, expected_topics, required_aspects, required_elements, required_concepts].flat().filter((fact) => fact !== '')
  return all.length === 0 ? null : shareHeld(text, all, version)
}

type Cost = { quality: number; score: number | null; counted: boolean }

function costOf(facts: ScoredFacts, evidence: ExchangeEvidence, read: Read, version: Version): Cost {
  const counted = read.tokens.total !== null
  const sandbox_s = version === 'v1' || evidence.sandbox_ms === null ? null : evidence.sandbox_ms / 1000
  const plain = costScore({ tokens: read.tokens.total, cost_usd: null, sandbox_s })
  if (facts.benchmark !== 'janus_cost' || read.text === '')
    return { quality: 0, score: plain ?? (version === 'v1' ? unknownCost : null), counted }
  const wanted: CostFacts = { ...facts.evaluation, subtype: facts.subtype, expected_answer: facts.expected_answer }
  const { quality, efficiency } = costVerdict(wanted, read.text, callsOf(read.turns).length, read.tokens, version)
  return { quality, score: clamp01(efficiency), counted }
}

function pictureFacts(facts: ScoredFacts): PictureFacts {
  const subtype = facts.benchmark === 'janus_multimodal' ? facts.subtype : 'multimodal'
  return {
    ...facts.evaluation,
    subtype,
    has_image_input: facts.has_image_input,
    ...(facts.expected_keywords && { expected_keywords: facts.expected_keywords }),
    ...(facts.expected_behavior && { expected_behavior: facts.expected_behavior }),
  }
}

function streamingOf({ benchmark, subtype, evaluation }: ScoredFacts, { first }: Read, version: Version): number {
  if (!first) return 0
  const metrics = streamMetricsOf(first, version)
  if (!evaluation || benchmark === 'janus_public') {
    const max_gap_s = version === 'v1' ? metrics.max_gap_s : (metrics.max_gap_after_first_s ?? metrics.max_gap_s)
    return version === 'v2' && metrics.broken ? 0 : plainStreamScore({ ...metrics, max_gap_s })
  }
  const reasoned = subtype === 'reasoning_response' && evaluation.check_reasoning_content === true && first.reasoning_chars > 0
  return streamScore(metrics, evaluation, reasoned, version)
}
