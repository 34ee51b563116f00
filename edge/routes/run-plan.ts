import type { PlanPreview } from '#shared/contract/api.ts'
import type { CreateRun } from '#shared/contract/create-run.ts'
import { holdsSandbox, mostAtOnce, provedPools } from '#shared/contract/resources.ts'
import { type HelperRole, helperRoles, mapRoles, roleEntries, rolesOf, roleTitles } from '#shared/contract/role.ts'
import type { PlannedBenchmark } from '#shared/contract/run.ts'
import { costUsd, noUsage } from '#shared/contract/usage.ts'
import { targetOf } from '#shared/metrics/draw.ts'
import { plannedLimits, plannedScores, smallestDetectable, smallestDetectableMean } from '#shared/metrics/plan-limits.ts'
import { defOf } from '#shared/providers/providers.ts'
import { budgetTrials, upToCents } from '#shared/run/budget.ts'
import { planBenchmarks } from '#shared/run/build-spec.ts'
import { askedProfile } from '#shared/run/choose-agent.ts'
import { profileNote } from '#shared/run/choose-profile.ts'
import { inputNotes } from '#shared/run/input-limits.ts'
import { needsIn } from '#shared/run/match/match-run.ts'
import { sandboxText } from '#shared/run/needs-text.ts'
import { trialCount } from '#shared/run/plan.ts'
import { reserveUsd } from '#shared/run/reserve.ts'
import type { Deps, FleetAgent, Principal } from '../deps.ts'
import { keyFor, type OwnKeys, payingKey } from '../provider-keys/own-keys.ts'
import { findItemLists } from './item-lists.ts'
import { requireFewTrials } from './run-bounds.ts'
import { type PlannedModel, providerIn } from './run-model.ts'
import { findRoleModels } from './run-roles.ts'

/** What a run would ask, cost and take. Reads only; tokens are the cards' own estimates, times are those of earlier runs. */
export async function previewPlan(
  body: CreateRun,
  model: PlannedModel,
  principal: Principal,
  deps: Deps,
  own: OwnKeys = [],
): Promise<PlanPreview> {
  const [helperFor, itemsOf] = await Promise.all([findRoleModels(body, model, deps, own), findItemLists(body, model, principal, deps)])
  const planned = planBenchmarks(body, model, { ...deps, helperFor, itemsOf, providerOf: providerIn(deps.config, own) })
  requireFewTrials(planned, deps.config)
  const [latencies, fleet] = await Promise.all([deps.store.listBenchmarkLatency(), deps.fleet.overview()])
  const trials = planned.reduce((sum, one) => sum + trialCount(one), 0)
  const tokens = (side: 'input_tokens' | 'output_tokens') =>
    planned.reduce((sum, one) => sum + trialCount(one) * cardOf(one, deps).estimate[side], 0)
  const usage = body.replay ? noUsage : { ...noUsage, input_tokens: tokens('input_tokens'), output_tokens: tokens('output_tokens') }
  const cost_usd = body.replay ? 0 : costUsd(usage, model.price)
  const roles = helping(planned, deps)
  const total_usd = totalUsd(cost_usd, roles)
  const reserve_usd = reserveUsd({ benchmarks: planned, price: model.price })
  const budget_trials = body.replay ? null : budgetTrials(body.budget_usd, total_usd, reserve_usd, trials)
  const known = !body.replay && planned.every((one) => latencies[one.name] !== undefined)
  const workMs = (one: PlannedBenchmark): number => trialCount(one) * (latencies[one.name] ?? 0)
  const sharedMs = planned.reduce((sum, one) => sum + workMs(one), 0) / Math.min(body.concurrency, trials)
  const longestMs = Math.max(
    sharedMs,
    ...planned.map((one) => workMs(one) / Math.min(body.concurrency, mostAtOnce(needsIn(one)), trialCount(one))),
  )
  return {
    trials,
    benchmarks: planned.map(toPreview),
    detectable_pct: inPoints(smallestDetectableMean(planned.map((one) => one.sampled_items))),
    input_tokens: usage.input_tokens,
    output_tokens: usage.output_tokens,
    cost_usd,
    roles,
    minutes: known ? longestMs / 60_000 : null,
    budget_trials,
    own_key: payingOf(body, model, principal, own),
    notes: [
      ...dataNotes(planned),
      ...profileNotes(body, planned, deps),
      ...modelNotes(body, model, cost_usd),
      ...budgetNotes(body, model, { trials, budget_trials, total_usd, reserve_usd, repeats: planned.some((one) => one.epochs > 1) }),
      ...planned.flatMap((one) => inputNotes(cardOf(one, deps), one.data, model)),
      ...roleNotes(body, model, planned, deps),
      ...boundNotes(body, planned),
      ...fleetNotes(planned, fleet.agents),
    ],
  }
}

