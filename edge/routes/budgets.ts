import { OpenAPIHono } from '@hono/zod-openapi'
import * as z from 'zod'
import { Budget, BudgetLimits, BudgetList, holderOf, readHolder } from '#shared/contract/budget.ts'
import type { AppEnv } from '../app-env.ts'
import { operatorPays } from '../auth/own-payment.ts'
import { managedBy } from '../auth/team-access.ts'
import { teamOf, teamOwnerId } from '../auth/team-owner.ts'
import { type Holder, setBudget, viewBudget } from '../budgets/view-budget.ts'
import type { Deps, Principal } from '../deps.ts'
import { Problem } from '../problem.ts'
import { json, jsonBody, refusals } from './answers.ts'
import { declareRoute } from './declare-route.ts'
import { getTeam } from './team-view.ts'

const SetBudget = z
  .strictObject(BudgetLimits.partial().shape)
  .refine((limits) => limits.day_usd !== undefined || limits.month_usd !== undefined, 'Give day_usd or month_usd')
  .meta({ minProperties: 1 })

const refused = refusals('unauthorized', 'forbidden', 'unavailable')
const list = declareRoute({
  method: 'get',
  path: '/api/budgets',
  access: { who: 'key holder', scope: 'runs:read' },
  cost: 'search',
  summary: 'Budgets that count your runs, and how far they are used; for the operator every budget with a limit',
  description:
    'Your own budget, those of your teams, that of the key which asks, for a signed-in user those of all own keys, and what the operator pays for you where that is offered. Days and months are those of UTC.',
  responses: { 200: json(BudgetList, 'The budgets'), ...refused, ...refusals('rate-limited') },
})
const set = declareRoute({
  method: 'put',
  audits: 'budget.set',
  path: '/api/budgets/{kind}/{id}',
  access: { who: 'signed in or operator' },
  cost: 'cheap',
  summary: 'Set the limits of a key, a person or a team by day and by month; null takes one away, one left out stays',
  description:
    'An operator sets any budget, with the name of a person in place of the id where it is one person’s only. A signed-in user sets those of own keys, and as an admin those of a team and its keys, as long as no operator has set them. A run that goes on hears of new limits within ten seconds; runs that the former limits parked go on at once.',
  request: {
    params: z.object({ kind: z.enum(['person', 'key', 'team']), id: z.string().max(200) }),
    ...jsonBody(SetBudget, { day_usd: 1, month_usd: 10 }),
  },
  responses: {
    200: json(Budget, 'The budget'),
    ...refused,
    ...refusals('not-found', 'team-not-found', 'validation', 'bad-json', 'unsupported-media-type', 'body-too-large'),
  },
})

export function budgetRoutes(deps: Deps) {
  return new OpenAPIHono<AppEnv>()
    .openapi(list, async (c) => {
      const principal = c.get('principal')
      const holders = principal.scopes.includes('admin') ? null : await holdersFor(principal, c.get('owner_id'), deps)
      const stored = await deps.store.listBudgets(holders?.map(({ kind, id }) => holderOf(kind, id)) ?? null)
      const limits = new Map(stored.map((one) => [one.holder, one]))
      const shown =
        holders ??
        (await named(
          stored.map(({ holder }) => holder),
          deps,
        ))
      const budgets = await Promise.all(shown.map((one) => viewBudget(one, limits.get(holderOf(one.kind, one.id)), deps)))
      return c.json({ budgets }, 200)
    })
    .openapi(set, async (c) => {
      const { kind, id } = c.req.valid('param')
      const whose = c.get('whose')
      const holder = await findHolder(kind, id, whose, c.get('principal'), deps)
      const [before] = await deps.store.listBudgets([holderOf(kind, holder.id)])
      if (whose !== null) {
        if (before?.set_by === 'operator' && (before.day_usd !== null || before.month_usd !== null))
          throw new Problem('forbidden', 'The operator of this service has set this budget and alone changes it.')
      }
      const { day_usd = before?.day_usd ?? null, month_usd = before?.month_usd ?? null } = c.req.valid('json')
      c.set('touched', {
        target: `budget:${holderOf(kind, holder.id)}`,
        owner_id: holder.owner_id,
        detail: { name: holder.name, day_usd, month_usd },
      })
      return c.json(await setBudget(kind, holder, { day_usd, month_usd }, whose === null ? 'operator' : 'owner', deps), 200)
    })
}

/** Most keys of one person whose budgets are listed. */
const mostKeys = 50

async function holdersFor({ key_id, session, teams }: Principal, owner_id: string, deps: Deps): Promise<Holder[]> {
  const [owner] = await deps.store.findOwners(owner_id)
  const own = teamOf(owner_id) // of a key of a team
  const person: Holder = { kind: own === null ? 'person' : 'team', id: own ?? owner_id, name: owner?.name ?? owner_id }
  const keys = session || key_id ? await deps.store.listKeys([owner_id]) : []
  const shown = keys.filter(({ id, revoked_at }) => (key_id ? id === key_id : revoked_at === null)).slice(0, mostKeys)
  const byOperator: Holder[] = operatorPays(session ? { session } : {}, deps.config) ? [{ ...person, kind: 'operator' }] : []
  const ofTeams = teams.map(({ id, name }): Holder => ({ kind: 'team', id, name }))
  return [person, ...byOperator, ...ofTeams, ...shown.map(({ id, name }): Holder => ({ kind: 'key', id, name }))]
}

/** Holders with their names in place of their ids, where they have one. */
async function named(holders: readonly string[], deps: Deps): Promise<Holder[]> {
  const [listed, allTeams] = await Promise.all([deps.store.listKeys(null), deps.store.listTeams(null)])
  const keys = new Map(listed.map((key) => [key.id, key.name]))
  const teams = new Map(allTeams.map((team) => [team.id, team.name]))
  return Promise.all(
    holders.map(async (holder) => {
      const { kind, id } = readHolder(holder)
      const name = kind === 'key' ? keys.get(id) : kind === 'team' ? teams.get(id) : (await deps.store.findOwners(id))[0]?.name
      return { kind, id, name: name ?? id }
    }),
  )
}

/** A team, a key or a person, and whose it is. */
type Found = { id: string; name: string; owner_id: string }

async function findHolder(
  kind: 'team' | 'person' | 'key',
  id: string,
  whose: string | null,
  principal: Principal,
  deps: Deps,
): Promise<Found> {
  if (kind === 'person') return findPerson(id, whose, deps)
  if (kind === 'key') return findKey(id, whose === null ? null : managedBy(principal, whose), deps)
  const team = await getTeam(id, 'manage', principal, deps)
  return { id: team.id, name: team.name, owner_id: teamOwnerId(team.id) }
}

async function findKey(id: string, owners: readonly string[] | null, { store }: Deps): Promise<Found> {
  const key = (await store.listKeys(owners)).find((one) => one.id === id)
  if (!key) throw new Problem('not-found', 'There is no such key.')
  return key
}

async function findPerson(id: string, whose: string | null, { store }: Deps): Promise<Found> {
  if (whose !== null)
    throw new Problem('forbidden', 'An operator sets what a person may spend. You set the budgets of your keys and teams.')
  const [owner, other] = await store.findOwners(id)
  if (!owner) throw new Problem('not-found', 'Nobody of that id or name has a key here or has started a run.')
  if (other) throw new Problem('not-found', 'Several people have that name: name one by the owner_id of a run.')
  return { ...owner, owner_id: owner.id }
}
