import { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import * as z from 'zod'
import { KeyTaken, type RunLabel, type StoredRun } from '#db/store.ts'
import { PlanPreview, Run } from '#shared/contract/api.ts'
import type { CreateRun } from '#shared/contract/create-run.ts'
import type { KeptAnswers } from '#shared/contract/regrade.ts'
import type { RunHead, RunSpec } from '#shared/contract/run.ts'
import { StartRun } from '#shared/contract/start-run.ts'
import { initialHead } from '#shared/run/apply.ts'
import { buildSpec } from '#shared/run/build-spec.ts'
import { onceConfigured } from '../adapters/sync-models.ts'
import type { AppEnv } from '../app-env.ts'
import type { Admitted } from '../auth/gate.ts'
import { operatorPays, sealPayment } from '../auth/own-payment.ts'
import { requireOwner, type Scope } from '../auth/principal.ts'
import { sha256Hex } from '../auth/secret.ts'
import { actingOwner } from '../auth/team-access.ts'
import { teamOf } from '../auth/team-owner.ts'
import { budgetsOf, giveBackStart, reserveStart } from '../budgets/reserve-start.ts'
import type { Deps, Principal } from '../deps.ts'
import { Problem } from '../problem.ts'
import { asProvider, keyFor, ownKeysOf } from '../provider-keys/own-keys.ts'
import { json, jsonBody, refusals } from './answers.ts'
import { declareRoute } from './declare-route.ts'
import { findItemLists } from './item-lists.ts'
import { readMaintenance } from './maintenance.ts'
import { withLiveHead } from './run-access.ts'
import { requireFewRuns, requireFewTrials, requirePace } from './run-bounds.ts'
import { meantRun } from './run-defaults.ts'
import { getModel, providerIn, requirePaidHelpers, requirePayment } from './run-model.ts'
import { previewPlan } from './run-plan.ts'
import { findRoleModels } from './run-roles.ts'
import { isDemo, toRun } from './run-view.ts'

const CreateHeaders = z.object({ 'idempotency-key': z.string().min(1).max(255).optional() })
const example = { model_id: 'org/model', selected_benchmarks: ['mmlu_pro'], subset_pct: 5 }
const request = { headers: CreateHeaders, ...jsonBody(StartRun, example) }
/** What hinders the plan of a run, and so its start. */
const unplannable = [
  'validation',
  'bad-json',
  'unauthorized',
  'forbidden',
  'team-not-found',
  'unknown-provider',
  'model-not-found',
  'model-unavailable',
  'unknown-benchmark',
  'body-too-large',
  'unsupported-media-type',
  'too-many-trials',
  'unavailable',
] as const
const responses = {
  201: json(Run, 'The run, queued'),
  200: json(Run, 'The run this Idempotency-Key created before'),
  ...refusals(...unplannable, 'idempotency-conflict', 'budget-used-up', 'too-many-runs', 'rate-limited', 'maintenance'),
}
const create = declareRoute({
  method: 'post',
  audits: 'run.create',
  path: '/api/runs',
  access: { who: 'key holder', scope: 'runs:write' },
  cost: 'cheap',
  summary: 'Start a run',
  request,
  responses,
})
const createWithKey = declareRoute({
  method: 'post',
  audits: 'run.create',
  path: '/api/runs/api',
  access: { who: 'key holder', scope: 'runs:write' },
  cost: 'cheap',
  summary: 'Start a run paid with the bearer Chutes key; an unknown model is looked for in the catalogue once more',
  request,
  responses,
})
const plan = declareRoute({
  method: 'post',
  audits: { none: 'plans a run and keeps nothing' },
  path: '/api/runs/plan',
  access: { who: 'anyone, more with a key' },
  cost: 'search',
  summary: 'What a run would ask, cost and take; starts nothing',
  request: jsonBody(StartRun, example),
  responses: {
    200: json(PlanPreview, 'The preview'),
    ...refusals(...unplannable),
  },
})

const defaultsNote = 'The request names no model: your default model and parameters are used.'

type HolderEnv = { Variables: AppEnv['Variables'] & Admitted<{ who: 'key holder'; scope: Scope }> }

export function runCreateRoutes(deps: Deps) {
  const configured = onceConfigured(deps)
  const start = async (c: Context<HolderEnv>, asked: StartRun, key: string | undefined, sync: boolean) => {
    await configured()
    const { body } = await meantRun(asked, c, c.get('owner_id'), deps)
    const { stored, created } = await createOrReplay(body, key, sync, { ...c.get('principal'), owner_id: c.get('owner_id') }, deps)
    c.header('location', `/api/runs/${stored.spec.run_id}`)
    c.set('touched', { owner_id: stored.spec.owner_id, detail: { model: stored.spec.model.slug, benchmarks: stored.head.order } })
    if (!created) c.header('idempotent-replayed', 'true')
    const run = toRun(stored, c.get('principal'), deps)
    return created ? c.json(run, 201) : c.json(run, 200)
  }
  return new OpenAPIHono<AppEnv>()
    .openapi(plan, async (c) => {
      await configured()
      const principal = c.get('principal')
      const { body, byDefaults } = await meantRun(c.req.valid('json'), c, principal.owner_id, deps)
      const owner_id =
        body.team == null
          ? principal.owner_id
          : actingOwner({ ...principal, owner_id: requireOwner(principal, 'runs:write') }, body.team, 'work')
      const own = await ownKeysOf(owner_id, deps)
      const preview = await previewPlan(body, await getModel(body, { sync: false }, deps, own), principal, deps, own)
      return c.json({ ...preview, notes: [...(byDefaults ? [defaultsNote] : []), ...preview.notes] }, 200)
    })
    .openapi(createWithKey, (c) => {
      if (c.req.header('authorization') === undefined && c.req.header('x-admin-secret') === undefined)
        throw new Problem('unauthorized', 'This address starts runs with a key only: Authorization: Bearer <key>.')
      return start(c, c.req.valid('json'), c.req.valid('header')['idempotency-key'], true)
    })
    .openapi(create, (c) => start(c, c.req.valid('json'), c.req.valid('header')['idempotency-key'], false))
}

export type Started = { stored: StoredRun; created: boolean }

/**
 * Refusals come in the predecessor's order: who, maintenance, provider, model, what pays, benchmarks. What does not depend on one another is
 * read at once: with a database far away each read in a row is felt. `task_id`: the uploaded task that it is a run of.
 */
export async function createOrReplay(
  body: CreateRun,
  key: string | undefined,
  sync: boolean,
  principal: Principal & { owner_id: string },
  deps: Deps,
  task_id: string | null = null,
): Promise<Started> {
  const owner_id = actingOwner(principal, body.team, 'work')
  const idempotency = await idempotencyOf(key, body, owner_id)
  // An unknown model makes us read the catalogue: not before the owner's pace was looked at.
  const paced = requirePace(principal, principal.owner_id, deps)
  const few = paced.then(() => requireFewRuns(principal, owner_id, deps))
  const keys = paced.then(() => ownKeysOf(owner_id, deps))
  const reads = [readMaintenance(deps), paced.then(() => getModel(body, { sync }, deps, keys)), few] as const
  for (const read of [...reads, keys]) read.catch(() => undefined) // looked at below, in their order
  const before = idempotency && (await findReplay(idempotency, deps))
  if (before) return { stored: before, created: false }
  const { mode, message } = await reads[0]
  if (mode) throw new Problem('maintenance', message || 'New runs are paused for maintenance. Try again later.', { retry_after_s: 300 })
  await reads[2]
  const model = await reads[1]
  const own = await keys
  const payment = requirePayment(principal, model, deps, own)
  const paying = payment?.by === 'provider key' ? keyFor(model.provider, own) : undefined
  // Its admins decide who reads what is the team's; invented answers are public as anybody's.
  const shared = body.visibility != null && body.visibility !== 'private' && !isDemo(model.provider, deps)
  if (shared) actingOwner(principal, body.team, 'manage')
  const [helperFor, itemsOf] = await Promise.all([findRoleModels(body, model, deps, own), findItemLists(body, model, principal, deps)])
  const owner = { id: owner_id, own_credential: payment !== null, own_provider: paying && asProvider(paying) }
  const spec = buildSpec(body, model, owner, {
    ...deps,
    helperFor,
    itemsOf,
    providerOf: providerIn(deps.config, own),
    invented: (provider) => isDemo(provider, deps),
  })
  requirePaidHelpers(principal, spec, deps)
  requireFewTrials(spec.benchmarks, deps.config)
  const sealed = spec.own_credential ? payment && (await sealPayment(payment, spec, deps.seal)) : null
  const label = { name: body.name ?? null, tags: body.tags ?? [] }
  const budgets = budgetsOf(principal, owner_id, !spec.own_credential && operatorPays(principal, deps.config))
  return storeRun({ spec, label, idempotency, sealed, replay: body.replay ?? null, task_id, budgets }, principal, deps)
}

/** A run that was planned, and whether its request may be repeated. */
export type PlannedRun = {
  spec: RunSpec
  label: RunLabel
  idempotency: Idempotency | null
  sealed: string | null
  replay: KeptAnswers | null
  task_id: string | null
  /** Whose budgets count the run; none counts a run that was made elsewhere. */
  budgets: string[]
}

/** Writes the run into the record and tells its object; the run of an earlier request with the same key in its place. Null: its owner stands in the record. */
export async function storeRun(
  { spec: planned, label, idempotency, sealed, replay, task_id, budgets }: PlannedRun,
  principal: (Principal & { owner_id: string }) | null,
  deps: Deps,
): Promise<Started> {
  const spec = budgets.length > 0 ? await reserveStart(planned, budgets, deps) : planned
  try {
    const named =
      principal && teamOf(spec.owner_id) === null
        ? { id: principal.owner_id, name: principal.owner_id, kind: ownerKind(principal) }
        : undefined
    await deps.store.createRun(spec, initialHead(spec), idempotency, sealed, named, label, replay, task_id)
  } catch (error) {
    await giveBackStart(spec, deps)
    const winner = error instanceof KeyTaken && idempotency ? await findReplay(idempotency, deps) : undefined
    if (winner) return { stored: winner, created: false }
    throw error
  }
  return {
    stored: { spec, head: await tellObject(spec, deps, sealed), metrics: {}, updated_at: deps.now().toISOString(), label },
    created: true,
  }
}

/** A request under the key that its caller gave it; null where he gave none. */
export async function idempotencyOf(key: string | undefined, body: object, owner_id: string): Promise<Idempotency | null> {
  return key === undefined ? null : { key, owner_id, body_sha256: await sha256Hex(JSON.stringify(body)) }
}

async function tellObject(spec: RunSpec, deps: Deps, sealed: string | null = null): Promise<RunHead> {
  try {
    return await deps.runs.create(spec, sealed)
  } catch (cause) {
    const detail = `The run ${spec.run_id} is stored but could not begin. Repeat the request with its Idempotency-Key, or send the run any command.`
    throw new Problem('unavailable', detail, { retry_after_s: 5, cause })
  }
}

type Idempotency = { key: string; owner_id: string; body_sha256: string }

/** The run this key created within the last day; its object is told again, in case the first request ended before it was. */
export async function findReplay({ key, owner_id, body_sha256 }: Idempotency, deps: Deps): Promise<StoredRun | undefined> {
  const before = await deps.store.findIdempotent(owner_id, key)
  if (!before) return undefined
  if (before.body_sha256 !== body_sha256) throw new Problem('idempotency-conflict', 'Use a new Idempotency-Key for a new request.')
  const run = await deps.store.findRun(before.run_id)
  if (run?.head.status === 'queued' && (await deps.runs.head(before.run_id)) === undefined) await tellObject(run.spec, deps)
  return run && withLiveHead(run, deps)
}

function ownerKind(principal: Principal): 'local' | 'key' | 'chutes' {
  if (principal.kind === 'local') return 'local'
  return principal.kind === 'chutes-key' || principal.kind === 'session' ? 'chutes' : 'key'
}
