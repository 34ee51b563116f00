import { builtinRepo, type Card } from '../contract/card.ts'
import type { CreateRun } from '../contract/create-run.ts'
import type { DataIdentity } from '../contract/run.ts'

/** The data a benchmark would run on for a choice and a provider; undefined where that is not offered. */
export type DataChoice = (benchmark: string, choice: CreateRun['data'], provider: string) => DataIdentity | undefined

/**
 * Which data a benchmark runs on, given the samples and overrides there are by its name. `auto` takes an operator's override first, the
 * invented sample for the demo model (which knows nothing else), and the pinned data set otherwise. Data that are part of the program have no sample:
 * the demo model knows them too.
 */
export function createDataChoice(
  cards: readonly Card[],
  samples: Readonly<Record<string, DataIdentity>>,
  overrides: Readonly<Record<string, DataIdentity>>,
): DataChoice {
  return (benchmark, choice, provider) => {
    const card = cards.find((each) => each.name === benchmark)
    if (!card) return undefined
    const pinned = pinnedData(card)
    if (choice === 'sample') return samples[benchmark]
    if (choice === 'override') return overrides[benchmark]
    if (choice === 'pinned') return pinned
    return overrides[benchmark] ?? (provider === 'demo' && card.data.repo !== builtinRepo ? samples[benchmark] : pinned)
  }
}

/** The whole data set of a benchmark, as its card pins it. */
export function pinnedData({ data: { repo, revision, files } }: Card): DataIdentity {
  return { source: 'pinned', repo, revision, files }
}
