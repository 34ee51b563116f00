import * as z from 'zod'
import { replayProvider } from '../contract/replay.ts'
import { ListedModel, namedModel } from './listed-model.ts'
import { ProviderHeaders, WrittenHeaders } from './provider-headers.ts'

/** What kinds of providers there are; `shared/providers/providers.ts` says of each how it differs. */
export const providerKinds = [
  ...(['chutes', 'openai', 'openrouter', 'janus'] as const),
  ...(['vllm', 'sglang', 'ollama', 'llamacpp', 'lmstudio'] as const),
  'demo',
] as const
export const ProviderKind = z.enum(providerKinds)
export type ProviderKind = z.infer<typeof ProviderKind>

/** A model by its name alone, or with what is known of it. */
const Offered = z.union([ListedModel.shape.id.transform(namedModel), ListedModel])

/** Names under which servers take a budget of tokens for reasoning: vLLM's, which needs its `--reasoning-config`, and llama.cpp's. */
export const reasoningBudgetFields = ['thinking_token_budget', 'thinking_budget_tokens'] as const

/** A model provider as it is configured: the one form of it that service, agents and command line read. */
export const ConfiguredProvider = z.object({
  id: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$/, 'may have letters, digits, dots, dashes and underscores, 40 at most')
    .refine((id) => id !== replayProvider, `may not be ${replayProvider}: that names answers which no provider gave`),
  label: z.string().min(1),
  kind: ProviderKind,
  /** To which `/chat/completions` and `/models` are added. */
  base_url: z.url(),
  models: z.array(Offered),
  /** Requests a second that the key allows over all agents together; absent where that is not known. */
  rate_limit: z.int().min(1).nullish(),
  /** By which field the server keeps to a budget for reasoning; absent where nobody says that it does: most servers ignore what they do not know. */
  reasoning_budget_field: z.enum(reasoningBudgetFields).nullish(),
  /** Whether an agent takes the models of a run out of the server's memory after its last run with them; LM Studio only. */
  unload_after_run: z.boolean().optional(),
})
export type ConfiguredProvider = z.infer<typeof ConfiguredProvider>

/** Where calls that an access token of Sign in with Chutes pays are sent, and the name that they call the server by. */
export const TokenRoute = z.object({ base_url: z.url(), host: z.string().nullable() })
export type TokenRoute = z.infer<typeof TokenRoute>

/** The same with its key and headers, which stay on the machine that asks: the service is told everything else. */
export const KeyedProvider = ConfiguredProvider.extend({
  api_key: z.string().nullable(),
  headers: ProviderHeaders.optional(),
  /** Absent: access tokens go to `base_url`, as keys do. */
  token_route: TokenRoute.optional(),
})
export type KeyedProvider = z.infer<typeof KeyedProvider>

const everyIdOnce = (all: readonly { id: string }[]): boolean => new Set(all.map(({ id }) => id)).size === all.length
const twice = 'every provider needs an id of its own'
export const ConfiguredProviders = z.array(ConfiguredProvider).refine(everyIdOnce, twice)
export const KeyedProviders = z.array(KeyedProvider).refine(everyIdOnce, twice)

/** As people write one into `BENCH_PROVIDERS`: what can be found out may be left out, and the key may be named by its variable. */
export const WrittenProvider = ConfiguredProvider.partial({ label: true, models: true, base_url: true })
  .extend({
    kind: ProviderKind.default('openai'),
    api_key: z.string().min(1).nullish(),
    /** Name of the variable that holds the key, so that the list itself is no secret. */
    api_key_env: z.string().min(1).optional(),
    /** Sent with every request; a value is a secret unless it stands under `shown`, and `env` names the variable that holds it. */
    headers: WrittenHeaders.optional(),
  })
  .strict()
export type WrittenProvider = z.infer<typeof WrittenProvider>
