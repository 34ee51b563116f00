import { OpenAPIHono } from '@hono/zod-openapi'
import * as z from 'zod'
import type { AppEnv } from '../app-env.ts'
import type { Deps } from '../deps.ts'
import { Problem } from '../problem.ts'
import { json } from './answers.ts'
import { admit, declareRoute } from './declare-route.ts'

/** Not part of the OpenAPI document: there is nothing to call. */
const ops =
  'The operations dashboard of the predecessor is not part of this service. GET /api/status and GET /api/agents tell what it told.'
const sandy = 'This service runs no Sandy sandboxes, so there is nothing to tell of them.'
const login = 'Signing in is not offered here. Send a key: Authorization: Bearer <key>.'
const absent = {
  '/api/ops/overview': ops,
  '/api/ops/sandy/:what': sandy,
  '/api/auth/login': login,
  '/api/auth/callback': login,
  '/api/auth/me': login,
}

const Session = z.object({
  idp_configured: z.literal(false).describe('No identity provider is configured'),
  authenticated: z.literal(false).describe('Nobody is ever signed in'),
  user: z.null().describe('Always null'),
  has_invoke_scope: z.literal(false).describe('Always false'),
})
const session = declareRoute({
  method: 'get',
  path: '/api/auth/status',
  access: { who: 'anyone' },
  cost: 'cheap',
  summary: 'Whether somebody is signed in: nobody is, there is no signing in',
  responses: { 200: json(Session, 'Not configured, not signed in') },
})

const open = { access: { who: 'anyone' }, cost: 'cheap' } as const

/** What clients of the predecessor ask for besides its runs: answered where it has a true answer, else refused by name. */
export function predecessorRoutes(deps: Pick<Deps, 'config'>) {
  const routes = new OpenAPIHono<AppEnv>().openapi(session, (c) =>
    c.json({ idp_configured: false as const, authenticated: false as const, user: null, has_invoke_scope: false as const }, 200),
  )
  routes.get('/', admit(open), (c) => c.json({ name: 'Chutes Bench Runner', version: deps.config.version, docs: '/docs' }, 200))
  const refuse = (detail: string) => () => {
    throw new Problem('not-offered', detail)
  }
  for (const [path, detail] of Object.entries(absent)) routes.get(path, admit(open), refuse(detail))
  routes.post('/api/auth/logout', admit(open), refuse(login))
  return routes
}
