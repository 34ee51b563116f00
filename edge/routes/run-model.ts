import type { Model } from '#shared/contract/model.ts'
import { type ReplayAnswers, replayProvider } from '#shared/contract/replay.ts'
import { roleEntries, rolesOf, roleTitles } from '#shared/contract/role.ts'
import type { RunSpec } from '#shared/contract/run.ts'
import type { Price } from '#shared/contract/usage.ts'
import { nearestName } from '#shared/nearest-name.ts'
import type { ConfiguredProvider } from '#shared/providers/provider.ts'
import { defOf } from '#shared/providers/providers.ts'
import type { AskedModel, RoleModelName } from '#shared/run/choose-role.ts'
import { modelReadings } from '#shared/run/model-readings.ts'
import { findReplayed } from '#shared/run/replay.ts'
import { CatalogueAway } from '../adapters/chutes-catalogue.ts'
import { syncConfiguredModels } from '../adapters/configured-models.ts'
import { syncModels } from '../adapters/sync-models.ts'
import { type OwnPayment, operatorPays, ownPayment } from '../auth/own-payment.ts'
import type { Deps, EdgeConfig, Principal } from '../deps.ts'
import { Problem } from '../problem.ts'
import { asProvider, findOwnModel, keyFor, type OwnKeys, ownKeysOf } from '../provider-keys/own-keys.ts'
import { isDemo } from './run-view.ts'

/** The provider a request names, of those configured and those that its sender has keys for, or 400. Null in, undefined out: then the model decides. */
export function getProvider(id: string | null | undefined, config: EdgeConfig, own: OwnKeys = []): ConfiguredProvider | undefined {
  if (id == null) return undefined
  const provider = providerIn(config, own)(id)
  if (provider) return provider
  const known = [...config.providers.map((one) => one.id), ...own.map((key) => key.provider)].join(', ') || 'none'
  throw new Problem('unknown-provider', `There is no provider ${JSON.stringify(id)} here. Configured: ${known}.`)
}

/** Finds a provider by its id among those that the owner of a run has keys for, and then among those configured. */
export const providerIn =
  ({ providers }: Pick<EdgeConfig, 'providers'>, own: OwnKeys = []) =>
  (id: string): ConfiguredProvider | undefined => {
    const key = keyFor(id, own)
    return key ? { ...asProvider(key), models: [] } : providers.find((one) => one.id === id)
  }

/** The id of the provider that a list is made for: the named one, else the first. Throws `unknown-provider`. */
export async function servingProvider(id: string | undefined, { owner_id }: Pick<Principal, 'owner_id'>, deps: Deps): Promise<string> {
  const { config } = deps
  const own = id === undefined || providerIn(config)(id) ? [] : await ownKeysOf(owner_id, deps)
  return (getProvider(id, config, own) ?? config.providers[0])?.id ?? 'chutes'
}

/** The provider keys of the caller, or a promise of these keys. */
type MaybeKeys = OwnKeys | Promise<OwnKeys>

type Wanted = { model_id: string; provider?: string | null; price?: Price | null; replay?: ReplayAnswers | null }
/** A model as plans and previews need to know it. */
export type PlannedModel = AskedModel & Pick<Model, 'max_output_length'>

/**
 * The model a request names by id, chute id or slug, with its provider in front or without, in the predecessor's order of refusals: provider unknown (400), model unknown (404),
 * model not being served (404). With `sync`, an unknown model is looked for once more after reading the catalogue, and without it after the host has asked its servers. A price that the request names is
 * the model's from here on. With answers to replay nothing is looked up.
 */
export async function getModel(wanted: Wanted, options: { sync: boolean }, deps: Deps, own: MaybeKeys = []): Promise<PlannedModel> {
  const replayed = findReplayed(wanted)
  if (replayed) return { ...replayed, max_output_length: null }
  // The keys are waited for only where the request names a provider that is not configured.
  const named = wanted.provider == null ? undefined : providerIn(deps.config)(wanted.provider)
  const provider = named ?? getProvider(wanted.provider, deps.config, wanted.provider == null ? [] : await own)
  const find = () => findRead({ model_id: wanted.model_id, provider: provider?.id ?? null }, deps, own)
  const model = (await find()) ?? (await lookAgain(find, options, deps))
  if (!model) throw await noModel(wanted.model_id, deps)
  getProvider(model.provider, deps.config, await own)
  if (!model.is_active)
    throw new Problem(
      'model-unavailable',
      `${model.slug} is known but not being served right now. Choose another model or try again later.`,
    )
  return wanted.price ? { ...model, price: wanted.price } : model
}

