import type { Card, Profile } from '../contract/card.ts'
import type { CreateRun } from '../contract/create-run.ts'
import { RunId } from '../contract/ids.ts'
import type { ListedData } from '../contract/item-list.ts'
import { defaultLimits } from '../contract/limits.ts'
import { type HelperRole, type PlannedRole, roleEntries, roleTitles } from '../contract/role.ts'
import type { DataIdentity, OwnProvider, PlannedBenchmark, RunSpec } from '../contract/run.ts'
import { noTrialLimits } from '../contract/trial-limits.ts'
import { metricsVersion } from '../metrics/draw.ts'
import { askedProfile, chooseAgent } from './choose-agent.ts'
import { needsItemList } from './choose-items.ts'
import { chooseProfile } from './choose-profile.ts'
import { type AskedModel, chooseRoles, type RoleLookup, type RoleModelName, roleModelNames } from './choose-role.ts'
import { choiceOf, type ItemLookup, planChoice } from './chosen-items.ts'
import type { DataChoice } from './data-choice.ts'
import { requireInput } from './input-limits.ts'
import { subsetSize } from './plan.ts'
import { type ProviderLookup, plannedParams } from './planned-params.ts'
import { plannedReplay } from './replay.ts'
import { withinBudget } from './reserve.ts'
import { RunRefused } from './run-refused.ts'
import { type Selecting, selectCards } from './select-cards.ts'

/** The seed of a run whose creator named none: the same for everybody, so that two models answer the same items. */
export const defaultSeed = 'default'

type Offer = { cards: readonly Card[]; dataFor: DataChoice }
/**
 * What may be asked here, of whom, and who is there to help: see `roleModelsOf` for whom to look up, and `listsFor` for the lists of items that are wanted.
 */
export type Planning = Offer & ProviderLookup & { helperFor: RoleLookup; itemsOf: ItemLookup }
/** `invented` says of a provider whether its answers are: nothing is looked at before a run there. */
type Freezing = { invented(provider: string): boolean; newId(): string; now(): Date }
/** `own_provider`: where the owner's saved key is for, if that pays. */
type Owner = { id: string; own_credential: boolean; own_provider?: OwnProvider | undefined }

/** All that decides what a run asks, from a request: nothing is looked up again once it is frozen here. Throws `RunRefused`. */
export function buildSpec(body: CreateRun, model: AskedModel, owner: Owner, deps: Planning & Freezing): RunSpec {
  if (body.budget_usd != null && model.price === null)
    throw invalid('/budget_usd', `The price of ${model.slug} is not known, so a budget could not be kept. Leave it out.`)
  const benchmarks = planBenchmarks(body, model, deps)
  for (const { roles = {} } of benchmarks) for (const [role, helper] of roleEntries(roles)) requirePayable(role, helper, body, model, owner)
  return {
    run_id: RunId.parse(deps.newId()),
    owner_id: owner.id,
    visibility: body.visibility ?? (deps.invented(model.provider) ? 'public' : 'private'),
    model: { id: model.id, slug: model.slug, provider: model.provider },
    // Where no model is asked the owner's key would pay for nothing.
    own_credential: owner.own_credential && !body.replay,
    ...(owner.own_provider && !body.replay && { own_provider: owner.own_provider }),
    price: model.price,
    benchmarks: withinBudget(benchmarks, body, model.price),
    subset: subsetOf(body),
    concurrency: body.concurrency,
    priority: body.priority,
    max_failure_share: body.max_failure_share,
    budget_usd: body.budget_usd ?? null,
    ...(body.replay ? { replay: plannedReplay(body.replay) } : !deps.invented(model.provider) && { preflight: true }),
    created_at: deps.now().toISOString(),
  }
}

/** The chosen benchmarks with their data, profile and parameters. Throws `RunRefused` for an unknown name, profile or data that is not offered. */
export function planBenchmarks(body: CreateRun, model: AskedModel, deps: Planning): PlannedBenchmark[] {
  return choose(body, model.provider, deps).map(({ card, data, profile }) => {
    requireInput(card, data, model, deps.cards)
    const total_items = itemsIn(card, data, profile)
    const subset_rounding = body.sampling === 'legacy' ? undefined : card.subset_rounding // the predecessor's rule knows one way
    const agent = chooseAgent(body, card.display_name, profile.id)
    const listed = listedData(card, data, profile)
    const names = choiceOf(body, card.name)
    const items = names && planChoice(names, listed, subsetOf(body), deps.itemsOf(listed))
    return {
      name: card.name,
      version: card.version,
      fingerprint: card.fingerprint,
      profile: profile.id,
      epochs: body.epochs ?? profile.epochs,
      total_items,
      sampled_items: items?.length ?? subsetSize(total_items, subsetOf(body), subset_rounding),
      ...(subset_rounding && { subset_rounding }),
      ...(items && { items, chosen: true as const }),
      gated: isGated(card, data),
      data,
      params: plannedParams(body, card, profile, model, deps),
      roles: chooseRoles(card, profile, body, model, deps.helperFor),
      most_input_tokens: card.min_context,
      metrics_version: metricsVersion,
      group_items: data.source === 'pinned' && !items ? card.group_items : null,
      limits: { ...defaultLimits, ...profile.limits, ...body.limits },
      needs: card.needs,
      ...(agent && { agent }),
      ...(profile.rounds && { rounds: profile.rounds }),
      ...(profile.trial_limits && { trial_limits: { ...noTrialLimits, ...profile.trial_limits } }),
    }
  })
}

