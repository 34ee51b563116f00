import { type ListedModel, namedModel } from '#shared/providers/listed-model.ts'
import type { KeyedProvider } from '#shared/providers/provider.ts'
import { defOf } from '#shared/providers/providers.ts'
import type { AskedModel, RoleLookup, RoleModelName } from '#shared/run/choose-role.ts'
import { modelReadings } from '#shared/run/model-readings.ts'
import { RunRefused } from '#shared/run/run-refused.ts'
import { providersFrom } from './configured-providers.ts'
import type { DatasetEnv } from './dataset/dataset-env.ts'
import { demoAnswers } from './model/demo-answers.ts'
import { demoModelId, startDemoModel } from './model/demo-server.ts'

export type ServedModel = {
  /** Everyone who can be asked here, for the model and for judges. */
  providers: KeyedProvider[]
  model: AskedModel
  helperFor: RoleLookup
  close(): Promise<void>
}
type Asked = { model: string; provider: string | null }

/** A port of this machine that nothing listens on: the demo model answers without the network. */
const nowhere = 'http://127.0.0.1:9'

/** Who is there beside a replay: nobody serves the answers, but helpers are asked as ever. */
export async function besideReplay(
  model: AskedModel,
  env: Record<string, string | undefined>,
  say: (line: string) => void,
): Promise<ServedModel> {
  const configured = await providersFrom(env, fetch, say)
  return { providers: configured, model, helperFor: modelsIn(configured), close: async () => undefined }
}

/**
 * Who serves a model here: a provider named by the environment, else the demo model, which is started for this run. A provider whose models
 * are not known takes any name; whether it has the model shows with the first request. `benchmarks` are those that the run names, or none where it
 * asks a suite. Throws `RunRefused`.
 */
export async function openServedModel(
  asked: Asked,
  env: Record<string, string | undefined>,
  dataset: DatasetEnv,
  benchmarks: readonly string[],
  say: (line: string) => void,
): Promise<ServedModel> {
  const configured = await providersFrom(env, fetch, say)
  const lists = offersOf(asked, configured).some(({ models }) => models.some(({ id }) => id === asked.model))
  if (!lists && isDemo({ model_id: asked.model, provider: asked.provider })) return openDemo(dataset, benchmarks, configured)
  const model = findIn(configured, asked)
  if (!model) throw refusal(asked, configured)
  return { providers: configured, model, helperFor: modelsIn(configured), close: async () => undefined }
}

const offersOf = ({ provider }: Asked, configured: readonly KeyedProvider[]): readonly KeyedProvider[] =>
  provider === null ? configured : configured.filter(({ id }) => id === provider)

/** Whom a name means: a listed model by its own id, one behind the name of its provider, and then whatever a provider without a list may have. */
function findIn(configured: readonly KeyedProvider[], asked: Asked): AskedModel | undefined {
  const readings = modelReadings({ model_id: asked.model, provider: asked.provider }, configured)
  const [own, ...behind] = readings.map(({ model_id, provider }) => ({ model: model_id, provider }))
  const found = [own!, ...behind].map((one) => listedIn(configured, one)).find((one) => one !== undefined)
  return found ?? [...behind, own!].map((one) => openIn(configured, one)).find((one) => one !== undefined)
}

function listedIn(configured: readonly KeyedProvider[], asked: Asked): AskedModel | undefined {
  for (const provider of offersOf(asked, configured)) {
    const model = provider.models.find(({ id }) => id === asked.model)
    if (model) return modelOf(model, provider)
  }
  return undefined
}

function openIn(configured: readonly KeyedProvider[], asked: Asked): AskedModel | undefined {
  const open = offersOf(asked, configured).find(({ models }) => models.length === 0)
  return open && modelOf(namedModel(asked.model), open)
}

const modelsIn =
  (configured: readonly KeyedProvider[]): RoleLookup =>
  ({ model_id, provider }) =>
    findIn(configured, { model: model_id, provider })

const isDemo = (name: RoleModelName): boolean =>
  modelReadings(name, [{ id: 'demo' }]).some(({ model_id, provider }) => model_id === demoModelId && (provider ?? 'demo') === 'demo')

/** The demo model learns the answers when it is first asked: a run that is refused waits for nothing. */
async function openDemo(dataset: DatasetEnv, benchmarks: readonly string[], configured: KeyedProvider[]): Promise<ServedModel> {
  let learned: ReturnType<typeof demoAnswers> | undefined
  const learn = () =>
    demoAnswers(
      { ...dataset, hfEndpoint: nowhere, githubRawEndpoint: nowhere, githubArchiveEndpoint: nowhere },
      benchmarks.length > 0 ? benchmarks : undefined,
    )
  const server = await startDemoModel({
    port: 0,
    async answerFor(prompt, messages, tools) {
      learned ??= learn()
      return (await learned)(prompt, messages, tools)
    },
  })
  const listed = namedModel(demoModelId)
  const provider: KeyedProvider = { id: 'demo', label: 'Demo', kind: 'demo', base_url: server.url, models: [listed], api_key: null }
  const model = modelOf(listed, provider)
  const others = modelsIn(configured)
  return {
    providers: [provider, ...configured],
    model,
    helperFor: (name) => (isDemo(name) ? model : others(name)),
    close: () => server.close(),
  }
}

function modelOf(listed: ListedModel, provider: KeyedProvider): AskedModel {
  const { id, price, context_length, input_modalities, features } = { ...listed, ...defOf(provider).everyModel }
  return { id, slug: id, provider: provider.id, price, context_length, input_modalities, features }
}

function refusal({ model, provider }: Asked, configured: readonly KeyedProvider[]): RunRefused {
  const ids = configured.map(({ id }) => id)
  if (provider !== null && !ids.includes(provider)) {
    const message = `There is no provider ${JSON.stringify(provider)} here. Configured: ${ids.join(', ') || 'none'}.`
    return new RunRefused('unknown-provider', '/provider', message)
  }
  const known = configured.flatMap(({ models }) => models.map(({ id }) => id))
  const shown = known.slice(0, 20).join(', ') + (known.length > 20 ? ', …' : '')
  const advice =
    configured.length === 0
      ? `Set CHUTES_API_KEY, OPENAI_BASE_URL or LMSTUDIO_BASE_URL to run it, or take ${demoModelId}.`
      : `There are: ${shown}, and ${demoModelId}.`
  return new RunRefused('model-not-found', '/model_id', `There is no model ${JSON.stringify(model)} here. ${advice}`)
}
