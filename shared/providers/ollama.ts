import * as z from 'zod'
import { ListedModel, words } from './listed-model.ts'
import { openai } from './openai.ts'
import { freeOfCharge, serverRoot } from './own-machine.ts'
import type { ProviderDef } from './provider-def.ts'
import { nothingTold, reasoningFeatures } from './reasoning-features.ts'

const name = z.string().min(1).max(300).nullish().catch(null)

/** A model of its own list (`/api/tags`), and of OpenAI's, which has the id alone. Older versions tell no capabilities. */
const Listed = z.object({ id: name, model: name, name, capabilities: words, remote_host: name })

/** What it shows and does, where it says so. */
function abilitiesOf(capabilities: readonly string[] | null | undefined): Partial<ListedModel> {
  if (!capabilities) return {}
  const has = (one: string): boolean => capabilities.includes(one)
  return {
    input_modalities: ['text', ...(has('vision') ? ['image'] : []), ...(has('audio') ? ['audio'] : [])],
    features: [
      ...(has('tools') ? ['tools'] : []),
      ...reasoningFeatures({ ...nothingTold, reasons: has('thinking'), takesBudget: has('thinking') ? false : null }),
    ],
  }
}

/**
 * Ollama: models on a machine of one's own, which it loads when they are asked for. The window it lists is the one a model was made with, not the smaller one
 * in which it runs it: what does not fit there it cuts off at the beginning without a word, so that the window is not known here.
 */
export const ollama: ProviderDef = {
  ...openai,
  label: 'Ollama',
  catalogue: 'asked',
  baseUrl: 'http://127.0.0.1:11434/v1',
  listUrls: (base_url) => [`${serverRoot(base_url)}/api/tags`, ...openai.listUrls(base_url)],
  listMs: 3_000,
  readListed(entry) {
    const { success, data } = Listed.safeParse(entry)
    const id = success ? (data.model ?? data.id ?? data.name) : null
    if (!success || id == null) return undefined
    const { capabilities, remote_host } = data
    if (capabilities && !capabilities.includes('completion')) return undefined
    // A model that runs at Ollama's own service is paid for there.
    return ListedModel.parse({ id, price: remote_host ? null : freeOfCharge, ...abilitiesOf(capabilities) })
  },
  budget: 'never',
  resetAt: () => null,
}
