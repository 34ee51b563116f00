import { type BudgetKind, holderOf, readHolder } from '#shared/contract/budget.ts'
import { roleEntries, rolesOf } from '#shared/contract/role.ts'
import type { RunSpec } from '#shared/contract/run.ts'
import { reserveUsd, withinBudget } from '#shared/run/reserve.ts'
import { utc } from '#shared/run/spending.ts'
import { placeIn } from '../auth/team-access.ts'
import { teamOf } from '../auth/team-owner.ts'
import type { Deps, Principal } from '../deps.ts'
import { Problem } from '../problem.ts'
import { isDemo } from '../routes/run-view.ts'
import type { Short } from './port.ts'

type Starter = Pick<Principal, 'owner_id' | 'key_id' | 'teams' | 'payer'>

/**
 * Whose budgets count a run that this principal starts for an owner: the team's, the person's, the key's,
 * and the operator's share where the operator pays.
 */
export function budgetsOf(principal: Starter, owner_id: string, byOperator = false): string[] {
  const team = teamOf(owner_id)
  const person = team === null ? owner_id : (principal.payer ?? (placeIn(principal, owner_id) ? principal.owner_id : null))
  return [
    ...(team === null ? [] : [holderOf('team', team)]),
    ...(person === null ? [] : [holderOf('person', person)]),
    ...(principal.key_id ? [holderOf('key', principal.key_id)] : []),
    ...(byOperator && person !== null ? [holderOf('operator', person)] : []),
  ]
}

/** Whether a run asks no model that anybody pays: every answer is invented or given. */
function isFree(spec: RunSpec, { config }: Pick<Deps, 'config'>): boolean {
  const helpers = spec.benchmarks.flatMap((planned) => roleEntries(rolesOf(planned)).map(([, { model }]) => model.provider))
  const asked = spec.replay || spec.regrade ? helpers : [spec.model.provider, ...helpers]
  return asked.every((provider) => isDemo(provider, { config }))
}

/**
 * Reserves the first trial of a run with every budget that counts it, before the run is stored. Throws
 * `budget-used-up` where it does not fit; then nothing stays reserved. A run that nobody pays is counted nowhere.
 */
export async function reserveStart(planned: RunSpec, budgets: readonly string[], deps: Deps): Promise<RunSpec> {
  const { budgets: _, ...bare } = planned
  if (isFree(planned, deps)) return bare
  const spec = { ...bare, budgets: [...budgets] }
  const reserve_usd = reserveUsd(spec)
  let room: number | null = null
  for (const [at, holder] of budgets.entries()) {
    const { short, room_usd } = await deps.budgets.begin(holder, { run_id: spec.run_id, reserve_usd })
    if (short) {
      await giveBackStart(spec, deps, budgets.slice(0, at))
      throw refusal(holder, short, spec, deps.now())
    }
    if (room_usd !== null) room = Math.min(room ?? room_usd, room_usd)
  }
  if (room === null) return spec
  // Repeated calls without reported usage could pass a budget that is nearly used up.
  return { ...spec, benchmarks: withinBudget(spec.benchmarks, { budget_usd: room, concurrency: spec.concurrency }, spec.price) }
}

/** Takes back what `reserveStart` reserved for a run that did not come to be. A holder that is away forgets it by itself. */
export async function giveBackStart(spec: RunSpec, deps: Pick<Deps, 'budgets'>, holders = spec.budgets ?? []): Promise<void> {
  await Promise.allSettled(holders.map((holder) => deps.budgets.forget(holder, spec.run_id)))
}

const whose: Record<BudgetKind, string> = {
  team: 'The budget of the team',
  person: 'Your budget',
  key: 'The budget of your API key',
  operator: 'What the operator of this service pays for you',
}
const periods = { day: 'today', month: 'this month' }

function refusal(holder: string, { period, until, used_up }: Short, spec: RunSpec, now: Date): Problem {
  const { kind } = readHolder(holder)
  if (period === 'price' || until === null) {
    const message = `The price of ${spec.model.slug} or of a helper is not known, so ${lower(whose[kind])} cannot be kept. Name a price.`
    return new Problem('validation', message, { errors: [{ pointer: '/price', message }] })
  }
  const raised = kind === 'operator' ? '' : ' Whoever set the budget can raise it.'
  if (used_up)
    return new Problem('budget-used-up', `${whose[kind]} for ${periods[period]} is used up until ${utc(until)}.${raised}`, {
      retry_after_s: Math.max(1, Math.ceil((Date.parse(until) - now.getTime()) / 1000)),
    })
  return new Problem(
    'budget-used-up',
    `${whose[kind]} for ${periods[period]} is reserved by other runs that are under way. Start this run when one of them has ended.${raised}`,
    { retry_after_s: 60 },
  )
}

const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)
