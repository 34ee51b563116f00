import type { Card } from '#shared/contract/card.ts'
import { createDataChoice, type DataChoice } from '#shared/run/data-choice.ts'
import { readIdentities } from '../config.ts'

/** The choice of data over the samples and overrides that whoever starts this edge gives it as JSON. */
export function configuredDataChoice(
  cards: readonly Card[],
  samplesJson: string | undefined,
  overridesJson: string | undefined,
): DataChoice {
  return createDataChoice(cards, readIdentities(samplesJson), readIdentities(overridesJson))
}
