import { OpenAPIHono } from '@hono/zod-openapi'
import * as z from 'zod'
import type { EvidencePage, StoredRun } from '#db/store.ts'
import { queryInteger } from '#shared/contract/query-integer.ts'
import { Rescore, type RescoreDifference, RescoreList, RescorePage, RescoreRequest, RescoreSubmission } from '#shared/contract/rescore.ts'
import { isTerminal, type PlannedBenchmark } from '#shared/contract/run.ts'
import type { TrialRecord } from '#shared/contract/trial.ts'
import type { ScorerLoader } from '#shared/export/verify-scores.ts'
import { type EvidenceHere, evidenceHere, type ReadArtifact, readEvidence } from '#shared/run/evidence-apart.ts'
import { BadSubmission, openSubmitted, type Rescored, type Rescoring } from '#shared/run/rescore.ts'
import type { AppEnv } from '../app-env.ts'
import { keyOf } from '../artifacts/bucket.ts'
import type { Deps, Principal } from '../deps.ts'
import { Problem } from '../problem.ts'
import { json, jsonBody, refusals } from './answers.ts'
import { declareRoute } from './declare-route.ts'
import { maxInteger, pageOffset, RunParams, RunRescoreParams } from './parameters.ts'
import { openHere } from './rescore-here.ts'
import { getRecordedRun, getRun, withheldBenchmarks } from './run-access.ts'

const pageSize = 200
const refused = refusals('unauthorized', 'forbidden', 'run-not-found', 'benchmark-not-in-run', 'wrong-state', 'unavailable')
const badBody = refusals('wrong-state', 'bad-json', 'validation', 'unsupported-media-type', 'body-too-large')

const compute = declareRoute({
  method: 'post',
  audits: 'run.rescore',
  path: '/api/runs/{id}/rescore',
  access: { who: 'owner of the run', scope: 'runs:write' },
  cost: 'heavy',
  summary: 'Score an ended run again from its stored evidence, with the scorers of this server',
  description:
    'Nothing of the run changes: each benchmark gets a rescoring of its own, with both scores and every trial that came out otherwise. ' +
    'Benchmarks whose scorers read tables, and runs of more than 20 000 trials, are computed by `bench rescore RUN --save` on your machine.',
  request: { params: RunParams, body: { required: false, content: { 'application/json': { schema: RescoreRequest } } } },
  responses: {
    201: json(RescoreList, 'The rescorings, one for each benchmark'),
    ...refused,
    ...badBody,
    ...refusals('validation', 'rescore-elsewhere'),
  },
})
const submit = declareRoute({
  method: 'post',
  audits: 'run.rescore',
  path: '/api/runs/{id}/rescores',
  access: { who: 'owner of the run', scope: 'runs:write' },
  cost: 'search',
  summary: 'Keep a rescoring of your run that your own machine computed',
  description:
    'The body names the trials that came out otherwise. What they were before, the counts and both scores are computed here from the record.',
  request: { params: RunParams, ...jsonBody(RescoreSubmission) },
  responses: { 201: json(Rescore, 'The rescoring'), ...refused, ...badBody, ...refusals('validation', 'rescore-elsewhere') },
})
const list = declareRoute({
  method: 'get',
  path: '/api/runs/{id}/rescores',
  access: { who: 'reader of the run', state: 'stored' },
  cost: 'search',
  summary: 'Rescorings of a run, newest first',
  request: { params: RunParams, query: z.object({ limit: queryInteger(1, 200).default(50), offset: pageOffset }) },
  responses: {
    200: json(RescoreList, 'A page and the true number'),
    ...refusals('validation', 'unauthorized', 'run-not-found', 'unavailable'),
  },
})
const show = declareRoute({
  method: 'get',
  path: '/api/runs/{id}/rescores/{rescore_id}',
  access: { who: 'reader of the run', state: 'stored' },
  cost: 'cheap',
  summary: 'A rescoring with the trials that came out otherwise, paged by their number in the plan (`?after=`)',
  request: {
    params: RunRescoreParams,
    query: z.object({
      limit: queryInteger(1, 500).default(100),
      after: queryInteger(-1, maxInteger).default(-1),
    }),
  },
  responses: {
    200: json(RescorePage, 'The rescoring'),
    ...refusals('validation', 'unauthorized', 'run-not-found', 'rescore-not-found', 'unavailable'),
  },
})

