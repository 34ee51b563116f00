import { type HandOverFacts, mostEndDetail } from '../contract/regrade.ts'
import { handOverFactsName } from '../run/hand-over-of.ts'
import type { Kit } from '../solvers/kit.ts'

/**
 * Keeps who worked and how that ended, for an episode whose work is done and whose verifier could not be had: its hand-over can be graded later. A store that does not
 * take it changes nothing, as the episode has failed already.
 */
export async function keepFacts(kit: Pick<Kit, 'keep'>, { agent, image, steps }: HandOverFacts): Promise<void> {
  const facts: HandOverFacts = {
    agent,
    image,
    steps: steps.map(({ name, agent: { end, turns, detail } }) => ({
      name,
      agent: { end, turns, detail: detail.slice(0, mostEndDetail) },
    })),
  }
  const body = new TextEncoder().encode(JSON.stringify(facts))
  await kit.keep({ name: handOverFactsName, kind: 'file', media_type: 'application/json', body })
}
