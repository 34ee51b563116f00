import { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import * as z from 'zod'
import type { StoredRun } from '#db/store.ts'
import { Done, Run } from '#shared/contract/api.ts'
import type { AuditAction } from '#shared/contract/audit.ts'
import { RunName, RunTags } from '#shared/contract/create-run.ts'
import { isTerminal, type OwnProvider, type RunHead, type RunSpec, visibilities } from '#shared/contract/run.ts'
import type { RunCommand } from '#shared/run/command.ts'
import { leftText, retryCount } from '#shared/run/retry-count.ts'
import type { AppEnv } from '../app-env.ts'
import type { Admitted } from '../auth/gate.ts'
import { type OwnPayment, ownPayment, sealPayment } from '../auth/own-payment.ts'
import type { Scope } from '../auth/principal.ts'
import { mayDo, placeIn, roleProblem } from '../auth/team-access.ts'
import type { Deps, Principal } from '../deps.ts'
import { Problem } from '../problem.ts'
import { keyFor, ownKeysOf } from '../provider-keys/own-keys.ts'
import { json, jsonBody, refusals } from './answers.ts'
import { declareRoute } from './declare-route.ts'
import { RunParams } from './parameters.ts'
import { getLiveRun } from './run-access.ts'
import { toRun } from './run-view.ts'

const refused = refusals('unauthorized', 'forbidden', 'run-not-found', 'wrong-state', 'unavailable')
const responses = { 200: json(Done, 'Done'), ...refused }
const command = <P extends string>(path: P, audits: AuditAction, summary: string, scope: Scope = 'runs:write') =>
  declareRoute({
    method: 'post',
    audits,
    path,
    access: { who: 'owner of the run', scope },
    cost: 'cheap',
    summary,
    request: { params: RunParams },
    responses,
  })

const cancel = command('/api/runs/{id}/cancel', 'run.cancel', 'Cancel a run for good')
const pause = command('/api/runs/{id}/pause', 'run.pause', 'Pause a run: no new trials start')
const resume = command('/api/runs/{id}/resume', 'run.resume', 'Go on with a paused or parked run')
const retryFailed = command('/api/runs/{id}/retry-failed', 'run.retry', 'Try again the trials that could not be scored')
const requeue = command(
  '/api/admin/runs/{id}/requeue',
  'run.retry',
  'Admin: try again the failed trials of any run; a canceled run goes on',
  'admin',
)
const RunPatch = z
  .strictObject({
    concurrency: z.int().min(1).max(2000).optional(),
    priority: z.int().min(-100).max(100).optional(),
    /** Null takes the limit away; a run that is parked for its budget goes on at once. */
    budget_usd: z.number().min(0).nullable().optional(),
    /** Null takes the name away. */
    name: RunName.nullable().optional(),
    tags: RunTags.optional(),
    visibility: z.enum(visibilities).optional(),
  })
  .refine(
    (patch) => Object.values(patch).some((value) => value !== undefined),
    'Give concurrency, priority, budget_usd, name, tags or visibility',
  )
  .meta({ minProperties: 1 })
const patch = declareRoute({
  method: 'patch',
  audits: 'run.change',
  path: '/api/runs/{id}',
  access: { who: 'owner of the run', scope: 'runs:write' },
  cost: 'cheap',
  summary: 'Change how wide or how urgently a run works, its budget, its name, its tags or who may read it',
  description:
    'Of a team’s run its admins alone change `visibility`. Lists, boards, streams and exports follow `visibility` at once. What others downloaded while they could stays with them.',
  request: { params: RunParams, ...jsonBody(RunPatch) },
  responses: {
    200: json(Run, 'The run'),
    ...refused,
    ...refusals('wrong-state', 'bad-json', 'validation', 'unsupported-media-type', 'body-too-large'),
  },
})

type OwnRunEnv = { Variables: AppEnv['Variables'] & Admitted<{ who: 'owner of the run'; scope: Scope }> }

export function runCommandRoutes(deps: Deps) {
  const apply = async (c: Context<OwnRunEnv>, given: RunCommand, message: string | ((before: RunHead) => string)) => {
    const run = c.get('run')
    await sendCommand(run, given, c.get('principal'), deps)
    return c.json({ success: true, message: typeof message === 'string' ? message : message(run.head) }, 200)
  }
  return new OpenAPIHono<AppEnv>()
    .openapi(cancel, (c) => apply(c, { type: 'cancel' }, 'Run canceled'))
    .openapi(pause, (c) => apply(c, { type: 'pause' }, 'Run paused'))
    .openapi(resume, (c) => apply(c, { type: 'resume' }, 'Run resumed'))
    .openapi(retryFailed, (c) => apply(c, { type: 'retry_failed' }, queuedAgain))
    .openapi(requeue, (c) => apply(c, { type: 'requeue' }, queuedAgain))
    .openapi(patch, async (c) => {
      const principal = c.get('principal')
      const run = c.get('run')
      const { concurrency, priority, budget_usd, name, tags, visibility } = c.req.valid('json')
      const place = placeIn(principal, run.spec.owner_id)
      if (visibility !== undefined && place && !mayDo(principal, run.spec.owner_id, 'manage')) throw roleProblem(place, 'manage')
      c.set('touched', { detail: c.req.valid('json') })
      await deps.store.labelRun(run.spec.run_id, { ...(name !== undefined && { name }), ...(tags && { tags }) })
      if (visibility !== undefined) {
        await deps.store.shareRun(run.spec.run_id, visibility)
        await deps.runs.changeReaders(run.spec.run_id, visibility)
      }
      if (concurrency !== undefined) await send(run, { type: 'set_concurrency', concurrency }, deps)
      if (priority !== undefined) await send(run, { type: 'prioritise', priority }, deps)
      if (budget_usd !== undefined) await send(run, { type: 'set_budget', budget_usd }, deps)
      return c.json(toRun(await getLiveRun(run.spec.run_id, principal, deps), principal, deps), 200)
    })
}

/** How many failed trials are asked again, and which are not because they would fail again. */
function queuedAgain(before: RunHead): string {
  const retry = retryCount(before)
  const open = before.status === 'canceled' ? before.total - before.done : 0
  const goesOn =
    open > 0 && `The run goes on with ${open} ${open === 1 ? 'trial' : 'trials'} that ${open === 1 ? 'has' : 'have'} no result.`
  if (goesOn && retry.again === 0) return [goesOn, leftText(retry)].filter(Boolean).join(' ')
  return [goesOn, `${retry.again} failed ${retry.again === 1 ? 'trial' : 'trials'} queued again.`, leftText(retry)]
    .filter(Boolean)
    .join(' ')
}

/** Gives the command to the run's object. One that was never told of an open run (its creation broke off) is told now. */
async function send({ spec, head }: StoredRun, command: RunCommand, deps: Deps, sealed: string | null = null): Promise<void> {
  let answer = await deps.runs.command(spec.run_id, command, sealed)
  if (!answer && !isTerminal(head.status)) {
    await deps.runs.create(spec)
    answer = await deps.runs.command(spec.run_id, command, sealed)
  }
  if (!answer) throw new Problem('wrong-state', 'The run has no living part any more, so nothing can be changed in it.')
  if ('refused' in answer) throw new Problem('wrong-state', answer.refused)
}

/** Gives a command to a run, with the owner's key where he goes on with a run that it pays for. Throws `wrong-state`. */
export async function sendCommand(run: StoredRun, command: RunCommand, principal: Principal, deps: Deps): Promise<void> {
  await send(run, command, deps, await sealedAnew(run.spec, command, principal, deps))
}

/** Asks the failed trials of an ended run again, and says how many. What was scored stays. Throws `wrong-state`. */
export async function retryFailedTrials(run: StoredRun, principal: Principal, deps: Deps): Promise<string> {
  await sendCommand(run, { type: 'retry_failed' }, principal, deps)
  return queuedAgain(run.head)
}

/** The owner's key, sealed again where he goes on with a run that it pays for: the one from before is deleted when a run ends. */
async function sealedAnew(spec: RunSpec, { type }: RunCommand, principal: Principal, deps: Deps): Promise<string | null> {
  const goesOn = type === 'resume' || type === 'retry_failed' || type === 'requeue'
  if (!goesOn || !spec.own_credential || !mayDo(principal, spec.owner_id, 'work')) return null
  const payment = spec.own_provider ? await savedPayment(spec, spec.own_provider, deps) : ownPayment(principal)
  return payment && sealPayment(payment, spec, deps.seal)
}

/** The key that the run's owner has now for the address that the run was planned with. What pays at Chutes goes nowhere else. */
async function savedPayment({ owner_id }: RunSpec, { id, base_url }: OwnProvider, deps: Deps): Promise<OwnPayment | null> {
  const key = keyFor(id, await ownKeysOf(owner_id, deps))
  return key?.base_url === base_url ? { by: 'provider key', key_id: key.id } : null
}