/** Scores computed again: `tasks` brings the scorers; without it nothing is computed here. */
export function runRescoreRoutes(deps: Deps, tasks: ScorerLoader | undefined) {
  return new OpenAPIHono<AppEnv>()
    .openapi(compute, async (c) => {
      const owner_id = c.get('owner_id')
      const run = await getEndedRun(c.get('run'), c.get('principal'), deps)
      const { benchmark } = c.req.valid('json')
      const planned = benchmark == null ? run.spec.benchmarks : [getPlanned(run, benchmark)]
      const opened = await openHere(run, planned, deps.cards, tasks)
      const computed: Rescored[] = []
      const whole = (record: TrialRecord) => readEvidence(record, bytesOf(run, deps), deps.openSha256)
      for (const [index, one] of planned.entries()) computed.push(await readThrough(run, one, opened[index]!, deps, whole))
      const rescores: Rescore[] = []
      for (const one of computed)
        rescores.push(await keep(run, one, { computed_by: 'edge', code_version: deps.config.version, owner_id }, deps))
      return c.json({ rescores, total: rescores.length }, 201)
    })
    .openapi(submit, async (c) => {
      const owner_id = c.get('owner_id')
      const run = await getEndedRun(c.get('run'), c.get('principal'), deps)
      const submission = c.req.valid('json')
      const planned = getPlanned(run, submission.benchmark)
      const card = deps.cards.find((one) => one.name === planned.name)
      if (!card)
        throw new Problem('rescore-elsewhere', `This server does not know ${planned.name} any more, so it cannot compute its metrics.`)
      try {
        const computed = await readThrough(run, planned, openSubmitted(planned, submission, card.metrics), deps)
        return c.json(await keep(run, computed, { computed_by: 'client', code_version: submission.code_version, owner_id }, deps), 201)
      } catch (error) {
        if (error instanceof BadSubmission) throw new Problem('validation', error.message, { cause: error })
        throw error
      }
    })
    .openapi(list, async (c) => {
      return c.json(await deps.store.listRescores(c.get('run').spec.run_id, c.req.valid('query')), 200)
    })
    .openapi(show, async (c) => {
      const { rescore_id } = c.req.valid('param')
      const run = c.get('run')
      const { limit, after } = c.req.valid('query')
      const asked = z.uuid().safeParse(rescore_id.toLowerCase()).data ?? null
      const [rescore, found] = await Promise.all([
        asked === null ? undefined : deps.store.findRescore(run.spec.run_id, asked),
        asked === null ? [] : deps.store.listRescoreDifferences(asked, after, limit + 1),
      ])
      if (!rescore) throw new Problem('rescore-not-found', `This run has no rescoring ${rescore_id.slice(0, 80)}.`)
      const withheld = withheldBenchmarks(run.spec, c.get('principal')).has(rescore.benchmark)
      const differences = found.slice(0, limit).map((one) => (withheld ? withoutAnswers(one) : one))
      const next = found.length > limit ? differences.at(-1)!.ordinal : null
      return c.json({ rescore, differences, total: rescore.counts.changed, next }, 200)
    })
}

/** The run, with everything of it in the record, once it has ended. */
async function getEndedRun(run: StoredRun, principal: Principal, deps: Deps): Promise<StoredRun> {
  const { status } = run.head
  if (!isTerminal(status)) throw new Problem('wrong-state', `The run is ${status}. It can be scored again when it has ended.`)
  const recorded = await getRun(run.spec.run_id, principal, deps)
  return getRecordedRun(recorded, principal, deps)
}

function getPlanned(run: StoredRun, name: string): PlannedBenchmark {
  const planned = run.spec.benchmarks.find((one) => one.name === name.toLowerCase())
  if (planned) return planned
  const known = run.spec.benchmarks.map((one) => one.name).join(', ')
  throw new Problem('benchmark-not-in-run', `This run has no benchmark ${JSON.stringify(name.slice(0, 60))}; it has: ${known}.`)
}

/** `evidenceOf` reads what lies apart from its record; scores that were computed elsewhere need none of it. */
async function readThrough(
  { spec }: StoredRun,
  planned: PlannedBenchmark,
  rescoring: Rescoring,
  deps: Deps,
  evidenceOf: (record: TrialRecord) => EvidenceHere | Promise<EvidenceHere> = evidenceHere,
): Promise<Rescored> {
  for (let after: number | null = -1; after !== null; ) {
    const page: EvidencePage = await deps.store.listEvidence(spec.run_id, planned.name, after, pageSize)
    for (const record of page.records) rescoring.add(record, await evidenceOf(record))
    after = page.next
  }
  return rescoring.close()
}

type By = { computed_by: Rescore['computed_by']; code_version: string; owner_id: string }

async function keep({ spec }: StoredRun, computed: Rescored, { owner_id, ...by }: By, deps: Deps): Promise<Rescore> {
  const rescore = { ...computed.summary, id: deps.newId(), run_id: spec.run_id, ...by, created_at: deps.now().toISOString() }
  await deps.store.saveRescore(rescore, owner_id, computed.differences)
  return rescore
}

/** Answers and explanations quote gated items; scores do not. */
function withoutAnswers(difference: RescoreDifference): RescoreDifference {
  const strip = (side: RescoreDifference['before']) => ({ ...side, answer: null, explanation: null, detail: {} })
  return { ...difference, before: strip(difference.before), after: strip(difference.after) }
}

/** Reads what trials of the run left behind; null where this deployment does not have it. */
export function bytesOf({ spec }: StoredRun, { artifacts: bucket }: Deps): ReadArtifact {
  return async (_, sha256) => {
    const body = await bucket?.open(keyOf(spec.run_id, sha256))
    return body ? new Uint8Array(await new Response(body).arrayBuffer()) : null
  }
}
