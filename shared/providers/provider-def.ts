import type { ProviderReason } from '../contract/failure.ts'
import type { ModelParams } from '../contract/message.ts'
import type { ListedModel } from './listed-model.ts'
import type { ModelHolding } from './model-holding.ts'

/** How one kind of provider differs from the others. All speak OpenAI's chat completions, streaming; what is not here is the same for all. */
export type ProviderDef = {
  /** How it is called where its operator gives no label; null: by its address. */
  label: string | null
  /** Whether nobody is served without a key: an agent that has none is given none of its runs. */
  needsKey: boolean
  /** Whether the owner of a run may bring a key of their own, which pays there and nowhere else. */
  ownersKeys: boolean
  /**
   * Where its models come from: the service reads its public catalogue; whoever starts a service or a run asks for its list, always or
   * where nobody names them; or they are configured.
   */
  catalogue: 'service' | 'asked' | 'asked-unless-named' | 'configured'
  /** Its usual address, where none is given; null where there is none. */
  baseUrl: string | null
  /** Addresses of its list of models, the one that tells most first: where one is not there the next is asked. */
  listUrls(base_url: string): readonly string[]
  /** Address that answers for free whether it takes a key: 200, or 401 for one that it does not know. Null where only the list may tell. */
  keyUrl(base_url: string): string | null
  /** How long all of them together are waited for, in milliseconds. */
  listMs: number
  /** One entry of such a list; undefined for one that does not read, or is no language model. */
  readListed(entry: unknown): ListedModel | undefined
  /** What holds of all its models, whatever a list says. */
  everyModel: Partial<Omit<ListedModel, 'id'>>
  /** How its models are taken into memory and let go; null where that is its own affair. */
  holding: ModelHolding | null
  /** Whether an answer that came under this name is one of the model that was asked: some servers answer with whichever they have. */
  isAnswerOf(asked: string, reported: string): boolean
  /** Where a server tells whether its model is shown tools, and what it tells there; null where none does. */
  toolsTold: { url(base_url: string): string; read(json: unknown): boolean | null } | null
  /** What people read beneath the name of each. */
  tagline: string | null
  /** Whether its answers are made up: runs on it say nothing about any model, and nothing is checked before them. */
  invented: boolean
  /** Whether it stands before several providers, among which a request may choose. */
  routes: boolean
  /** Whether it takes a budget of tokens for reasoning: always, where its operator says that the server does, or never. */
  budget: 'taken' | 'where-configured' | 'never'
  /** The field of the body that carries a parameter, and what stands there; `host` is the host and port of its address. */
  sent<N extends keyof ModelParams>(name: N, value: NonNullable<ModelParams[N]>, host: string): readonly [field: string, value: unknown]
  /** Headers of an answer by which its requests are found again at the provider, in small letters. */
  idHeaders: readonly string[]
  /**
   * The reason for a refusal with this status and JSON body, where it is another than the status says. A question that is too long is told for every
   * kind by `isContextOverflow`.
   */
  reasonOf(status: number, body: Fields | null): ProviderReason | null
  /** When a quota that is used up is filled again, as an ISO time; null where the refusal (402) does not say. */
  resetAt(body: Fields | null): string | null
}

/** A JSON object that nobody has looked into yet. */
export type Fields = Record<string, unknown>
