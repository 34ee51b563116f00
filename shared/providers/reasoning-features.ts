/**
 * What a provider tells of a model's reasoning, among its features: `reasoning` and `no_reasoning` where it says whether there is any,
 * `always_reasons` where it cannot be turned off, `effort:LEVEL` for each level where it names them, `no_reasoning_budget` where it
 * takes levels only. What is not among them is not known.
 */
export type ReasoningTold = {
  reasons: boolean | null
  always: boolean
  /** Null: any level, or it does not say. */
  efforts: readonly string[] | null
  takesBudget: boolean | null
}

export const nothingTold: ReasoningTold = { reasons: null, always: false, efforts: null, takesBudget: null }

const effort = 'effort:'

/** The features that say so. */
export function reasoningFeatures({ reasons, always, efforts, takesBudget }: ReasoningTold): string[] {
  return [
    ...(reasons === null ? [] : [reasons ? 'reasoning' : 'no_reasoning']),
    ...(always ? ['always_reasons'] : []),
    ...(efforts ?? []).map((level) => `${effort}${level}`),
    ...(takesBudget === false ? ['no_reasoning_budget'] : []),
  ]
}

/** What features say of a model's reasoning; `takesBudget` is null where nothing denies it. */
export function readReasoning(features: readonly string[]): ReasoningTold {
  const levels = features.filter((one) => one.startsWith(effort)).map((one) => one.slice(effort.length))
  return {
    reasons: features.includes('no_reasoning') ? false : features.includes('reasoning') || levels.length > 0 ? true : null,
    always: features.includes('always_reasons'),
    efforts: levels.length > 0 ? levels : null,
    takesBudget: features.includes('no_reasoning_budget') ? false : null,
  }
}
