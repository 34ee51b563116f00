import { OpenAPIHono } from '@hono/zod-openapi'
import { RunComposite } from '#shared/contract/janus.ts'
import { compositeOf } from '#shared/janus/composite.ts'
import { type JanusResult, resultOf } from '#shared/janus/result.ts'
import type { AppEnv } from '../app-env.ts'
import type { Deps } from '../deps.ts'
import { Problem } from '../problem.ts'
import { json, refusals } from './answers.ts'
import { declareRoute } from './declare-route.ts'
import { RunParams } from './parameters.ts'
import { getRecordedRun } from './run-access.ts'
import { trialPages } from './trial-pages.ts'

const pageSize = 200

const show = declareRoute({
  method: 'get',
  path: '/api/janus/composite-score/{id}',
  access: { who: 'reader of the run', state: 'stored' },
  cost: 'heavy',
  summary: 'The composite of a run of the Janus suite, with its parts',
  description:
    'Computed anew from the records: `mended` by our formulas, `official` by those of the Janus benchmark. Of a run that has not ended it is that of the trials ' +
    'recorded so far. A mended composite is null where one of the five benchmarks was not run; `absent` names those.',
  request: { params: RunParams },
  responses: {
    200: json(RunComposite, 'The composite'),
    ...refusals('unauthorized', 'run-not-found', 'benchmark-not-in-run', 'unavailable'),
  },
})

/** `GET /api/janus/composite-score/{id}`. */
export function janusCompositeRoutes(deps: Deps) {
  return new OpenAPIHono<AppEnv>().openapi(show, async (c) => {
    const run = await getRecordedRun(c.get('run'), c.get('principal'), deps)
    const counting = new Set<string>(deps.cards.flatMap(({ name, composite }) => (composite === 'janus' ? [name] : [])))
    const planned = run.spec.benchmarks.filter(({ name }) => counting.has(name))
    if (planned.length === 0)
      throw new Problem('benchmark-not-in-run', 'None of its benchmarks counts in the composite of the Janus suite.')
    const [mended, official]: [JanusResult[], JanusResult[]] = [[], []]
    for await (const page of trialPages(deps.store, run.spec.run_id, -1, pageSize))
      for (const { record } of page)
        if (counting.has(record.benchmark)) {
          mended.push(resultOf(record, 'v2'))
          official.push(resultOf(record, 'v1'))
        }
    const body: RunComposite = {
      run_id: run.spec.run_id,
      status: run.head.status,
      profiles: Object.fromEntries(planned.map(({ name, profile }) => [name, profile])),
      mended: compositeOf(mended, 'v2'),
      official: compositeOf(official, 'v1'),
    }
    return c.json(body, 200)
  })
}
