import * as z from 'zod'
import { ListedModel, tokenCount, words } from './listed-model.ts'
import type { HeldModel, HeldModels, ModelHolding } from './model-holding.ts'
import { openai } from './openai.ts'
import { freeOfCharge, serverRoot } from './own-machine.ts'
import type { ProviderDef } from './provider-def.ts'
import { nothingTold, type ReasoningTold, reasoningFeatures } from './reasoning-features.ts'

const text = z.string().min(1).max(300)
const flag = z.boolean().nullish().catch(null)

/** A model in the native list of 0.4 and later (`/api/v1/models`). */
const Native = z.object({
  key: text,
  type: z.string(),
  max_context_length: tokenCount,
  loaded_instances: z.array(z.object({ id: text, config: z.object({ context_length: tokenCount }).nullish().catch(null) })).catch([]),
  capabilities: z
    .object({ vision: flag, trained_for_tool_use: flag, reasoning: z.object({ allowed_options: words }).nullish().catch(null) })
    .nullish()
    .catch(null),
})
/** A model in the native list from 0.3.6 on (`/api/v0/models`), and in OpenAI's, which has the name alone. */
const Former = z.object({
  id: text,
  type: z.string().nullish().catch(null),
  state: z.string().nullish().catch(null),
  max_context_length: tokenCount,
  loaded_context_length: tokenCount,
})

const languageTypes = ['llm', 'vlm']
/** OpenAI's list has no types; the server names every embedding model so. */
const embeddingName = /^text-embedding-/

const isLanguage = ({ id, type }: z.infer<typeof Former>): boolean =>
  type == null ? !embeddingName.test(id) : languageTypes.includes(type)

/** The names that OpenAI's endpoint takes for what the native list calls `off`; `on` is what a model does by itself. */
const levelOf = (option: string): string[] => (option === 'on' ? [] : [option === 'off' ? 'none' : option])

function reasoningOf({ capabilities }: z.infer<typeof Native>): ReasoningTold {
  const options = capabilities?.reasoning?.allowed_options
  return options ? { ...nothingTold, reasons: true, efforts: options.flatMap(levelOf) } : nothingTold
}

function readNative(model: z.infer<typeof Native>): ListedModel {
  const { key, max_context_length, loaded_instances, capabilities } = model
  return ListedModel.parse({
    id: key,
    price: freeOfCharge,
    context_length: loaded_instances[0]?.config?.context_length ?? max_context_length ?? null,
    input_modalities: capabilities ? ['text', ...(capabilities.vision ? ['image'] : [])] : [],
    features: [...(capabilities?.trained_for_tool_use ? ['tools'] : []), ...reasoningFeatures(reasoningOf(model))],
  })
}

function readFormer(model: z.infer<typeof Former>): ListedModel {
  const { id, type, max_context_length, loaded_context_length } = model
  const input_modalities = type === 'vlm' ? ['text', 'image'] : type === 'llm' ? ['text'] : []
  return ListedModel.parse({
    id,
    price: freeOfCharge,
    context_length: loaded_context_length ?? max_context_length ?? null,
    input_modalities,
  })
}

const stateUrls = (base_url: string): readonly string[] => ['v1', 'v0'].map((version) => `${serverRoot(base_url)}/api/${version}/models`)

const heldNative = ({ key, type, loaded_instances, max_context_length }: z.infer<typeof Native>): HeldModel => ({
  ...{ id: key, language: languageTypes.includes(type), loaded: loaded_instances.map(({ id }) => id) },
  context_length: loaded_instances[0]?.config?.context_length ?? max_context_length ?? null,
})
const heldFormer = (model: z.infer<typeof Former>): HeldModel => ({
  ...{ id: model.id, language: isLanguage(model), loaded: model.state === 'loaded' ? [model.id] : [] },
  context_length: model.loaded_context_length ?? model.max_context_length ?? null,
})

function readState(json: unknown): HeldModels | undefined {
  const native = z.object({ models: z.array(z.unknown()) }).safeParse(json)
  if (native.success) return { models: readable(Native, native.data.models).map(heldNative), steerable: true }
  const former = z.object({ data: z.array(z.unknown()) }).safeParse(json)
  return former.success ? { models: readable(Former, former.data.data).map(heldFormer), steerable: false } : undefined
}

function readable<S extends z.ZodType>(schema: S, entries: readonly unknown[]): z.infer<S>[] {
  return entries.flatMap((entry) => {
    const { success, data } = schema.safeParse(entry)
    return success ? [data] : []
  })
}

/** `POST /api/v1/models/load` and `/unload`, as the documentation of 0.4 has them; an answer of an early version calls the instance otherwise. */
const holding: ModelHolding = {
  stateUrls,
  readState,
  load: (base_url, model) => ({ url: `${serverRoot(base_url)}/api/v1/models/load`, body: { model } }),
  readLoaded(json) {
    const { success, data } = z.object({ instance_id: text.optional(), model_instance_id: text.optional() }).safeParse(json)
    return success ? (data.instance_id ?? data.model_instance_id) : undefined
  },
  unload: (base_url, instance_id) => ({ url: `${serverRoot(base_url)}/api/v1/models/unload`, body: { instance_id } }),
  byHand: { load: (model) => `lms load ${model}`, unload: (model) => (model === 'all' ? 'lms unload --all' : `lms unload ${model}`) },
}

/** LM Studio: models on a machine of one's own, loaded and unloaded over HTTP, of which it answers with whichever it has where loading on demand is off. */
export const lmstudio: ProviderDef = {
  ...openai,
  label: 'LM Studio',
  baseUrl: 'http://127.0.0.1:1234/v1',
  catalogue: 'asked',
  listUrls: (base_url) => [...stateUrls(base_url), ...openai.listUrls(base_url)],
  listMs: 3_000,
  readListed(entry) {
    const native = Native.safeParse(entry)
    if (native.success) return languageTypes.includes(native.data.type) ? readNative(native.data) : undefined
    const former = Former.safeParse(entry)
    return former.success && isLanguage(former.data) ? readFormer(former.data) : undefined
  },
  budget: 'never',
  holding,
  // An instance may bear its quantization or a number behind the name of its model.
  isAnswerOf: (asked, reported) => reported === asked || (reported.startsWith(asked) && /^[@:]/.test(reported.slice(asked.length))),
  resetAt: () => null,
}
