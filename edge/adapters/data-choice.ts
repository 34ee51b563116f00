import * as z from 'zod'
import type { Card } from '#shared/contract/card.ts'
import { DataIdentity } from '#shared/contract/run.ts'
import { createDataChoice, type DataChoice } from '#shared/run/data-choice.ts'
import { parse } from '../config.ts'

const Identities = z.record(z.string(), DataIdentity)

/** The choice of data over the samples and overrides that whoever starts this edge gives it as JSON. */
export function configuredDataChoice(cards: readonly Card[], samplesJson: string, overridesJson: string): DataChoice {
  return createDataChoice(cards, parse('SAMPLES', Identities, samplesJson), parse('DATA_OVERRIDES', Identities, overridesJson))
}
