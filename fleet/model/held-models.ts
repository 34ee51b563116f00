import type { HeldModel, HeldModels, HoldingCall, ModelHolding } from '#shared/providers/model-holding.ts'
import type { KeyedProvider } from '#shared/providers/provider.ts'
import { secretsOf, sentHeaders } from '#shared/providers/provider-headers.ts'
import { defOf } from '#shared/providers/providers.ts'
import { fetchReason } from '../fetch-reason.ts'
import { readJson } from './list-models.ts'
import { createRedact } from './provider-failure.ts'

/** Large models take minutes from a slow disk. */
export const loadMs = 600_000
const unloadMs = 60_000
const stateMs = 3_000

/** A model that is not in memory, or not out of it, as it should be; the message says who must do what. `unknown`: the server does not have it at all. */
export class NotHeld extends Error {
  readonly unknown: boolean
  constructor(message: string, { unknown = false, ...options }: { unknown?: boolean; cause?: unknown } = {}) {
    super(message, options)
    this.unknown = unknown
  }
}

/** The instance by which a model is asked, and how long loading it took; null where it was in memory already. */
export type Loaded = { instance: string; took_ms: number | null }

type Asking = { provider: KeyedProvider; fetcher: typeof fetch; signal: AbortSignal }
type Holder = { label: string; base_url: string; holding: ModelHolding; asking: Asking }

const holderOf = (asking: Asking): Holder | undefined => {
  const { holding } = defOf(asking.provider)
  const { label, base_url } = asking.provider
  return holding ? { label, base_url, holding, asking } : undefined
}

/** The models that a provider holds, loaded or not; null where it does not tell. Rejects with the reason of the signal. */
export async function readHeld(asking: Asking): Promise<HeldModels | null> {
  const holder = holderOf(asking)
  return holder ? stateOf(holder) : null
}

async function stateOf({ holding, base_url, asking: { provider, fetcher, signal } }: Holder): Promise<HeldModels | null> {
  const until = AbortSignal.any([signal, AbortSignal.timeout(stateMs)])
  for (const url of holding.stateUrls(base_url)) {
    const json = await readJson(url, sentHeaders(provider, provider.api_key), fetcher, until).catch(() => undefined)
    signal.throwIfAborted()
    const state = holding.readState(json)
    if (state) return state
  }
  return null
}

/**
 * Has a model in memory under its own name: loads it where it is not, by the server's call or, where there is none, by a question of one token,
 * and looks whether the server has it then. Null where the provider is of no such kind, or does not tell what it has in memory. Rejects
 * with `NotHeld`, and with the reason of the signal.
 */
export async function loadModel(asking: Asking, model: string, now: () => number): Promise<Loaded | null> {
  const holder = holderOf(asking)
  const state = holder && (await stateOf(holder))
  if (!holder || !state) return null
  requireKnown(holder, state, model)
  if (instanceIn(state, model)) return { instance: instanceIn(state, model)!, took_ms: null }
  const fromMs = now()
  await (state.steerable ? callLoad(holder, model) : askOnce(holder, model))
  const after = await stateOf(holder)
  const instance = after && instanceIn(after, model)
  if (!instance)
    throw new NotHeld(
      `${holder.label} has taken the call to load ${model} and does not have it in memory. ${elsewhere(holder, after, model)}`,
    )
  return { instance, took_ms: now() - fromMs }
}

/**
 * Takes a model out of memory, all of its instances, or every model (`all`), and gives the names of what went. Rejects with `NotHeld` for a
 * server without such a call, and with the reason of the signal.
 */
export async function unloadModels(asking: Asking, model: 'all' | (string & {})): Promise<string[]> {
  const holder = holderOf(asking)
  const state = holder && (await stateOf(holder))
  if (!holder || !state) throw notTold(asking.provider)
  if (model !== 'all') requireKnown(holder, state, model)
  const instances = state.models.filter((one) => model === 'all' || isNamed(one, model)).flatMap(({ loaded }) => loaded)
  if (instances.length === 0) return []
  if (!state.steerable)
    throw new NotHeld(
      `${holder.label} here has no call to unload a model: that came with version 0.4. On its machine: ${holder.holding.byHand.unload(model)}`,
    )
  for (const instance of instances)
    await callServer(holder, holder.holding.unload(holder.base_url, instance), unloadMs, `unload ${instance}`)
  const left = (await stateOf(holder))?.models.flatMap(({ loaded }) => loaded) ?? []
  const stuck = instances.filter((instance) => left.includes(instance))
  if (stuck.length > 0) throw new NotHeld(`${holder.label} still has ${stuck.join(', ')} in memory.`)
  return instances
}

