import { createRoute, OpenAPIHono } from '@hono/zod-openapi'
import { AgentList } from '#shared/contract/api.ts'
import { RunId } from '#shared/contract/ids.ts'
import type { AppEnv } from '../app-env.ts'
import { requireAgent, requireOwner } from '../auth/principal.ts'
import type { Deps } from '../deps.ts'
import { Problem } from '../problem.ts'
import { json, refusals } from './answers.ts'

const list = createRoute({
  method: 'get',
  path: '/api/agents',
  summary: 'Agents of the fleet and the runs they work on',
  security: [{ bearer: [] }],
  responses: { 200: json(AgentList, 'Connected agents first'), ...refusals('unauthorized', 'forbidden', 'unavailable') },
})

export function agentRoutes(deps: Deps) {
  return new OpenAPIHono<AppEnv>().openapi(list, async (c) => {
    requireOwner(c.get('principal'), 'runs:read')
    const [overview, stored] = await Promise.all([deps.fleet.overview(), deps.store.listAgents()])
    const now = deps.now().toISOString()
    const live = overview.agents.map(({ connected_at, ...agent }) => {
      const before = stored.find((one) => one.agent_id === agent.agent_id)
      return { ...agent, connected: true, first_seen: before?.first_seen ?? connected_at, last_seen: now }
    })
    const gone = stored
      .filter((one) => !live.some((agent) => agent.agent_id === one.agent_id))
      .map((agent) => ({ ...agent, session: null, connected: false, free_slots: 0, running: 0 }))
    return c.json({ agents: [...live, ...gone], runs: overview.runs }, 200)
  })
}

/** The two WebSockets agents dial. They are mounted before the principal is looked for: an agent's token is not a key. */
export function socketRoutes(deps: Deps) {
  return new OpenAPIHono<AppEnv>()
    .get('/api/fleet/socket', async (c) => {
      await requireSocket(c.req.raw, deps)
      return deps.fleet.connect(c.req.raw)
    })
    .get('/api/runs/:id/socket', async (c) => {
      await requireSocket(c.req.raw, deps)
      const id = c.req.param('id')
      if (!RunId.safeParse(id).success) throw new Problem('run-not-found')
      return deps.runs.connect(id.toLowerCase(), c.req.raw)
    })
}

async function requireSocket(request: Request, deps: Deps): Promise<void> {
  await requireAgent(request, deps)
  if (request.headers.get('upgrade')?.toLowerCase() !== 'websocket')
    throw new Problem('validation', 'This address speaks WebSocket only.', {
      errors: [{ pointer: '/header/upgrade', message: 'must be websocket' }],
    })
}
