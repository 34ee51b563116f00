import { OpenAPIHono } from '@hono/zod-openapi'
import * as z from 'zod'
import type { Owner } from '#db/store.ts'
import { ApiKey, ApiKeyList, CreatedApiKey } from '#shared/contract/api-keys.ts'
import { BudgetLimits, noLimits } from '#shared/contract/budget.ts'
import { scopeNames } from '#shared/contract/scopes.ts'
import { spokenText } from '#shared/contract/spoken-text.ts'
import { TeamId } from '#shared/contract/team-place.ts'
import type { AppEnv } from '../app-env.ts'
import { newKey } from '../auth/key-format.ts'
import { ownScopes, type Scope } from '../auth/principal.ts'
import { sha256Hex } from '../auth/secret.ts'
import { managedBy, teamFor } from '../auth/team-access.ts'
import { readBudgets, setBudget } from '../budgets/view-budget.ts'
import type { Deps, Principal } from '../deps.ts'
import { Problem } from '../problem.ts'
import { json, jsonBody, refusals } from './answers.ts'
import { declareRoute } from './declare-route.ts'
import { getManaged } from './team-view.ts'

const KeyScope = z.enum(scopeNames)
const CreateKey = z.strictObject({
  name: spokenText(100),
  /** Keys of one owner are one person. Without an owner a key belongs to its maker. */
  owner: spokenText(100).nullish(),
  team: TeamId.nullish().describe('A team whose admin you are, by its id: the key acts as the team'),
  scopes: z.array(KeyScope).min(1).max(10).default(['runs:read', 'runs:write']),
  /** From the year 2000 on: the database's own calendar goes further back than other programs can read. */
  expires_at: z.iso.datetime().regex(/^2/).nullish(),
  budget: BudgetLimits.partial().nullish().describe('Most US dollars that runs of the key may cost by day and by month'),
})
const TeamQuery = z.object({ team: TeamId.optional() })
const Revoked = z.object({ success: z.boolean(), message: z.string() })

/** Keys from an operator spend the operator's money. Keys from a signed-in user spend that user's account. */
const access = { who: 'signed in or operator' } as const
const refused = refusals('unauthorized', 'forbidden', 'unavailable')
const list = declareRoute({
  method: 'get',
  path: '/api/keys',
  access,
  cost: 'cheap',
  summary: 'Your keys or those of a team, or for the operator all keys with their owners, without their secrets',
  request: { query: TeamQuery },
  responses: { 200: json(ApiKeyList, 'The keys'), ...refused, ...refusals('validation', 'team-not-found') },
})
const create = declareRoute({
  method: 'post',
  audits: 'key.create',
  path: '/api/keys',
  access,
  cost: 'cheap',
  summary: 'Make a key; it is shown this once and stored as a hash',
  description:
    'Whoever has signed in makes keys of his own with the scopes `runs:read` and `runs:write`; runs that they start are paid by his account. With `team`, its admin makes a key that acts as the team, also where he pays; it is revoked when he is no admin any more. An operator makes keys for anybody. Keys of the same `owner` are one person: they read each other’s private runs and share the bound of open runs. Keys of different owners are strangers to each other. Without `owner` the key belongs to its maker (`admin` for the admin secret), so that all keys made so are one person.',
  request: jsonBody(CreateKey),
  responses: {
    201: json(CreatedApiKey, 'The key'),
    ...refused,
    ...refusals('validation', 'bad-json', 'team-not-found', 'unsupported-media-type', 'body-too-large'),
  },
})
const revoke = declareRoute({
  method: 'delete',
  audits: 'key.revoke',
  path: '/api/keys/{id}',
  access,
  cost: 'cheap',
  summary: 'Revoke a key at once',
  request: { params: z.object({ id: z.string() }) },
  responses: { 200: json(Revoked, 'Revoked'), ...refused, ...refusals('not-found') },
})

