import * as z from 'zod'
import { ListedModel, tokenCount, words } from './listed-model.ts'
import { openai } from './openai.ts'
import { freeOfCharge, serverRoot } from './own-machine.ts'
import type { ProviderDef } from './provider-def.ts'

/** `n_ctx` is the window that one answer has, `n_ctx_train` only what the model was made for; a router tells neither of what is not loaded. */
const Listed = z.object({
  id: z.string().min(1).max(300),
  meta: z.object({ n_ctx: tokenCount }).nullish().catch(null),
  architecture: z.object({ input_modalities: words }).nullish().catch(null),
})

/** What its template can do. One without tools leaves them out of the prompt and says nothing. */
const Props = z.object({ chat_template_caps: z.object({ supports_tools: z.boolean() }) })

/**
 * llama.cpp's own server (`llama-server`). While it loads a model it answers 503, which is waited out; reasoning comes as `reasoning_content`, tokens from its
 * cache also in `timings`, and it takes a budget for reasoning as `thinking_budget_tokens` where its operator says so.
 */
export const llamacpp: ProviderDef = {
  ...openai,
  label: 'llama.cpp',
  catalogue: 'asked',
  baseUrl: 'http://127.0.0.1:8080/v1',
  listMs: 3_000,
  readListed(entry) {
    const { success, data } = Listed.safeParse(entry)
    if (!success) return undefined
    const { id, meta, architecture } = data
    return ListedModel.parse({
      ...{ id, price: freeOfCharge, context_length: meta?.n_ctx ?? null },
      input_modalities: architecture?.input_modalities ?? [],
    })
  },
  sent(name, value, host) {
    return name === 'reasoning_budget_tokens' ? ['thinking_budget_tokens', value] : openai.sent(name, value, host)
  },
  toolsTold: {
    url: (base_url) => `${serverRoot(base_url)}/props`,
    read: (json) => Props.safeParse(json).data?.chat_template_caps.supports_tools ?? null,
  },
  resetAt: () => null,
}
