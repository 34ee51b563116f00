import { OpenAPIHono } from '@hono/zod-openapi'
import { composites } from '#shared/composite/composites.ts'
import type { Gathering } from '#shared/composite/gathering.ts'
import { RunComposites } from '#shared/contract/composite.ts'
import type { CompositeName } from '#shared/contract/composite-name.ts'
import type { AppEnv } from '../app-env.ts'
import type { Deps } from '../deps.ts'
import { json, refusals } from './answers.ts'
import { declareRoute } from './declare-route.ts'
import { RunParams } from './parameters.ts'
import { getRecordedRun } from './run-access.ts'
import { trialPages } from './trial-pages.ts'

const pageSize = 200

const show = declareRoute({
  method: 'get',
  path: '/api/runs/{id}/composites',
  access: { who: 'reader of the run', state: 'stored' },
  cost: 'heavy',
  summary: 'Scores that are made of several benchmarks of a run, with their parts',
  description:
    'Every composite that a benchmark of the run counts in, computed anew from the records, with its parts, weights, counts and 95 % intervals; what was not run ' +
    'is named. Of a run that has not ended it is that of the trials recorded so far. A run whose benchmarks count in none has an empty list.',
  request: { params: RunParams },
  responses: { 200: json(RunComposites, 'The composites'), ...refusals('unauthorized', 'run-not-found', 'unavailable') },
})

/** `GET /api/runs/{id}/composites`. */
export function runCompositeRoutes(deps: Deps) {
  return new OpenAPIHono<AppEnv>().openapi(show, async (c) => {
    const { spec, head } = await getRecordedRun(c.get('run'), c.get('principal'), deps)
    const counting = new Map<string, CompositeName>()
    for (const { name } of spec.benchmarks) {
      const composite = deps.cards.find((card) => card.name === name)?.composite
      if (composite) counting.set(name, composite)
    }
    const gathered = new Map<CompositeName, Gathering>()
    for (const name of new Set(counting.values())) {
      const profiles = spec.benchmarks.filter((one) => counting.get(one.name) === name).map(({ profile }) => profile)
      gathered.set(name, composites[name](profiles))
    }
    if (gathered.size > 0)
      for await (const page of trialPages(deps.store, spec.run_id, -1, pageSize))
        for (const { record } of page) {
          const name = counting.get(record.benchmark)
          if (name) gathered.get(name)!.add(record)
        }
    const found = [...gathered].map(([name, gathering]) => ({ name, ...gathering.composite() }))
    const body: RunComposites = { run_id: spec.run_id, status: head.status, composites: found }
    return c.json(body, 200)
  })
}
