import { BadRecord } from '#shared/benchmarks/task.ts'
import type { Item } from '#shared/contract/item.ts'
import type { ModelParams } from '#shared/contract/message.ts'
import type { PlannedBenchmark } from '#shared/contract/run.ts'
import { planTrials } from '#shared/run/plan.ts'
import { RunRefused } from '#shared/run/run-refused.ts'
import { outcomeOf } from './dataset/dataset-error.ts'
import type { OpenedDataset } from './dataset/open-dataset.ts'
import { openPlanned } from './open-planned.ts'
import type { PlannedHere } from './run-local.ts'

/** What one trial begins with: the messages as the model would get them, with the parameters beside them. */
export type Prompt = Pick<Item, 'item_id' | 'source_id' | 'item_hash' | 'messages'> & {
  benchmark: string
  profile: string
  epoch: number
  params: ModelParams
}

/**
 * The prompts of a planned run, trial after trial in the order of the plan. No model is asked and no sandbox opened; data and official texts are fetched as
 * for the run. Throws `RunRefused` where they cannot be had, and for a row that does not fit.
 */
export async function* renderPrompts({ spec, dataset }: Pick<PlannedHere, 'spec' | 'dataset'>): AsyncGenerator<Prompt> {
  for (const planned of spec.benchmarks) yield* promptsOf(planned, { spec, dataset })
}

async function* promptsOf(planned: PlannedBenchmark, { spec, dataset }: Pick<PlannedHere, 'spec' | 'dataset'>): AsyncGenerator<Prompt> {
  const kept: OpenedDataset[] = []
  try {
    const opened = await outcomeOf(() => openPlanned(planned, dataset, (one) => kept.push(one)))
    const found = opened.ok ? opened.value : opened
    if (!found.ok) throw refusal(found.failure.detail)
    for (const { item_id, epoch } of planTrials({ ...spec, benchmarks: [planned] })) {
      const { source_id, item_hash, messages } = await found.value.items.item(Number(item_id), epoch).catch(unreadable)
      const { name: benchmark, profile, params } = planned
      yield { benchmark, profile, item_id, source_id, item_hash, epoch, messages, params }
    }
  } finally {
    await Promise.all(kept.map((one) => one.close()))
  }
}

function unreadable(error: unknown): never {
  throw error instanceof BadRecord ? refusal(error.message) : error
}

const refusal = (detail: string): RunRefused => new RunRefused('validation', '/selected_benchmarks', detail)