/** The saved key that would pay, as `requirePayment` decides it. */
function payingOf({ replay }: CreateRun, { provider }: PlannedModel, { credential }: Principal, own: OwnKeys): PlanPreview['own_key'] {
  const key = keyFor(provider, own)
  if (!key || replay || (credential !== null && defOf(key).ownersKeys)) return null
  return payingKey(key)
}

function toPreview(one: PlannedBenchmark): PlanPreview['benchmarks'][number] {
  const target = targetOf(one)
  const widest = plannedLimits(0.5, one)[target]
  return {
    name: one.name,
    items: one.sampled_items,
    chosen: one.chosen ?? false,
    epochs: one.epochs,
    trials: trialCount(one),
    data_source: one.data.source,
    profile: one.profile,
    half_width_pct: (widest.high - widest.low) * 50,
    target,
    limits: plannedScores.map((score) => ({ score, ...plannedLimits(score, one) })),
    detectable_pct: inPoints(smallestDetectable(one.sampled_items)),
    roles: mapRoles(rolesOf(one), ({ model }) => model.slug),
  }
}

const inPoints = (share: number | null): number | null => (share === null ? null : share * 100)

/** What each helper takes by the profiles' own estimates, once for each trial. */
function helping(planned: readonly PlannedBenchmark[], deps: Pick<Deps, 'cards'>): PlanPreview['roles'] {
  const sums: PlanPreview['roles'] = {}
  for (const one of planned) {
    const own = profileOf(one, deps).roles ?? {}
    for (const [role, { price }] of roleEntries(rolesOf(one))) {
      const estimate = own[role]?.estimate
      if (!estimate) continue
      const input_tokens = estimate.input_tokens * trialCount(one)
      const output_tokens = estimate.output_tokens * trialCount(one)
      const cost_usd = costUsd({ ...noUsage, input_tokens, output_tokens }, price)
      const sum = sums[role] ?? { input_tokens: 0, output_tokens: 0, cost_usd: 0 }
      sums[role] = {
        input_tokens: sum.input_tokens + input_tokens,
        output_tokens: sum.output_tokens + output_tokens,
        cost_usd: sum.cost_usd === null || cost_usd === null ? null : sum.cost_usd + cost_usd,
      }
    }
  }
  return sums
}

/** What a helper does with a benchmark, for notes: whose answers it judges, whom it plays. */
const doing: Record<HelperRole, { passive: string; itself: string }> = {
  judge: { passive: 'is judged by', itself: 'judges its own answers to' },
  user: { passive: 'has its user played by', itself: 'plays the user it talks to in' },
}

function roleNotes(body: CreateRun, model: PlannedModel, planned: readonly PlannedBenchmark[], deps: Pick<Deps, 'cards'>): string[] {
  return helperRoles.flatMap((role) => {
    const title = roleTitles[role].toLowerCase()
    const helped = planned.flatMap((one) => {
      const helper = rolesOf(one)[role]
      return helper
        ? [{ name: one.name, slug: helper.model.slug, price: helper.price, own: profileOf(one, deps).roles?.[role]?.model }]
        : []
    })
    const named = body.roles?.[role] ?? (role === 'judge' ? body.judge : null)
    if (helped.length === 0) return named ? [`A ${title} was chosen, and no benchmark of this run has one.`] : []
    const notes = helped
      .filter(({ slug, own }) => slug !== model.slug && slug !== own)
      .map(
        ({ name, slug, own }) =>
          `${name} ${doing[role].passive} ${slug} instead of ${own}: its scores cannot be compared with those by ${own}.`,
      )
    const itself = helped.filter(({ slug }) => slug === model.slug).map(({ name }) => name)
    if (itself.length > 0) notes.push(`${model.slug} ${doing[role].itself} ${itself.join(', ')}.`)
    const unpriced = new Set(helped.filter(({ price }) => price === null).map(({ slug }) => slug))
    return [...notes, ...[...unpriced].map((slug) => `The price of the ${title} ${slug} is not known, so what it costs cannot be told.`)]
  })
}

