import { pySpace, splitSpace } from '../../python/text.ts'
import { holds, type Version } from './phrases.ts'
import { clamp01 } from './ramp.ts'

export type CostFacts = {
  subtype: string
  required?: readonly string[]
  max_words?: number
  quality_criteria?: readonly string[]
  min_matches?: number
  max_tokens?: number
  max_tool_calls?: number
  expected_answer_contains?: readonly string[]
  answer_must_appear_within_first?: number
  baseline_tokens?: number
  expected_answer?: string | undefined
}

/** Tokens as the provider counted them; null where it did not. */
export type Tokens = { input: number | null; output: number | null; total: number | null }

/** `quality` of v1 can be above 1, as the official one can. */
export type CostVerdict = { quality: number; efficiency: number; conciseness: number | null; total_tokens: number; counted: boolean }

/**
 * An answer of the cost benchmark: how good it is, and its efficiency: quality times half of baseline over tokens, the ratio counting up to 2, so that an
 * answer of exactly the baseline has half its quality. Officially words are counted where tokens are not known; `v2` then gives an efficiency of 0.
 */
export function costVerdict(facts: CostFacts, text: string, calls: number, tokens: Tokens, version: Version): CostVerdict {
  const output = tokens.output ?? splitSpace(text).length
  const sum = tokens.total ?? (tokens.input ?? 0) + output
  const total = sum <= 0 ? output : sum
  const raw = qualityOf(facts, text, calls, output, version)
  const quality = version === 'v2' ? clamp01(raw) : raw
  const counted = tokens.output !== null || tokens.total !== null
  const baseline = (facts.baseline_tokens ?? 0) > 0 ? facts.baseline_tokens! : Math.max(1, total)
  const efficiency = version === 'v2' && !counted ? 0 : efficiencyOf(quality, total, baseline)
  const conciseness = facts.subtype === 'concise_response' ? lengthScore(text, facts.max_words ?? 50) : null
  return { quality, efficiency, conciseness, total_tokens: total, counted }
}

/** Quality times half of baseline over tokens, the ratio counting up to 2; never above 1. */
export function efficiencyOf(quality: number, tokens: number, baseline: number): number {
  if (tokens <= 0 || baseline <= 0) return 0
  return Math.min(1, quality * (Math.min(2, baseline / tokens) / 2))
}

function qualityOf(facts: CostFacts, text: string, calls: number, output: number, version: Version): number {
  if (facts.subtype === 'concise_response') return conciseScore(facts, text, version)
  if (facts.subtype === 'efficient_explanation') return explanationScore(facts, text, output, version)
  if (facts.subtype === 'minimal_tools') return toolCountScore(facts, text, calls, version)
  if (facts.subtype === 'direct_answer') return directScore(facts, text, version)
  return 0.5
}

/** 1 within so many words, 0.5 within twice as many, else 0.2; 1 where no number is set. */
export function lengthScore(text: string, most: number): number {
  const words = splitSpace(text).length
  return most <= 0 || words <= most ? 1 : words <= most * 2 ? 0.5 : 0.2
}

function conciseScore({ required = [], max_words = 50 }: CostFacts, text: string, version: Version): number {
  const found = required.filter((phrase) => holds(text, phrase, version)).length
  return (required.length === 0 ? 1 : found / required.length) * 0.7 + lengthScore(text, max_words) * 0.3
}

function explanationScore(facts: CostFacts, text: string, output: number, version: Version): number {
  const { quality_criteria = [], min_matches = 1, baseline_tokens = 100, max_tokens = 200 } = facts
  const least = Math.max(1, min_matches)
  const found = quality_criteria.filter((criterion) => holds(text, criterion, version)).length
  const met = found >= least ? found / least : (found / least) * 0.7
  const over = ((output - baseline_tokens) / Math.max(1, max_tokens - baseline_tokens)) * 0.5
  const length = output <= baseline_tokens ? 1 : output <= max_tokens ? 1 - over : 0.3
  return (version === 'v2' ? Math.min(1, met) : met) * 0.6 + length * 0.4
}

function toolCountScore(facts: CostFacts, text: string, calls: number, version: Version): number {
  const right = (facts.expected_answer_contains ?? []).some((answer) => holds(text, answer, version))
  const few = calls <= (facts.max_tool_calls ?? 1)
  return right ? (few ? 1 : 0.6) : few ? 0.3 : 0.1
}

const digits = /\p{Nd}+\.?\p{Nd}*/u
const spaces = new RegExp(`[${pySpace}]+`, 'u')

/** 1 where the answer stands among the first words, 0.5 later, 0.2 nowhere. Officially any number is an answer; `v2` wants the right one, else 0. */
function directScore(facts: CostFacts, text: string, version: Version): number {
  const { answer_must_appear_within_first: most = 50, expected_answer } = facts
  const first = splitSpace(text).slice(0, most).join(' ')
  if (version === 'v2' && expected_answer !== undefined) {
    const whole = text.split(spaces).join(' ')
    return holds(first, expected_answer, 'v2') ? 1 : holds(whole, expected_answer, 'v2') ? 0.5 : 0
  }
  return digits.test(first) ? 1 : digits.test(text) ? 0.5 : 0.2
}
