import { OpenAPIHono } from '@hono/zod-openapi'
import type { MiddlewareHandler } from 'hono'
import * as z from 'zod'
import { type Agent, AgentList, Done } from '#shared/contract/api.ts'
import { RunId } from '#shared/contract/ids.ts'
import { silentMs } from '#shared/run/pulse.ts'
import type { AppEnv } from '../app-env.ts'
import { ownersOf } from '../auth/team-access.ts'
import type { Deps, FleetAgent } from '../deps.ts'
import { Problem } from '../problem.ts'
import { json, jsonBody, refusals } from './answers.ts'
import { admit, declareRoute } from './declare-route.ts'

const list = declareRoute({
  method: 'get',
  path: '/api/agents',
  access: { who: 'key holder', scope: 'runs:read' },
  cost: 'cheap',
  summary: 'Agents of the fleet and the runs they work on',
  responses: { 200: json(AgentList, 'Connected agents first'), ...refusals('unauthorized', 'forbidden', 'unavailable') },
})

const forget = declareRoute({
  method: 'delete',
  audits: 'agent.forget',
  path: '/api/agents/{agent_id}',
  access: { who: 'key holder', scope: 'admin' },
  cost: 'cheap',
  summary: 'Admin: make the name of an agent free, for one that lost its data directory',
  request: { params: z.object({ agent_id: z.string().max(200) }) },
  responses: { 200: json(Done, 'Done'), ...refusals('validation', 'unauthorized', 'forbidden', 'agent-not-found', 'unavailable') },
})

const Drain = z.strictObject({ drain: z.boolean() })
const drain = declareRoute({
  method: 'post',
  path: '/api/agents/{agent_id}/drain',
  audits: 'agent.drain',
  access: { who: 'key holder', scope: 'admin' },
  cost: 'cheap',
  summary: 'Admin: give an agent no new work, or give it work again',
  description: 'The agent finishes the trials that it has begun and stays connected. The name stays drained until it is given work again.',
  request: { params: z.object({ agent_id: z.string().max(200) }), ...jsonBody(Drain) },
  responses: {
    200: json(Done, 'Done'),
    ...refusals(
      'validation',
      'bad-json',
      'unauthorized',
      'forbidden',
      'agent-not-found',
      'unsupported-media-type',
      'body-too-large',
      'unavailable',
    ),
  },
})

export function agentRoutes(deps: Deps) {
  return new OpenAPIHono<AppEnv>()
    .openapi(list, async (c) => {
      const principal = c.get('principal')
      const viewers = ownersOf(principal)
      const operates = principal.scopes.includes('admin')
      const [overview, stored] = await Promise.all([deps.fleet.overview(), deps.store.listAgents()])
      const nowMs = deps.now().getTime()
      const live = overview.agents.map((agent) => {
        const before = stored.find((one) => one.agent_id === agent.agent_id)
        const first_seen = before?.first_seen ?? agent.connected_at
        return toAgent({ ...agent, connected: true, ...sightOf(agent, nowMs), first_seen }, operates)
      })
      const gone = stored
        .filter((one) => !live.some((agent) => agent.agent_id === one.agent_id))
        .map((agent) => toAgent({ ...agent, session: null, connected: false, silent: false, free_slots: 0, running: 0 }, operates))
      const runs = overview.runs
        .filter((run) => operates || run.visibility === 'public' || viewers.includes(run.owner_id))
        .map(({ run_id, agents, slots }) => ({ run_id, agents, slots }))
      return c.json({ agents: [...live, ...gone], runs, refused: operates ? overview.refused : [] }, 200)
    })
    .openapi(drain, async (c) => {
      const { agent_id } = c.req.valid('param')
      const { drain } = c.req.valid('json')
      if (!(await deps.fleet.drain(agent_id, drain)))
        throw new Problem('agent-not-found', `No agent named ${agent_id.slice(0, 80)} is connected.`)
      c.set('touched', { detail: { drain } })
      return c.json({ success: true, message: drain ? 'The agent gets no new work' : 'The agent gets work again' }, 200)
    })
    .openapi(forget, async (c) => {
      const { agent_id } = c.req.valid('param')
      if (!(await deps.fleet.forget(agent_id))) throw new Problem('agent-not-found', `No agent has the name ${agent_id.slice(0, 80)}.`)
      return c.json({ success: true, message: 'The next agent that comes under this name keeps it' }, 200)
    })
}

/** When an agent was heard last, by its event loop: an open socket says nothing of the program behind it. */
export function sightOf({ heard_ms }: Pick<FleetAgent, 'heard_ms'>, nowMs: number): Pick<Agent, 'last_seen' | 'silent'> {
  return { last_seen: new Date(heard_ms ?? nowMs).toISOString(), silent: heard_ms !== undefined && nowMs - heard_ms >= silentMs }
}

/** Named one by one: a new field of an agent is shown to nobody before somebody has thought about it. Its machine is the operator's to know. */
function toAgent(
  agent: Omit<Agent, 'host' | 'resources' | 'blocks'> & Pick<FleetAgent, 'host' | 'resources' | 'blocks'>,
  operates: boolean,
): Agent {
  const { resources = null } = agent
  return {
    agent_id: agent.agent_id,
    session: operates ? agent.session : null,
    host: operates ? agent.host : null,
    version: agent.version,
    capabilities: agent.capabilities,
    resources: resources && { ...resources, proofs: resources.proofs.map((one) => (operates ? one : { ...one, detail: '' })) },
    slots: agent.slots,
    free_slots: agent.free_slots,
    running: agent.running,
    draining: agent.draining,
    connected: agent.connected,
    silent: agent.silent,
    blocks: agent.blocks ?? null,
    first_seen: agent.first_seen,
    last_seen: agent.last_seen,
  }
}

/** The two WebSockets agents dial. They are mounted before the principal is looked for: an agent's token is not a key. */
export function socketRoutes(deps: Deps) {
  const dialled = [admit({ access: { who: 'agent' }, cost: 'cheap' }), webSocketOnly] as const
  return new OpenAPIHono<AppEnv>()
    .get('/api/fleet/socket', ...dialled, (c) => deps.fleet.connect(c.req.raw))
    .get('/api/runs/:id/socket', ...dialled, (c) => {
      const id = c.req.param('id')
      if (!RunId.safeParse(id).success) throw new Problem('run-not-found')
      return deps.runs.connect(id.toLowerCase(), c.req.raw)
    })
}

const webSocketOnly: MiddlewareHandler = async (c, next) => {
  if (c.req.header('upgrade')?.toLowerCase() !== 'websocket')
    throw new Problem('validation', 'This address speaks WebSocket only.', {
      errors: [{ pointer: '/header/upgrade', message: 'must be websocket' }],
    })
  await next()
}
