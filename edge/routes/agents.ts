import { createRoute, OpenAPIHono } from '@hono/zod-openapi'
import * as z from 'zod'
import { RunId } from '#shared/contract/ids.ts'
import type { AppEnv } from '../app-env.ts'
import { requireAgent, requireOwner } from '../auth/principal.ts'
import type { Deps } from '../deps.ts'
import { Problem } from '../problem.ts'
import { json, refusals } from './answers.ts'

/** An agent as the fleet knows it now, or as it was last seen. */
export const Agent = z.object({
  agent_id: z.string(),
  session: z.string().nullable(),
  host: z.string(),
  version: z.string(),
  capabilities: z.array(z.string()),
  slots: z.int(),
  free_slots: z.int(),
  running: z.int(),
  draining: z.boolean(),
  connected: z.boolean(),
  first_seen: z.string(),
  last_seen: z.string(),
})
export type Agent = z.infer<typeof Agent>
export const AgentList = z.object({
  agents: z.array(Agent),
  runs: z.array(z.object({ run_id: z.string(), agents: z.int(), slots: z.int() })),
})
export type AgentList = z.infer<typeof AgentList>

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
