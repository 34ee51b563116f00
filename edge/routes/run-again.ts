import { OpenAPIHono } from '@hono/zod-openapi'
import * as z from 'zod'
import type { StoredRun } from '#db/store.ts'
import { Done, ItemQuery, Run } from '#shared/contract/api.ts'
import { RunName } from '#shared/contract/create-run.ts'
import { mostEpochs } from '#shared/contract/epochs.ts'
import { mayStillSucceed } from '#shared/contract/failure.ts'
import { ItemNames } from '#shared/contract/item-choice.ts'
import { queryInteger } from '#shared/contract/query-integer.ts'
import { TeamId } from '#shared/contract/team-place.ts'
import { againRequest } from '#shared/run/again-request.ts'
import type { AppEnv } from '../app-env.ts'
import { teamOwnerId } from '../auth/team-owner.ts'
import type { Deps } from '../deps.ts'
import { Problem } from '../problem.ts'
import { ownKeysOf } from '../provider-keys/own-keys.ts'
import { json, jsonBody, refusals } from './answers.ts'
import { declareRoute } from './declare-route.ts'
import { RunItemParams, RunParams } from './parameters.ts'
import { sendCommand } from './run-commands.ts'
import { createOrReplay } from './run-create.ts'
import { getPlanned } from './run-items.ts'
import { findRead } from './run-model.ts'
import { toRun } from './run-view.ts'

const AgainRequest = z.strictObject({
  benchmark: z.string().min(1).max(60),
  items: ItemNames,
  epochs: z.int().min(1).max(mostEpochs).default(1),
  name: RunName.nullish(),
  team: TeamId.nullish(),
})
const again = declareRoute({
  method: 'post',
  path: '/api/runs/{id}/again',
  audits: 'run.create',
  access: { who: 'reader of the run, with a key', scope: 'runs:write' },
  cost: 'cheap',
  summary: 'Start a run that asks items of a run you may read once more, with its settings; it is yours, or of the `team` that you name',
  description: 'The earlier run stays as it is. The new one asks chosen items, so its score never ranks.',
  request: {
    params: RunParams,
    headers: z.object({ 'idempotency-key': z.string().min(1).max(255).optional() }),
    ...jsonBody(AgainRequest, { benchmark: 'mmlu_pro', items: ['id:7'] }),
  },
  responses: {
    201: json(Run, 'The run, queued'),
    200: json(Run, 'The run this Idempotency-Key created before'),
    ...refusals(
      'validation',
      'bad-json',
      'unauthorized',
      'forbidden',
      'run-not-found',
      'benchmark-not-in-run',
      'unknown-provider',
      'team-not-found',
    ),
    ...refusals('model-not-found', 'model-unavailable', 'unknown-benchmark', 'body-too-large', 'unsupported-media-type'),
    ...refusals('too-many-trials', 'idempotency-conflict', 'too-many-runs', 'rate-limited', 'maintenance', 'unavailable'),
  },
})
const retry = declareRoute({
  method: 'post',
  path: '/api/runs/{id}/items/{benchmark}/{item_id}/retry',
  audits: 'run.retry',
  access: { who: 'owner of the run', scope: 'runs:write' },
  cost: 'cheap',
  summary: 'Try one item again that could not be scored (`?epoch=`, default 0)',
  request: { params: RunItemParams, query: z.object({ epoch: queryInteger(0, mostEpochs - 1).default(0) }) },
  responses: {
    200: json(Done, 'Done'),
    ...refusals('unauthorized', 'forbidden', 'run-not-found', 'benchmark-not-in-run', 'item-not-found', 'wrong-state', 'validation'),
    ...refusals('unavailable'),
  },
})

/** Asking single items of a run once more: in a run of their own, or in the same run where they could not be scored. */
export function runAgainRoutes(deps: Deps) {
  return new OpenAPIHono<AppEnv>()
    .openapi(again, async (c) => {
      const principal = { ...c.get('principal'), owner_id: c.get('owner_id') }
      const run = c.get('run')
      const body = c.req.valid('json')
      const { name: benchmark } = getPlanned(run, body.benchmark)
      const asked = { benchmark, items: body.items, epochs: body.epochs, name: body.name ?? null }
      const owner_id = body.team == null ? principal.owner_id : teamOwnerId(body.team)
      const request = { ...againRequest(run.spec, asked, await ownPrice(run, owner_id, deps)), team: body.team }
      const { stored, created } = await createOrReplay(request, c.req.valid('header')['idempotency-key'], false, principal, deps)
      c.set('touched', { target: `run:${stored.spec.run_id}`, owner_id: stored.spec.owner_id, detail: { again: run.spec.run_id } })
      c.header('location', `/api/runs/${stored.spec.run_id}`)
      if (!created) c.header('idempotent-replayed', 'true')
      const answer = toRun(stored, principal, deps)
      return created ? c.json(answer, 201) : c.json(answer, 200)
    })
    .openapi(retry, async (c) => {
      const run = c.get('run')
      const { benchmark, item_id } = c.req.valid('param')
      const { epoch } = c.req.valid('query')
      const { name } = getPlanned(run, benchmark)
      const found = await deps.store.findItem(run.spec.run_id, name, item_id, epoch, ItemQuery.parse({}))
      if (!found)
        throw new Problem('item-not-found', `Item ${item_id.slice(0, 80)} of ${name}, epoch ${epoch}, has no result in this run (yet).`)
      const { failure, ordinal } = found.trial.record
      if (!failure) throw new Problem('wrong-state', 'The item was scored, and a score stays. To ask it once more, start a run of it.')
      const why = `${failure.at}/${failure.reason}`
      if (!mayStillSucceed(why)) throw new Problem('wrong-state', `The item would fail again: ${why}. Settle that and start a run of it.`)
      await sendCommand(run, { type: 'retry_failed', ordinals: [ordinal] }, c.get('principal'), deps)
      return c.json({ success: true, message: 'The item is queued again.' }, 200)
    })
}

/** What the model of a run costs where its provider does not say: as the run was told then. */
async function ownPrice({ spec }: StoredRun, owner_id: string, deps: Deps) {
  const own = await ownKeysOf(owner_id, deps)
  const model = await findRead({ model_id: spec.model.id, provider: spec.model.provider }, deps, own)
  return model && model.price === null ? spec.price : null
}
