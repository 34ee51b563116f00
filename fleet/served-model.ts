import type { Model } from '#shared/contract/model.ts'
import { RunRefused } from '#shared/run/run-refused.ts'
import { demoAnswers } from './cli/demo-answers.ts'
import { providersFrom } from './cli/providers.ts'
import type { DatasetEnv } from './dataset/dataset-env.ts'
import { demoModelId, startDemoModel } from './model/demo-server.ts'
import type { Provider } from './provider.ts'

export type ServedModel = { provider: Provider; model: Pick<Model, 'id' | 'slug' | 'provider' | 'price'>; close(): Promise<void> }
type Asked = { model: string; provider: string | null }

/** A port of this machine that nothing listens on: the demo model answers without the network. */
const nowhere = 'http://127.0.0.1:9'

/**
 * Who serves a model here: a provider named by the environment, else the demo model, which is started for this run. A provider whose models
 * are not known takes any name; whether it has the model shows with the first request. Throws `RunRefused`.
 */
export async function openServedModel(
  asked: Asked,
  env: Record<string, string | undefined>,
  dataset: DatasetEnv,
  say: (line: string) => void,
): Promise<ServedModel> {
  const configured = await providersFrom(env, fetch, say)
  const offered = asked.provider === null ? configured : configured.filter(({ id }) => id === asked.provider)
  const found = offered.find(({ models }) => models.includes(asked.model))
  const demoFits = asked.model === demoModelId && (asked.provider === null || asked.provider === 'demo')
  if (!found && demoFits) return openDemo(dataset)
  const provider = found ?? offered.find(({ models }) => models.length === 0)
  if (provider) return { provider, model: modelOf(asked.model, provider.id, null), close: async () => undefined }
  throw refusal(asked, configured)
}

async function openDemo(dataset: DatasetEnv): Promise<ServedModel> {
  const answerFor = await demoAnswers({ ...dataset, hfEndpoint: nowhere, githubRawEndpoint: nowhere })
  const server = await startDemoModel({ port: 0, answerFor })
  const free = { input_per_million_usd: 0, output_per_million_usd: 0, cached_input_per_million_usd: null }
  return {
    provider: { id: 'demo', label: 'Demo', kind: 'demo', base_url: server.url, models: [demoModelId], api_key: null },
    model: modelOf(demoModelId, 'demo', free),
    close: () => server.close(),
  }
}

const modelOf = (slug: string, provider: string, price: Model['price']) => ({ id: slug, slug, provider, price })

function refusal({ model, provider }: Asked, configured: readonly Provider[]): RunRefused {
  const ids = configured.map(({ id }) => id)
  if (provider !== null && !ids.includes(provider)) {
    const message = `There is no provider ${JSON.stringify(provider)} here. Configured: ${ids.join(', ') || 'none'}.`
    return new RunRefused('unknown-provider', '/provider', message)
  }
  const known = configured.flatMap(({ models }) => models)
  const shown = known.slice(0, 20).join(', ') + (known.length > 20 ? ', …' : '')
  const advice =
    configured.length === 0
      ? `Set CHUTES_API_KEY or OPENAI_BASE_URL to run it, or take ${demoModelId}.`
      : `There are: ${shown}, and ${demoModelId}.`
  return new RunRefused('model-not-found', '/model_id', `There is no model ${JSON.stringify(model)} here. ${advice}`)
}
