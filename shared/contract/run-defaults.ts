import * as z from 'zod'
import { askedParams } from './asked-params.ts'

/** The model and parameters that an owner's runs begin with where nobody names a model. A parameter that is left out or null has no default. */
export const RunDefaults = z.strictObject({ ...askedParams, concurrency: askedParams.concurrency.nullish() })
export type RunDefaults = z.infer<typeof RunDefaults>

export const KeptDefaults = z.object({ defaults: RunDefaults.nullable().describe('Your default model and parameters; null for none') })
export type KeptDefaults = z.infer<typeof KeptDefaults>
