import type { Usage } from '#shared/contract/usage.ts'
import { type Fields, isFields } from './json-fields.ts'

/** The counts that a provider has told of one answer; null where it has not told one. Input includes cached tokens. */
export type ToldUsage = { input: number | null; output: number | null; cached: number | null; reasoning: number | null }

/** More tokens than any request can cost: a figure above is a fault of the provider, not a bill. */
const mostTokens = 100_000_000

const inputNames = ['prompt_tokens', 'input_tokens', 'prompt_token_count', 'promptTokenCount', 'prompt_eval_count']
const outputNames = ['completion_tokens', 'output_tokens', 'completion_token_count', 'candidatesTokenCount', 'eval_count']
const totalNames = ['total_tokens', 'total_token_count', 'totalTokenCount']

/** A count as a number or as a text; null where it is negative, fractional, absurd or none. */
function tokens(value: unknown): number | null {
  const count = typeof value === 'string' && /^\s*\d{1,12}(?:\.0*)?\s*$/.test(value) ? Number(value) : value
  return typeof count === 'number' && Number.isInteger(count) && count >= 0 && count <= mostTokens ? count : null
}

/** The first count above zero under these names, else a zero that is told, else null. */
function named(usage: Fields, names: readonly string[]): number | null {
  let told: number | null = null
  for (const name of names) {
    const count = tokens(usage[name])
    if (count !== null && count > 0) return count
    told ??= count
  }
  return told
}

const detailsOf = (usage: Fields, ...names: string[]): Fields => names.map((name) => usage[name]).find(isFields) ?? {}

/** Reads one usage object in any form that servers give it; `timings` is what llama.cpp tells beside it. Null: it tells nothing. */
export function readUsage(usage: unknown, timings: unknown = null): ToldUsage | null {
  if (!isFields(usage)) return null
  let input = named(usage, inputNames)
  let output = named(usage, outputNames)
  const total = named(usage, totalNames)
  const read = tokens(usage.cache_read_input_tokens)
  const beside = (read ?? 0) + (tokens(usage.cache_creation_input_tokens) ?? 0)
  if (input !== null && beside > 0 && countsBeside(usage, { input, output, total, beside })) input += beside
  if (total !== null && total > 0) {
    if (input === null && output !== null && total > output) input = total - output
    else if (output === null && input !== null && total >= input) output = total - input
  }
  const inputDetails = detailsOf(usage, 'prompt_tokens_details', 'input_tokens_details')
  const outputDetails = detailsOf(usage, 'completion_tokens_details', 'output_tokens_details')
  const cached =
    tokens(inputDetails.cached_tokens) ??
    tokens(usage.cached_tokens) ??
    tokens(usage.prompt_cache_hit_tokens) ??
    read ??
    (isFields(timings) ? tokens(timings.cache_n) : null)
  const reasoning = tokens(outputDetails.reasoning_tokens ?? usage.reasoning_tokens)
  return input === null && output === null ? null : { input, output, cached, reasoning }
}

/**
 * Whether tokens of the cache are counted beside the input, as Anthropic does, and not within it, as OpenAI does. A total that adds up decides; else
 * the names do, and a cache that is larger than the input cannot lie within it.
 */
function countsBeside(
  usage: Fields,
  { input, output, total, beside }: { input: number; output: number | null; total: number | null; beside: number },
): boolean {
  if (total !== null && output !== null) {
    if (total === input + output) return false
    if (total === input + output + beside) return true
  }
  return beside > input || !(tokens(usage.prompt_tokens) ?? 0)
}

/** Reads the counts in llama.cpp's `timings`, for servers that tell no usage: `prompt_n` leaves out what came from the cache. */
export function readTimings(timings: unknown): ToldUsage | null {
  if (!isFields(timings)) return null
  const [fresh, output, cached] = [tokens(timings.prompt_n), tokens(timings.predicted_n), tokens(timings.cache_n)]
  return fresh === null || output === null ? null : { input: fresh + (cached ?? 0), output, cached, reasoning: null }
}

/** Adds what a later usage tells: each count that it tells stands, but a zero never takes the place of a figure. */
export function laterUsage(before: ToldUsage | null, told: ToldUsage | null): ToldUsage | null {
  if (!before || !told) return told ?? before
  return {
    input: told.input || before.input || told.input,
    output: told.output || before.output || told.output,
    cached: told.cached || before.cached || told.cached,
    reasoning: told.reasoning || before.reasoning || told.reasoning,
  }
}

/**
 * Usage of one call, or null where none that can be used was told: a count is missing, the input is zero, or the output is zero beside an answer.
 * Parts never exceed their whole.
 */
export function usageTold(told: ToldUsage | null, answered: boolean): Usage | null {
  if (!told) return null
  const { input, output, cached, reasoning } = told
  if (input === null || output === null || input === 0 || (output === 0 && answered)) return null
  return {
    input_tokens: input,
    output_tokens: output,
    cached_tokens: Math.min(cached ?? 0, input),
    reasoning_tokens: Math.min(reasoning ?? 0, output),
  }
}
