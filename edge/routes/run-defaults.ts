import { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import * as z from 'zod'
import type { CreateRun } from '#shared/contract/create-run.ts'
import { KeptDefaults, RunDefaults } from '#shared/contract/run-defaults.ts'
import { type StartRun, withDefaults } from '#shared/contract/start-run.ts'
import type { AppEnv } from '../app-env.ts'
import type { Deps } from '../deps.ts'
import { Problem } from '../problem.ts'
import { json, jsonBody, refusals } from './answers.ts'
import { declareRoute } from './declare-route.ts'

const access = { who: 'signed in or operator' } as const
const refused = refusals('unauthorized', 'forbidden', 'unavailable')
const read = declareRoute({
  method: 'get',
  path: '/api/run-defaults',
  access: { who: 'key holder', scope: 'runs:read' },
  cost: 'cheap',
  summary: 'Your default model and parameters',
  responses: { 200: json(KeptDefaults, 'The defaults'), ...refused },
})
const set = declareRoute({
  method: 'put',
  audits: 'defaults.set',
  path: '/api/run-defaults',
  access,
  cost: 'cheap',
  summary: 'Set your default model and parameters, in place of those from before',
  description:
    'The start page begins with them. `POST /api/runs` and `POST /api/runs/plan` use them where the request leaves out `model_id`; whatever such a request names stands in place of its default. A request with a `model_id` uses none.',
  request: jsonBody(RunDefaults, { model_id: 'org/model', temperature: 0.2, concurrency: 16 }),
  responses: {
    200: json(KeptDefaults, 'The defaults'),
    ...refused,
    ...refusals('validation', 'bad-json', 'unsupported-media-type', 'body-too-large'),
  },
})
const clear = declareRoute({
  method: 'delete',
  audits: 'defaults.set',
  path: '/api/run-defaults',
  access,
  cost: 'cheap',
  summary: 'Clear your default model and parameters',
  responses: { 200: json(KeptDefaults, 'None are left'), ...refused },
})

/** The name of an owner's defaults among the settings of the installation. */
const settingOf = (owner_id: string): string => `run-defaults|${owner_id}`

/** The default model and parameters of people. */
export function runDefaultsRoutes(deps: Deps) {
  const keep = async (owner_id: string, defaults: RunDefaults | null) => {
    await deps.store.writeSetting(settingOf(owner_id), defaults)
    return { defaults }
  }
  return new OpenAPIHono<AppEnv>()
    .openapi(read, async (c) => c.json({ defaults: await readDefaults(c.get('owner_id'), deps) }, 200))
    .openapi(set, async (c) => {
      const defaults = c.req.valid('json')
      c.set('touched', { target: 'defaults', owner_id: c.get('owner_id'), detail: defaults })
      return c.json(await keep(c.get('owner_id'), defaults), 200)
    })
    .openapi(clear, async (c) => {
      c.set('touched', { target: 'defaults', owner_id: c.get('owner_id'), detail: { cleared: true } })
      return c.json(await keep(c.get('owner_id'), null), 200)
    })
}

/** What an owner has set; null for nothing, and for what does not read any more. */
async function readDefaults(owner_id: string, { store }: Pick<Deps, 'store'>): Promise<RunDefaults | null> {
  return RunDefaults.safeParse(await store.readSetting(settingOf(owner_id))).data ?? null
}

/** Tells whether a request uses the defaults of its sender. A replay does not: it names the model of the answers. */
const isOpen = (body: StartRun): boolean => body.model_id === undefined && !body.replay

/** The run that a request means, and whether defaults are part of it. Throws `validation` where it names no model and there is no default. */
export async function meantRun(
  body: StartRun,
  c: Context,
  owner_id: string | null,
  deps: Deps,
): Promise<{ body: CreateRun; byDefaults: boolean }> {
  const { model_id } = body
  if (model_id !== undefined) return { body: { ...body, model_id }, byDefaults: false }
  const defaults = owner_id !== null && isOpen(body) ? await readDefaults(owner_id, deps) : null
  if (defaults) return { body: withDefaults(z.record(z.string(), z.unknown()).parse(await c.req.json()), defaults), byDefaults: true }
  const message = isOpen(body)
    ? 'Name a model: you have no default model. Settings keeps one.'
    : 'Name the model that the answers come from.'
  throw new Problem('validation', message, { errors: [{ pointer: '/model_id', message }] })
}