function dataNotes(planned: readonly PlannedBenchmark[]): string[] {
  const on = (source: string) => planned.filter((one) => one.data.source === source).map((one) => one.name)
  const [sample, override] = [on('sample'), on('override')]
  const notes: string[] = []
  if (sample.length > 0) notes.push(`On our invented sample, whose scores say nothing about the real benchmark: ${sample.join(', ')}.`)
  if (override.length > 0) notes.push(`On an operator's own copy of the data, whose hash is part of the result: ${override.join(', ')}.`)
  return notes
}

function profileNotes(body: CreateRun, planned: readonly PlannedBenchmark[], deps: Pick<Deps, 'cards'>): string[] {
  const notes = planned.flatMap((one) => profileNote(cardOf(one, deps), askedProfile(body), one.profile, one.data.source) ?? [])
  return [...new Set(notes)].map((why) => {
    const names = planned.filter((one) => profileNote(cardOf(one, deps), askedProfile(body), one.profile, one.data.source) === why)
    return `${why}: ${names.map((one) => one.name).join(', ')}.`
  })
}

/** What the model and its helpers cost together; null where a price is not known. */
function totalUsd(asked: number | null, roles: PlanPreview['roles']): number | null {
  return Object.values(roles).reduce<number | null>(
    (sum, one) => (sum === null || one.cost_usd === null ? null : sum + one.cost_usd),
    asked,
  )
}

type BudgetPlan = { trials: number; budget_trials: number | null; total_usd: number | null; reserve_usd: number | null; repeats: boolean }

/** Where the budget stops the run, by the estimates. */
function budgetNotes(
  body: CreateRun,
  model: PlannedModel,
  { trials, budget_trials, total_usd, reserve_usd, repeats }: BudgetPlan,
): string[] {
  const { budget_usd } = body
  if (budget_usd == null || body.replay) return []
  if (total_usd === null || model.price === null) return ['A budget needs a known price: the run would be refused.']
  if (budget_trials === 0)
    return [
      `The budget of $${budget_usd} covers no trial: one may cost $${upToCents(reserve_usd ?? 0)}, and so much must be left before it begins.`,
    ]
  if (budget_trials === null || budget_trials >= trials) return []
  const what = repeats ? 'trials' : 'items'
  return [
    `The budget of $${budget_usd} stops the run after about ${budget_trials.toLocaleString('en-US')} of ${trials.toLocaleString('en-US')} ${what}.`,
  ]
}

function modelNotes(body: CreateRun, model: PlannedModel, asked: number | null): string[] {
  const notes: string[] = []
  if (body.replay)
    notes.push(
      `No model is asked: ${counted(body.replay.length)} given with the run, and what they cost when they were written is not counted.`,
    )
  if (asked === null) notes.push(`The price of ${model.slug} is not known, so the cost cannot be told. Give one with the run.`)
  if (body.max_tokens != null && model.max_output_length !== null && body.max_tokens > model.max_output_length)
    notes.push(`${model.slug} answers with ${model.max_output_length} tokens at most.`)
  return notes
}

const counted = (answers: number): string => (answers === 1 ? 'one answer is' : `${answers.toLocaleString('en-US')} answers are`)

/** What is at work at once where that is fewer than the run asks for. */
function boundNotes({ concurrency }: CreateRun, planned: readonly PlannedBenchmark[]): string[] {
  const bounded = planned.filter((one) => mostAtOnce(needsIn(one)) < concurrency)
  if (bounded.length === 0) return []
  const told = bounded.map((one) => `${one.name} ${mostAtOnce(needsIn(one))}`).join(', ')
  return [`At work at once at an endpoint, at most, whatever the concurrency of ${concurrency}: ${told}.`]
}

function fleetNotes(planned: readonly PlannedBenchmark[], agents: readonly FleetAgent[]): string[] {
  if (agents.length === 0) return ['No agent is connected: the run waits until one joins.']
  const pools = agents.flatMap(({ resources }) => (resources ? provedPools(resources) : []))
  return planned.flatMap((one) => {
    const { sandbox } = needsIn(one)
    return !sandbox || holdsSandbox(pools, sandbox)
      ? []
      : [`${one.name} needs an agent with ${sandboxText(sandbox)}, and none is connected.`]
  })
}

function profileOf(planned: PlannedBenchmark, deps: Pick<Deps, 'cards'>) {
  return cardOf(planned, deps).profiles.find((profile) => profile.id === planned.profile)! // planned from these very cards
}

function cardOf(planned: PlannedBenchmark, deps: Pick<Deps, 'cards'>) {
  return deps.cards.find((card) => card.name === planned.name)! // planned from these very cards
}
