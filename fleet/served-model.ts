import { type ListedModel, namedModel } from '#shared/providers/listed-model.ts'
import type { KeyedProvider } from '#shared/providers/provider.ts'
import { defOf } from '#shared/providers/providers.ts'
import type { AskedModel, RoleLookup } from '#shared/run/choose-role.ts'
import { RunRefused } from '#shared/run/run-refused.ts'
import { demoAnswers } from './cli/demo-answers.ts'
import { providersFrom } from './cli/providers.ts'
import type { DatasetEnv } from './dataset/dataset-env.ts'
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
  const demoFits = asked.model === demoModelId && (asked.provider === null || asked.provider === 'demo')
  if (!lists && demoFits) return openDemo(dataset, benchmarks, configured)
  const model = findIn(configured, asked)
  if (!model) throw refusal(asked, configured)
  return { providers: configured, model, helperFor: modelsIn(configured), close: async () => undefined }
}

const offersOf = ({ provider }: Asked, configured: readonly KeyedProvider[]): readonly KeyedProvider[] =>
  provider === null ? configured : configured.filter(({ id }) => id === provider)

function findIn(configured: readonly KeyedProvider[], asked: Asked): AskedModel | undefined {
  const offered = offersOf(asked, configured)
  const listed = offered.flatMap((provider) => {
    const model = provider.models.find(({ id }) => id === asked.model)
    return model ? [{ provider, model }] : []
  })
  const open = offered.find(({ models }) => models.length === 0)
  const found = listed[0] ?? (open && { provider: open, model: namedModel(asked.model) })
  return found && modelOf(found.model, found.provider)
}

const modelsIn =
  (configured: readonly KeyedProvider[]): RoleLookup =>
  ({ model_id, provider }) =>
    findIn(configured, { model: model_id, provider })

/** The demo model learns the answers when it is first asked: a run that is refused waits for nothing. */
async function openDemo(dataset: DatasetEnv, benchmarks: readonly string[], configured: KeyedProvider[]): Promise<ServedModel> {
  let learned: ReturnType<typeof demoAnswers> | undefined
  const learn = () =>
    demoAnswers({ ...dataset, hfEndpoint: nowhere, githubRawEndpoint: nowhere }, benchmarks.length > 0 ? benchmarks : undefined)
  const server = await startDemoModel({
    port: 0,
    async answerFor(prompt) {
      learned ??= learn()
      return (await learned)(prompt)
    },
  })
  const listed = namedModel(demoModelId)
  const provider: KeyedProvider = { id: 'demo', label: 'Demo', kind: 'demo', base_url: server.url, models: [listed], api_key: null }
  const model = modelOf(listed, provider)
  const others = modelsIn(configured)
  return {
    providers: [provider, ...configured],
    model,
    helperFor: (name) => (name.model_id === demoModelId && (name.provider ?? 'demo') === 'demo' ? model : others(name)),
    close: () => server.close(),
  }
}

function modelOf(listed: ListedModel, provider: KeyedProvider): AskedModel {
  const { id, price, context_length, input_modalities } = { ...listed, ...defOf(provider).everyModel }
  return { id, slug: id, provider: provider.id, price, context_length, input_modalities }
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
      ? `Set CHUTES_API_KEY or OPENAI_BASE_URL to run it, or take ${demoModelId}.`
      : `There are: ${shown}, and ${demoModelId}.`
  return new RunRefused('model-not-found', '/model_id', `There is no model ${JSON.stringify(model)} here. ${advice}`)
}
