import * as z from 'zod'
import type { Card } from '#shared/contract/card.ts'
import { DataIdentity } from '#shared/contract/run.ts'
import { parse } from '../config.ts'
import type { Deps } from '../deps.ts'

const Identities = z.record(z.string(), DataIdentity)

/**
 * Which data a benchmark would run on. `auto` takes an operator's override first, the invented sample for the demo model (which knows nothing
 * else), and the pinned data set otherwise.
 */
export function createDataChoice(cards: readonly Card[], samplesJson: string, overridesJson: string): Deps['dataFor'] {
  const samples = parse('SAMPLES', Identities, samplesJson)
  const overrides = parse('DATA_OVERRIDES', Identities, overridesJson)
  return (benchmark, choice, provider) => {
    const card = cards.find((each) => each.name === benchmark)
    if (!card) return undefined
    const pinned: DataIdentity = { source: 'pinned', repo: card.data.repo, revision: card.data.revision, files: card.data.files }
    if (choice === 'sample') return samples[benchmark]
    if (choice === 'override') return overrides[benchmark]
    if (choice === 'pinned') return pinned
    return overrides[benchmark] ?? (provider === 'demo' ? samples[benchmark] : pinned)
  }
}