/** The models that help in this run, each once: whoever plans it looks them up first. Throws `RunRefused` as `planBenchmarks` does. */
export function roleModelsOf(body: CreateRun, model: Pick<AskedModel, 'id' | 'provider'>, deps: Offer): RoleModelName[] {
  const names = choose(body, model.provider, deps).flatMap(({ profile }) => roleModelNames(profile, body, model))
  return [...new Map(names.map((name) => [`${name.provider} ${name.model_id}`, name])).values()]
}

/** Says which lists of items the choice of this request is read with. Throws `RunRefused` as `planBenchmarks` does. */
export function listsFor(body: CreateRun, model: Pick<AskedModel, 'provider'>, deps: Offer): ListedData[] {
  return choose(body, model.provider, deps).flatMap(({ card, data, profile }) => {
    const names = choiceOf(body, card.name)
    return names && needsItemList(names) ? [listedData(card, data, profile)] : []
  })
}

/** A benchmark on the data and with the profile that a run of it would have here. Throws `RunRefused`. */
export function listedDataOf(name: string, asked: Pick<CreateRun, 'data' | 'profile'>, provider: string, deps: Offer): ListedData {
  const [{ card, data, profile }] = choose({ ...asked, selected_benchmarks: [name] }, provider, deps) as [Choice]
  return listedData(card, data, profile)
}

const listedData = (card: Card, data: DataIdentity, profile: Profile): ListedData => ({
  ...{ name: card.name, version: card.version, profile: profile.id },
  ...{ total_items: itemsIn(card, data, profile), data },
})

/** Whether its texts are kept from everybody but the owner of a run. */
export const isGated = (card: Pick<Card, 'data'>, data: DataIdentity): boolean =>
  data.private === true || (card.data.gated && data.source !== 'sample')

type Choice = { card: Card; data: DataIdentity; profile: Profile }

function choose(body: Selecting & Pick<CreateRun, 'data' | 'profile' | 'agent'>, provider: string, deps: Offer): Choice[] {
  return selectCards(body, deps.cards).map((card) => {
    const data = dataOf(card, body, provider, deps)
    return { card, data, profile: chooseProfile(card, askedProfile(body), data) }
  })
}

function requirePayable(role: HelperRole, helper: PlannedRole, body: CreateRun, model: AskedModel, owner: Owner): void {
  const { slug, provider } = helper.model
  const title = roleTitles[role].toLowerCase()
  const place = role === 'judge' ? '/judge' : `/roles/${role}`
  if (owner.own_credential && body.replay)
    throw invalid(
      place,
      `Your key pays for the tested model only, and a replay asks none. The ${title} ${slug} needs a run without that key.`,
    )
  if (owner.own_credential && provider !== model.provider)
    throw invalid(
      place,
      `Your key pays on ${model.provider} only, and the ${title} ${slug} is served by ${provider}. Choose a ${title} there.`,
    )
  if (body.budget_usd != null && helper.price === null)
    throw invalid('/budget_usd', `The price of the ${title} ${slug} is not known, so a budget could not be kept. Leave it out.`)
}

/**
 * Items a benchmark has on given data: profile and card say it for the pinned set, the card for the sample, an override's file for itself. Without a
 * profile it is the number of all of them.
 */
export function itemsIn(card: Card, data: DataIdentity, profile?: Pick<Profile, 'total_items'>): number {
  if (data.source === 'pinned') return profile?.total_items ?? card.total_items
  if (data.source === 'sample') return card.sample_items
  return data.files.find((file) => file.role === 'test')?.rows ?? card.total_items
}

function dataOf(card: Card, body: Pick<CreateRun, 'data'>, provider: string, deps: Pick<Offer, 'dataFor'>): DataIdentity {
  const data = deps.dataFor(card.name, body.data, provider)
  if (data) return data
  const advice = {
    auto: 'choose "pinned" or "sample"',
    pinned: 'this service cannot reach the data set; choose "sample", or configure an override with its SHA-256',
    sample: 'choose "pinned"',
    override: 'no override file is configured for it; choose "pinned" or "sample"',
  }[body.data]
  throw invalid('/data', `${card.display_name} is not offered on ${body.data} data here: ${advice}.`)
}

function subsetOf(body: CreateRun): RunSpec['subset'] {
  return {
    pct: body.subset_pct,
    count: body.subset_count ?? null,
    seed: body.subset_seed?.trim() || defaultSeed,
    sampling: body.sampling,
  }
}

const invalid = (pointer: string, message: string) => new RunRefused('validation', pointer, message)
