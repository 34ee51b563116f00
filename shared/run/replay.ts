import type { ReplayAnswer, ReplayAnswers } from '../contract/replay.ts'

/** A trial as a replay knows it: `source_id` is the item's key in its data set, where it has one. */
export type ReplayedTrial = { benchmark: string; item_id: string; source_id: string | null; epoch: number }

const any = null
const keyOf = (benchmark: string | null, item: string | null, epoch: number | null): string => JSON.stringify([benchmark, item, epoch])

/**
 * Finds the answers to a trial: those that name the item before those that do not, then those that name the benchmark, then those that name the epoch;
 * of two alike the later. Undefined where none is meant for it.
 */
export function replayFinder(answers: ReplayAnswers): (trial: ReplayedTrial) => readonly string[] | undefined {
  const known = new Map<string, ReplayAnswer>()
  for (const answer of answers) known.set(keyOf(answer.benchmark ?? any, answer.item ?? any, answer.epoch ?? any), answer)
  return ({ benchmark, item_id, source_id, epoch }) => {
    // The key of the data set says more than the number of a row: rows of another data set have the same numbers.
    const items = [...(source_id === null ? [] : [source_id]), item_id, any]
    for (const item of items)
      for (const name of [benchmark, any])
        for (const turn of [epoch, any]) {
          const found = known.get(keyOf(name, item, turn))
          if (found) return found.texts
        }
    return undefined
  }
}