/** The refusal of an unknown model, with the name that it most likely means. */
async function noModel(name: string, { store }: Pick<Deps, 'store'>): Promise<Problem> {
  const { models } = await store.listModels({ limit: mostSuggested, offset: 0 })
  const near = nearestName(
    name,
    models.map(({ slug }) => slug),
  )
  const hint = near ? `Did you mean ${near}?` : 'GET /api/models lists them.'
  return new Problem('model-not-found', `There is no model ${JSON.stringify(name.slice(0, 300))}. ${hint}`)
}
/** Models that a misspelled name is compared with. */
const mostSuggested = 1000

/**
 * The model of this name, read as an id before the part in front of its first slash is read as a provider: one that this service offers, then one of a provider
 * that the owner has a key for.
 */
export async function findRead(
  name: RoleModelName,
  { store, config }: Pick<Deps, 'store' | 'config'>,
  keys: MaybeKeys = [],
): Promise<Model | undefined> {
  // The first reading is the id of the model itself. The search for it runs while the keys are read.
  const [own, first] = await Promise.all([keys, store.findModel(name.model_id, name.provider)])
  const isOffered = ({ provider }: Model): boolean => config.providers.some(({ id }) => id === provider)
  let former: Model | undefined
  for (const { model_id, provider } of modelReadings(name, [...config.providers, ...own.map((key) => ({ id: key.provider }))])) {
    const isFirst = model_id === name.model_id && provider === name.provider
    const model = isFirst ? first : await store.findModel(model_id, provider)
    if (model && isOffered(model)) return model
    const listed = await findOwnModel({ model_id, provider }, own)
    if (listed) return listed
    former ??= model
  }
  return former
}

/**
 * Returns how the owner pays for a run of this model; null if the operator pays. A Chutes key is sent
 * to Chutes only. A signed-in user spends no money of the operator beyond what `operatorPays` gives:
 * a key that the owner has saved for the model's provider pays first. `forbidden` unless the account pays, the operator does, or the model is the demo model.
 */
export function requirePayment(
  principal: Principal,
  model: PlannedModel,
  { config }: Pick<Deps, 'config'>,
  own: OwnKeys = [],
): OwnPayment | null {
  const payment = ownPayment(principal)
  if (model.provider === replayProvider) return payment // nothing is sent anywhere for it
  const provider = getProvider(model.provider, config, own)
  const byOwners = provider !== undefined && defOf(provider).ownersKeys
  const key = keyFor(model.provider, own)
  // A key that came with the request is the one that its sender means.
  if (key && !(byOwners && payment?.by === 'key')) return { by: 'provider key', key_id: key.id }
  if (principal.account) {
    if (isDemo(model.provider, { config })) return null
    if (byOwners && payment) return payment
    if (operatorPays(principal, config)) return null
    throw new Problem('forbidden', byOwners ? withoutInvoke : notByAccount(model))
  }
  if (payment === null || byOwners) return payment
  const message = `A Chutes key can pay for models on Chutes only, and ${model.slug} is served by ${model.provider}.`
  throw new Problem('validation', message, { errors: [{ pointer: '/model_id', message }] })
}

/** Refuses a judge or other helper that the Chutes account does not pay for. */
export function requirePaidHelpers(principal: Principal, spec: RunSpec, { config }: Pick<Deps, 'config'>): void {
  if (!principal.account || (!spec.own_credential && operatorPays(principal, config))) return
  for (const planned of spec.benchmarks)
    for (const [role, { model }] of roleEntries(rolesOf(planned))) {
      const paid = isDemo(model.provider, { config }) || (spec.own_credential && model.provider === spec.model.provider)
      if (!paid)
        throw new Problem(
          'forbidden',
          `The ${roleTitles[role].toLowerCase()} of ${planned.name} would be ${model.slug} at ${model.provider}, which your Chutes account does not pay here. Choose another, or leave the benchmark out.`,
        )
    }
}

const withoutInvoke =
  'Your sign-in does not let this service call models for your account (scope chutes:invoke). Sign in again and allow it, or send a Chutes key.'
const notByAccount = ({ slug, provider }: PlannedModel): string =>
  `Your Chutes account pays for models on Chutes only, and ${slug} is served by ${provider}, which the operator of this service pays. Choose a model on Chutes.`

/** A server that came up after the last reading of models may have the model by now. */
async function lookAgain(find: () => Promise<Model | undefined>, { sync }: { sync: boolean }, deps: Deps): Promise<Model | undefined> {
  if (!sync && deps.listProviders === null) return undefined
  try {
    await (sync ? syncModels(deps) : syncConfiguredModels(deps))
  } catch (cause) {
    if (!(cause instanceof CatalogueAway)) throw cause
    throw new Problem('unavailable', `The model is not known yet and the catalogue cannot be read: ${cause.message}`, {
      retry_after_s: 30,
      cause,
    })
  }
  return find()
}
