import { OpenAPIHono } from '@hono/zod-openapi'
import * as z from 'zod'
import { KeptAnswers } from '#shared/contract/regrade.ts'
import type { AppEnv } from '../app-env.ts'
import type { Deps } from '../deps.ts'
import { Problem } from '../problem.ts'
import { json, refusals } from './answers.ts'
import { declareRoute } from './declare-route.ts'
import { withheldBenchmarks } from './run-access.ts'
import { requireSentAgent, sentAgentHeaders } from './sent-agent.ts'

const params = z.object({ id: z.string() })

const forAgent = declareRoute({
  method: 'get',
  path: '/api/runs/{id}/replay/agent',
  access: { who: 'agent' },
  cost: 'cheap',
  summary: 'For agents: the answers that a run replays',
  description: 'Read once for each run, with the pass that the fleet gave for it.',
  request: {
    params,
    headers: sentAgentHeaders,
  },
  responses: {
    200: json(KeptAnswers, 'The answers, as they were given'),
    ...refusals('validation', 'unauthorized', 'forbidden', 'run-not-found', 'unavailable'),
  },
})

const forOwner = declareRoute({
  method: 'get',
  path: '/api/runs/{id}/replay',
  access: { who: 'owner of the run', scope: 'runs:read' },
  cost: 'cheap',
  summary: 'The answers that a run of your own replays',
  request: { params },
  responses: {
    200: json(KeptAnswers, 'The answers, as they were given'),
    ...refusals('unauthorized', 'forbidden', 'run-not-found', 'unavailable'),
  },
})

/** Where agents read what they replay. Mounted before the principal is looked for: an agent's token is not a key. */
export function agentReplayRoutes(deps: Pick<Deps, 'store' | 'runs'>) {
  return new OpenAPIHono<AppEnv>().openapi(forAgent, async (c) => {
    const { id } = c.req.valid('param')
    const run_id = await requireSentAgent(id, c.req.valid('header'), deps.runs)
    return c.json(await getAnswers(run_id, deps), 200)
  })
}

export function runReplayRoutes(deps: Deps) {
  return new OpenAPIHono<AppEnv>().openapi(forOwner, async (c) => {
    const { spec } = c.get('run')
    // Answers to gated items may quote them: an operator reads those of his own runs only.
    if (withheldBenchmarks(spec, c.get('principal')).size > 0) throw new Problem('forbidden', 'This run belongs to somebody else.')
    return c.json(await getAnswers(spec.run_id, deps), 200)
  })
}

async function getAnswers(run_id: string, { store }: Pick<Deps, 'store'>): Promise<KeptAnswers> {
  const answers = await store.findReplayAnswers(run_id)
  if (!answers) throw new Problem('run-not-found', 'This run replays no answers: a model was asked.')
  return answers
}
