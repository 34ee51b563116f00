import * as z from 'zod'
import type { ListedModel } from './listed-model.ts'
import type { ProviderDef } from './provider-def.ts'

/** OpenAI's form, which nearly all have, and LM Studio's. */
const ModelList = z.union([
  z.object({ data: z.array(z.unknown()) }).transform(({ data }) => data),
  z.object({ models: z.array(z.unknown()) }).transform(({ models }) => models),
])

/** The models of a list that a provider answered with; an entry that does not read is left out. Undefined for what is no list. */
export function readModelList(json: unknown, { readListed }: Pick<ProviderDef, 'readListed'>): ListedModel[] | undefined {
  const { success, data } = ModelList.safeParse(json)
  return success ? data.flatMap((entry) => readListed(entry) ?? []) : undefined
}
