import { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import * as z from 'zod'
import type { EvidencePage, StoredRun } from '#db/store.ts'
import { mostLeftOut, RegradeComparison, RegradeList, RegradeRequest, RegradeStarted } from '#shared/contract/regrade.ts'
import { isTerminal, type RunSpec } from '#shared/contract/run.ts'
import type { TrialRecord } from '#shared/contract/trial.ts'
import { compareRegrade } from '#shared/run/compare-regrade.ts'
import { regradeSpec } from '#shared/run/regrade-spec.ts'
import type { AppEnv } from '../app-env.ts'
import { budgetsOf } from '../budgets/reserve-start.ts'
import type { Deps, Principal } from '../deps.ts'
import { Problem } from '../problem.ts'
import { json, refusals } from './answers.ts'
import { declareRoute } from './declare-route.ts'
import { type Gathered, gatherEpisodes, withTests } from './gather-hand-overs.ts'
import { readMaintenance } from './maintenance.ts'
import { RunParams } from './parameters.ts'
import { getRecordedRun, mayRead, withheldBenchmarks } from './run-access.ts'
import { requireFewRuns, requireFewTrials, requirePace } from './run-bounds.ts'
import { findReplay, idempotencyOf, storeRun } from './run-create.ts'

const start = declareRoute({
  method: 'post',
  audits: 'run.regrade',
  path: '/api/runs/{id}/regrade',
  access: { who: 'owner of the run', scope: 'runs:write' },
  cost: 'heavy',
  summary: 'Grade the episodes of an ended run of yours again, by the tests of now; a new run does it and nobody works again',
  description:
    'The body may be left out; each of its fields narrows what is graded. What was handed over is graded whatever became of its first grade, and what handed nothing over is named. The run that is read never changes. It takes tasks whose verifier has a machine of its own.',
  request: {
    params: RunParams,
    headers: z.object({ 'idempotency-key': z.string().min(1).max(200).optional() }),
    body: { required: false, content: { 'application/json': { schema: RegradeRequest } } },
  },
  responses: {
    202: json(RegradeStarted, 'The run is queued'),
    ...refusals('unauthorized', 'forbidden', 'run-not-found', 'task-not-found', 'wrong-state', 'validation', 'bad-json', 'body-too-large'),
    ...refusals(
      'unsupported-media-type',
      'export-not-ready',
      'too-many-trials',
      'budget-used-up',
      'idempotency-conflict',
      'too-many-runs',
      'rate-limited',
    ),
    ...refusals('no-artifact-store', 'maintenance', 'unavailable'),
  },
})
const compare = declareRoute({
  method: 'get',
  path: '/api/runs/{id}/regrade',
  access: { who: 'reader of the run', state: 'live' },
  cost: 'search',
  summary: 'Rewards then and now, of a run that grades episodes again',
  request: { params: RunParams },
  responses: {
    200: json(RegradeComparison, 'Both rewards of each episode, changed ones first'),
    ...refusals('unauthorized', 'run-not-found', 'not-found', 'rate-limited', 'unavailable'),
  },
})
const list = declareRoute({
  method: 'get',
  path: '/api/runs/{id}/regrades',
  access: { who: 'reader of the run', state: 'stored' },
  cost: 'search',
  summary: 'Runs that graded the episodes of this one again, newest first',
  request: { params: RunParams },
  responses: {
    200: json(RegradeList, 'The runs, at most 50'),
    ...refusals('unauthorized', 'run-not-found', 'rate-limited', 'unavailable'),
  },
})

/** Runs that grade the episodes of another again; they are started under the same bounds as any. */
export function runRegradeRoutes(deps: Deps) {
  return new OpenAPIHono<AppEnv>()
    .openapi(start, async (c) => {
      // It belongs to whom the graded run belongs to, whoever operates the service.
      const { owner_id } = c.get('run').spec
      const principal = { ...c.get('principal'), owner_id }
      const body = RegradeRequest.parse((c.req.header('content-type') === undefined ? await noBody(c) : c.req.valid('json')) ?? {})
      const named = c.req.valid('header')['idempotency-key']
      const idempotency = await idempotencyOf(named, { regrade: c.get('run').spec.run_id, ...body }, owner_id)
      const earlier = idempotency && (await findReplay(idempotency, deps))
      if (earlier) {
        c.header('idempotent-replayed', 'true')
        const gathered = await gatherEpisodes(c.get('run'), body, deps)
        return c.json(toStarted(earlier.spec, gathered, principal), 202, { location: `/api/runs/${earlier.spec.run_id}` })
      }
      const before = await getRegradable(c.get('run'), principal, deps)
      await requirePace(principal, c.get('owner_id'), deps)
      const { mode, message } = await readMaintenance(deps)
      if (mode) throw new Problem('maintenance', message || 'New runs are paused for maintenance. Try again later.', { retry_after_s: 300 })
      await requireFewRuns(principal, owner_id, deps)
      const gathered = await gatherEpisodes(before, body, deps)
      const parts = await withTests(gathered, body.task_id ?? null, principal, deps)
      const { spec, answers } = regradeSpec(before.spec, parts, deps)
      requireFewTrials(spec.benchmarks, deps.config)
      const label = { name: before.label?.name ?? null, tags: before.label?.tags ?? [] }
      const budgets = budgetsOf(c.get('principal'), owner_id)
      const planned = { spec, label, idempotency, sealed: null, replay: answers, task_id: null, budgets }
      const { stored, created } = await storeRun(planned, null, deps)
      if (!created) c.header('idempotent-replayed', 'true')
      return c.json(toStarted(stored.spec, gathered, principal), 202, { location: `/api/runs/${stored.spec.run_id}` })
    })
    .openapi(compare, async (c) => {
      const { spec } = c.get('run')
      const answers = regrades(spec) ? await deps.store.findReplayAnswers(spec.run_id) : undefined
      if (!regrades(spec) || !answers) throw new Problem('not-found', 'This run grades nothing again: somebody worked in it.')
      const withheld = withheldBenchmarks(spec, c.get('principal'))
      const { listed, ...comparison } = compareRegrade(spec, answers, await readRecords(spec, deps))
      const hidden = listed.map((one) => (withheld.has(one.benchmark) ? { ...one, source_id: null, why: null } : one))
      return c.json({ ...comparison, listed: hidden }, 200)
    })
    .openapi(list, async (c) => {
      const { spec } = c.get('run')
      const found = await deps.store.listRegrades(spec, 50)
      const seen = found.filter((one) => mayRead(one.spec, c.get('principal')))
      const told = seen.map(({ spec: { run_id, created_at, regrade }, head: { status } }) => {
        return { run_id, created_at, status, episodes: regrade?.trials ?? 0 }
      })
      return c.json({ regrades: told }, 200)
    })
}

const regrades = (spec: RunSpec): spec is RunSpec & { regrade: NonNullable<RunSpec['regrade']> } => spec.regrade !== undefined

/** The run with everything of it in the record, where its owner may have it graded again. */
async function getRegradable(run: StoredRun, principal: Principal, deps: Deps): Promise<StoredRun> {
  const { spec, head } = run
  if (!isTerminal(head.status)) throw new Problem('wrong-state', `The run is ${head.status}. It can be graded again when it has ended.`)
  if (spec.regrade)
    throw new Problem('wrong-state', `This run grades episodes of the run ${spec.regrade.run_id} again: that one has what was handed over.`)
  if (spec.imported) throw new Problem('wrong-state', 'What was handed over in a run that was imported is not here.')
  if (!deps.artifacts) throw new Problem('no-artifact-store', 'This service keeps no artifacts: its operator has bound no bucket.')
  return getRecordedRun(run, principal, deps)
}

function toStarted(spec: RunSpec, { left_out }: Gathered, principal: Principal): RegradeStarted {
  const { run_id: regrades, trials: episodes } = spec.regrade! // planned by this route
  const withheld = withheldBenchmarks(spec, principal)
  const named = left_out.slice(0, mostLeftOut).map((one) => (withheld.has(one.benchmark) ? { ...one, source_id: null } : one))
  const rest = left_out.length > 0 ? `; ${left_out.length} of the run cannot be` : ''
  const message = `${episodes} ${episodes === 1 ? 'episode is' : 'episodes are'} graded again${rest}`
  return { run_id: spec.run_id, regrades, episodes, message, left_out: named }
}

/** A body that announces no type is none; else the validator above has read it. */
async function noBody(c: Context): Promise<undefined> {
  if ((await c.req.text()) !== '') throw new Problem('unsupported-media-type', 'Send application/json, or no body.')
  return undefined
}

async function readRecords({ run_id, benchmarks }: RunSpec, { store }: Pick<Deps, 'store'>): Promise<TrialRecord[]> {
  const records: TrialRecord[] = []
  for (const { name } of benchmarks)
    for (let after: number | null = -1; after !== null; ) {
      const page: EvidencePage = await store.listEvidence(run_id, name, after, 200)
      records.push(...page.records.map((record) => ({ ...record, evidence: null })))
      after = page.next
    }
  return records
}
