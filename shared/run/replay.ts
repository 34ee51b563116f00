import { sha256Hex } from '#sha256'
import type { CreateRun } from '../contract/create-run.ts'
import type { Outcome } from '../contract/failure.ts'
import { KeptAnswers } from '../contract/regrade.ts'
import { type PlannedReplay, type ReplayAnswer, replayProvider } from '../contract/replay.ts'
import { canonicalJson, NotCanonical } from '../export/canonical-json.ts'
import type { AskedModel } from './choose-role.ts'
import { RunRefused } from './run-refused.ts'

/** A trial as a replay knows it: `source_id` is the item's key in its data set, where it has one. */
export type ReplayedTrial = { benchmark: string; item_id: string; source_id: string | null; epoch: number }

const any = null
const keyOf = (benchmark: string | null, item: string | null, by: ReplayAnswer['by'] | null, epoch: number | null): string =>
  JSON.stringify([benchmark, item, item === any ? any : by, epoch])

/**
 * Finds the answer to a trial: those that name the item before those that do not, then those that name the benchmark, then those that name the epoch;
 * of two alike the later. Undefined where none is meant for it.
 */
export function replayFinder<A extends ReplayAnswer>(answers: readonly A[]): (trial: ReplayedTrial) => A | undefined {
  const known = new Map<string, A>()
  for (const answer of answers) known.set(keyOf(answer.benchmark ?? any, answer.item ?? any, answer.by ?? any, answer.epoch ?? any), answer)
  return ({ benchmark, item_id, source_id, epoch }) => {
    // The key of the data set says more than the number of a row: rows of another data set have the same numbers.
    const names = [...(source_id === null ? [] : [[source_id, 'key'] as const]), [item_id, 'id'] as const]
    const items = [...names.flatMap(([item, by]) => [[item, by] as const, [item, any] as const]), [any, any] as const]
    for (const [item, by] of items)
      for (const name of [benchmark, any])
        for (const turn of [epoch, any]) {
          const found = known.get(keyOf(name, item, by, turn))
          if (found) return found
        }
    return undefined
  }
}

/** What a plan holds of the answers given with its request. Throws `RunRefused` for a text that is no Unicode. */
export function plannedReplay(answers: KeptAnswers): PlannedReplay {
  const written = writeReplay(answers)
  if (written instanceof NotCanonical) {
    const message = `The answers cannot be kept as they are: ${written.message}.`
    throw new RunRefused('validation', '/replay', message, message, { cause: written })
  }
  return { sha256: sha256Hex(written), answers: answers.length }
}

function writeReplay(answers: KeptAnswers): string | NotCanonical {
  try {
    return canonicalJson(answers)
  } catch (error) {
    if (error instanceof NotCanonical) return error
    throw error
  }
}

/** Answers as they were kept or sent, when they are those the run was planned with. */
export function readReplay(planned: PlannedReplay, kept: unknown): Outcome<KeptAnswers> {
  const answers = KeptAnswers.safeParse(kept)
  const written = answers.success ? writeReplay(answers.data) : undefined
  if (answers.success && typeof written === 'string' && sha256Hex(written) === planned.sha256) return { ok: true, value: answers.data }
  const detail = `The answers to replay are not those the run was planned with (SHA-256 ${planned.sha256}). Start the run again with the answers that are meant.`
  return { ok: false, failure: { at: 'replay', reason: 'mismatch', retryable: false, status: null, detail } }
}

type Asked = Pick<CreateRun, 'model_id' | 'provider' | 'price' | 'replay'>

/**
 * What stands in the plan in place of a model when answers are given: the label of where they come from. Undefined where a model is to be
 * asked. Throws `RunRefused` where the request names a provider that would be asked, or says that it replays without any answers.
 */
export function findReplayed({ model_id, provider, price, replay }: Asked): AskedModel | undefined {
  if (!replay) {
    if (provider !== replayProvider) return undefined
    throw new RunRefused(
      'validation',
      '/replay',
      'A replay needs its answers: give them as `replay`, or name a provider that serves the model.',
    )
  }
  if (provider != null && provider !== replayProvider)
    throw new RunRefused('validation', '/provider', `With answers to replay no provider is asked: leave ${JSON.stringify(provider)} out.`)
  return { id: model_id, slug: model_id, provider: replayProvider, price: price ?? null, context_length: null, input_modalities: [] }
}
