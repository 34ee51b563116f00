import { OpenAPIHono } from '@hono/zod-openapi'
import * as z from 'zod'
import { Status } from '#shared/contract/api.ts'
import { defOf } from '#shared/providers/providers.ts'
import type { AppEnv } from '../app-env.ts'
import type { Deps } from '../deps.ts'
import { Problem } from '../problem.ts'
import { sightOf } from './agents.ts'
import { json, jsonBody, refusals } from './answers.ts'
import { declareRoute } from './declare-route.ts'
import { Maintenance, maintenanceSetting, peekMaintenance, SetMaintenance } from './maintenance.ts'

const Health = z.object({
  status: z.literal('healthy'),
  faults: z.array(z.object({ variable: z.string(), detail: z.string(), off: z.string() })),
})
const health = declareRoute({
  method: 'get',
  path: '/api/health',
  access: { who: 'anyone' },
  cost: 'cheap',
  summary: 'Whether the service and its database answer, and what is turned off because a variable is missing or does not read',
  responses: { 200: json(Health, 'The service and its database answer'), ...refusals('unavailable') },
})
const status = declareRoute({
  method: 'get',
  path: '/api/status',
  access: { who: 'anyone' },
  cost: 'cheap',
  summary: 'Maintenance, version and fleet at a glance',
  responses: { 200: json(Status, 'The status') },
})
const maintenance = declareRoute({
  method: 'post',
  audits: 'maintenance.set',
  path: '/api/admin/maintenance',
  access: { who: 'key holder', scope: 'admin' },
  cost: 'cheap',
  summary: 'Admin: stop or allow new runs',
  request: jsonBody(SetMaintenance),
  responses: {
    200: json(Maintenance, 'What is in force now'),
    ...refusals('validation', 'bad-json', 'unauthorized', 'forbidden', 'unsupported-media-type', 'body-too-large', 'unavailable'),
  },
})

export function healthRoutes(deps: Deps) {
  return new OpenAPIHono<AppEnv>()
    .openapi(health, async (c) => {
      const { faults } = deps.config
      const unset = faults.find((fault) => fault.variable === 'DATABASE_URL')
      if (unset) throw new Problem('unavailable', `${unset.variable} ${unset.detail}: ${unset.off} is off.`)
      await deps.store.ping()
      return c.json({ status: 'healthy' as const, faults }, 200)
    })
    .openapi(status, async (c) => {
      const [{ mode, message, until }, { agents }] = await Promise.all([peekMaintenance(deps), deps.fleet.overview()])
      const { version, local, providers } = deps.config
      const demo = providers.length > 0 && providers.every((provider) => defOf(provider).invented)
      const nowMs = deps.now().getTime()
      const heard = agents.filter((agent) => !sightOf(agent, nowMs).silent)
      const silent_agents = agents.length - heard.length
      const free_slots = heard.reduce((sum, agent) => sum + agent.free_slots, 0)
      return c.json(
        {
          maintenance_mode: mode,
          message,
          until: mode ? until : null,
          version,
          agents: heard.length,
          silent_agents,
          free_slots,
          local,
          demo,
        },
        200,
      )
    })
    .openapi(maintenance, async (c) => {
      const { mode, message, until } = c.req.valid('json')
      const ends = mode && until ? new Date(until).toISOString() : null
      if (ends && Date.parse(ends) <= deps.now().getTime())
        throw new Problem('validation', 'The moment at which maintenance ends lies in the past.', {
          errors: [{ pointer: '/until', message: 'must lie ahead' }],
        })
      c.set('touched', { detail: { mode, message: message ?? '', until: ends } })
      await deps.store.writeSetting(maintenanceSetting, { mode, message: message ?? '', until: ends })
      return c.json(await peekMaintenance(deps), 200)
    })
}