export function keyRoutes(deps: Deps) {
  return new OpenAPIHono<AppEnv>()
    .openapi(list, async (c) => {
      const whose = await getManaged(c.req.valid('query').team, c.get('whose'), c.get('principal'), deps)
      const keys = await deps.store.listKeys(whose === null ? null : [whose])
      const budgets = await readBudgets(
        keys.map(({ id, name }) => ({ kind: 'key', id, name })),
        deps,
      )
      return c.json({ keys: keys.map((key) => ApiKey.parse({ ...key, budget: budgets.get(key.id) ?? null })) }, 200)
    })
    .openapi(create, async (c) => {
      const { name, owner, team, scopes, expires_at = null, budget } = c.req.valid('json')
      const whose = c.get('whose')
      if (whose !== null || team != null) requireOwnKey(owner ?? null, scopes)
      const principal = c.get('principal')
      const ofTeam = team == null ? null : await getManaged(team, whose, principal, deps)
      const key = newKey()
      const row = { id: deps.newId(), name, scopes: [...new Set(scopes)], expires_at, revoked_at: null, used_at: null }
      const found = ofTeam ? teamKeyOwner(ofTeam, principal) : await findKeyOwner(owner ?? null, c.get('owner_id'), principal)
      if (whose === null && !ofTeam) await deps.store.ensureOwner(found)
      // The limits come first: no key of a budget is ever without it.
      const limited = budget ? await setBudget('key', row, { ...noLimits, ...budget }, whose === null ? 'operator' : 'owner', deps) : null
      await deps.store.createKey({ ...row, owner_id: found.id, made_by: ofTeam ? whose : null, sha256: await sha256Hex(key) })
      const expires = expires_at ?? 'never'
      c.set('touched', {
        target: `key:${row.id}`,
        owner_id: found.id,
        detail: { name, owner: found.name, scopes: row.scopes, expires, ...(budget && { budget }) },
      })
      return c.json({ ...row, owner: found.name, budget: limited, key }, 201)
    })
    .openapi(revoke, async (c) => {
      const { id } = c.req.valid('param')
      const whose = c.get('whose')
      const owners = whose === null ? null : managedBy(c.get('principal'), whose)
      const [key] = (await deps.store.listKeys(owners)).filter((one) => one.id === id)
      const done = await deps.store.revokeKey(id, owners)
      if (key) c.set('touched', { owner_id: key.owner_id, detail: { name: key.name } })
      if (!done) throw new Problem('not-found', 'There is no such key.')
      return c.json({ success: true, message: 'Key revoked' }, 200)
    })
}

const teamKeyOwner = (id: string, principal: Principal): Owner => ({ id, name: teamFor(principal, id)?.name ?? id, kind: 'key' })

/** Refuses a key for another owner and a scope beyond `ownScopes`. */
function requireOwnKey(owner: string | null, wanted: readonly Scope[]): void {
  if (owner !== null) throw new Problem('forbidden', 'A key that you make is yours or your team’s: leave out owner.')
  const beyond = wanted.filter((scope) => !ownScopes.some((one) => one === scope))
  if (beyond.length > 0)
    throw new Problem('forbidden', `Your keys may have the scopes ${ownScopes.join(' and ')}, not ${beyond.join(', ')}.`)
}

/**
 * The owner of a new key. Two spellings of a name that differ in case, form of Unicode or white space are one owner, whose id is a hash under a label of its
 * own, so that no name is an owner of another kind.
 */
async function findKeyOwner(name: string | null, maker_id: string, { session }: Principal): Promise<Owner> {
  if (session) return { id: maker_id, name: session.user.username, kind: 'chutes' }
  if (name === null) return { id: maker_id, name: maker_id, kind: maker_id === 'local' ? 'local' : 'key' }
  const spelled = name.normalize('NFKC').trim().replace(/\s+/g, ' ')
  const id = `owner-${(await sha256Hex(`bench-owner|name|v1|${spelled.toLowerCase()}`)).slice(0, 40)}`
  return { id, name: spelled, kind: 'key' }
}
