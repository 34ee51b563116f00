import type { RunDefaults } from '#shared/contract/run-defaults.ts'
import { defaultConcurrency, readSelection, type Selection } from './selection.ts'

type Search = Parameters<typeof readSelection>[0]

/** Whether the start page begins with somebody's defaults: an address that names a model says all itself. */
export const areApplied = (search: Search, defaults: RunDefaults | null): defaults is RunDefaults =>
  defaults !== null && readSelection(search).model === undefined

/** The selection of an address, with the defaults in place of what it leaves out where they are applied. */
export function startingSelection(search: Search, defaults: RunDefaults | null): Selection {
  const read = readSelection(search)
  if (!areApplied(search, defaults)) return read
  const kept = selectionOf(defaults)
  const thinks = read.reasoning !== undefined || read.reasoningBudget !== undefined
  return {
    ...read,
    ...{ model: kept.model, provider: kept.provider },
    temperature: read.temperature ?? kept.temperature,
    topP: read.topP ?? kept.topP,
    maxTokens: read.maxTokens ?? kept.maxTokens,
    reasoning: thinks ? read.reasoning : kept.reasoning,
    reasoningBudget: thinks ? read.reasoningBudget : kept.reasoningBudget,
    budget: read.budget ?? kept.budget,
    concurrency: search.concurrency === undefined ? kept.concurrency : read.concurrency,
  }
}

/** Defaults as the fields of the start page show them. */
export function selectionOf(defaults: RunDefaults | null): Selection {
  const none = readSelection({})
  if (defaults === null) return none
  return {
    ...none,
    model: defaults.model_id,
    provider: defaults.provider ?? undefined,
    temperature: defaults.temperature ?? undefined,
    topP: defaults.top_p ?? undefined,
    maxTokens: defaults.max_tokens ?? undefined,
    reasoning: defaults.reasoning_effort ?? undefined,
    reasoningBudget: defaults.reasoning_budget_tokens ?? undefined,
    budget: defaults.budget_usd ?? undefined,
    concurrency: defaults.concurrency ?? defaultConcurrency,
  }
}

/** The same the other way round; what is as without defaults is left out. Undefined without a model. */
export function defaultsOf(selection: Selection): RunDefaults | undefined {
  const { model: model_id, concurrency } = selection
  if (model_id === undefined) return undefined
  return {
    model_id,
    provider: selection.provider ?? null,
    temperature: selection.temperature ?? null,
    top_p: selection.topP ?? null,
    max_tokens: selection.maxTokens ?? null,
    reasoning_effort: selection.reasoning ?? null,
    reasoning_budget_tokens: selection.reasoningBudget ?? null,
    budget_usd: selection.budget ?? null,
    concurrency: concurrency === defaultConcurrency ? null : concurrency,
  }
}