/** The refusal of what needs a provider that tells and can be told. */
export const notTold = ({ label, base_url }: KeyedProvider): NotHeld =>
  new NotHeld(
    `${label} at ${base_url} does not tell which models it has in memory: LM Studio does from version 0.3.6 on, once its server runs.`,
  )

const isNamed = ({ id, loaded }: HeldModel, model: string): boolean => id === model || loaded.includes(model)

/** The instance that answers when the model is asked by this name. */
function instanceIn({ models }: HeldModels, model: string): string | undefined {
  return models.flatMap(({ loaded }) => loaded).find((instance) => instance === model)
}

function requireKnown({ label }: Holder, { models }: HeldModels, model: string): void {
  const known = models.find((one) => isNamed(one, model))
  if (known?.language) return
  if (known) throw new NotHeld(`${model} at ${label} is no language model.`, { unknown: true })
  const names = models.filter(({ language }) => language).map(({ id }) => id)
  const shown = names.slice(0, 10).join(', ') + (names.length > 10 ? ', …' : '')
  throw new NotHeld(`${label} has no model ${model}. It has: ${shown || 'none'}.`, { unknown: true })
}

function elsewhere({ holding }: Holder, state: HeldModels | null, model: string): string {
  const others = state?.models.flatMap(({ loaded }) => loaded) ?? []
  const answering = others.length > 0 ? `Whatever is asked is answered by ${others.join(', ')}. ` : ''
  return `${answering}On its machine: ${holding.byHand.load(model)}`
}

async function callLoad(holder: Holder, model: string): Promise<void> {
  const answer = await callServer(holder, holder.holding.load(holder.base_url, model), loadMs, `load ${model}`)
  if (holder.holding.readLoaded(answer) === undefined)
    throw new NotHeld(
      `${holder.label} answered the call to load ${model} with something else. On its machine: ${holder.holding.byHand.load(model)}`,
    )
}

/** Servers before 0.4 load what they are asked for, where that is switched on. */
async function askOnce(holder: Holder, model: string): Promise<void> {
  const body = { model, max_tokens: 1, messages: [{ role: 'user', content: 'Hi' }] }
  await callServer(holder, { url: `${holder.base_url}/chat/completions`, body }, loadMs, `load ${model} for a question`)
}

/** The JSON of an answer. LM Studio says with status 200 that it has no such call. */
async function callServer({ label, asking }: Holder, { url, body }: HoldingCall, withinMs: number, what: string): Promise<unknown> {
  const { provider, fetcher, signal } = asking
  const redact = createRedact(secretsOf(provider))
  const headers = { ...sentHeaders(provider, provider.api_key), 'content-type': 'application/json' }
  const until = AbortSignal.any([signal, AbortSignal.timeout(withinMs)])
  try {
    const response = await fetcher(url, { method: 'POST', headers, body: JSON.stringify(body), redirect: 'manual', signal: until })
    const json: unknown = await response.json().catch(() => null)
    const said = errorIn(json)
    if (response.ok && said === null) return json
    throw new NotHeld(`${label} could not ${what} (HTTP ${response.status})${said ? `: ${redact(said).slice(0, 300)}` : ''}.`)
  } catch (cause) {
    signal.throwIfAborted()
    if (cause instanceof NotHeld) throw cause
    const why = until.aborted ? `not within ${withinMs / 1000} s` : fetchReason(cause)
    throw new NotHeld(`${label} could not ${what} (${why}).`, { cause })
  }
}

function errorIn(json: unknown): string | null {
  if (typeof json !== 'object' || json === null || !('error' in json) || json.error == null) return null
  if (typeof json.error === 'string') return json.error
  const { error } = json
  return typeof error === 'object' && 'message' in error && typeof error.message === 'string' ? error.message : 'an error without words'
}
