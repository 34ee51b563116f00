import type { Card, Profile } from '../contract/card.ts'
import type { CreateRun } from '../contract/create-run.ts'
import { RunId } from '../contract/ids.ts'
import { defaultLimits } from '../contract/limits.ts'
import { type HelperRole, type PlannedRole, roleEntries, roleTitles } from '../contract/role.ts'
import type { DataIdentity, PlannedBenchmark, RunSpec } from '../contract/run.ts'
import { noTrialLimits } from '../contract/trial-limits.ts'
import { metricsVersion } from '../metrics/draw.ts'
import { nearestName } from '../nearest-name.ts'
import { askedProfile, chooseAgent } from './choose-agent.ts'
import { chooseProfile } from './choose-profile.ts'
import { type AskedModel, chooseRoles, type RoleLookup, type RoleModelName, roleModelNames } from './choose-role.ts'
import type { DataChoice } from './data-choice.ts'
import { requireInput } from './input-limits.ts'
import { subsetSize } from './plan.ts'
import { type ProviderLookup, plannedParams } from './planned-params.ts'
import { plannedReplay } from './replay.ts'
import { withinBudget } from './reserve.ts'
import { RunRefused } from './run-refused.ts'

/** The seed of a run whose creator named none: the same for everybody, so that two models answer the same items. */
export const defaultSeed = 'default'

type Offer = { cards: readonly Card[]; dataFor: DataChoice }
/** What may be asked here, of whom, and who is there to help: see `roleModelsOf` for whom to look up. */
export type Planning = Offer & ProviderLookup & { helperFor: RoleLookup }
/** `invented` says of a provider whether its answers are: nothing is looked at before a run there. */
type Freezing = { invented(provider: string): boolean; newId(): string; now(): Date }
type Owner = { id: string; own_credential: boolean }

/** Names the predecessor took for benchmarks that now have another. */
const aliases: Record<string, string> = { if_bench: 'ifbench', 'if-bench': 'ifbench', tau_bench_telecom: 'tau2_bench_telecom' }

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
    return {
      name: card.name,
      version: card.version,
      fingerprint: card.fingerprint,
      profile: profile.id,
      epochs: body.epochs ?? profile.epochs,
      total_items,
      sampled_items: subsetSize(total_items, subsetOf(body), subset_rounding),
      ...(subset_rounding && { subset_rounding }),
      gated: isGated(card, data),
      data,
      params: plannedParams(body, card, profile, model, deps),
      roles: chooseRoles(card, profile, body, model, deps.helperFor),
      most_input_tokens: card.min_context,
      metrics_version: metricsVersion,
      group_items: data.source === 'pinned' ? card.group_items : null,
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

/** Whether its texts are kept from everybody but the owner of a run. */
export const isGated = (card: Pick<Card, 'data'>, data: DataIdentity): boolean =>
  data.private === true || (card.data.gated && data.source !== 'sample')

function choose(body: CreateRun, provider: string, deps: Offer): { card: Card; data: DataIdentity; profile: Profile }[] {
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

function selectCards({ selected_benchmarks, benchmark_names, suite }: CreateRun, cards: readonly Card[]): Card[] {
  if (selected_benchmarks?.length && benchmark_names?.length)
    throw invalid('/benchmark_names', 'benchmark_names is the former name of selected_benchmarks: send one of them.')
  const wanted = selected_benchmarks ?? benchmark_names ?? []
  if (suite) {
    if (wanted.length > 0) throw invalid('/suite', 'Name benchmarks or a suite, not both.')
    return defaultCards(cards)
  }
  if (wanted.length === 0) throw invalid('/selected_benchmarks', 'Name at least one benchmark, or a suite ("suite": "default").')
  const names = new Set(wanted.map((name) => name.trim().toLowerCase()).map((name) => aliases[name] ?? name))
  return Array.from(names, (name) => {
    const card = cards.find((one) => one.name === name)
    if (card) return card
    const known = cards.map((one) => one.name)
    const near = nearestName(name, known)
    const message = `There is no benchmark ${JSON.stringify(name)}. ${near ? `Did you mean ${near}?` : `Known are: ${known.join(', ')}.`}`
    throw new RunRefused('unknown-benchmark', '/selected_benchmarks', message, `unknown: ${name}`)
  })
}

function defaultCards(cards: readonly Card[]): Card[] {
  const chosen = cards.filter((card) => card.default_selected)
  if (chosen.length === 0) throw invalid('/suite', 'No benchmark is selected by default here: name at least one.')
  return chosen
}

function dataOf(card: Card, body: CreateRun, provider: string, deps: Pick<Offer, 'dataFor'>): DataIdentity {
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
