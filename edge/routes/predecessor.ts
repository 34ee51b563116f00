import { OpenAPIHono } from '@hono/zod-openapi'
import type { AppEnv } from '../app-env.ts'
import type { Deps } from '../deps.ts'
import { Problem } from '../problem.ts'
import { admit } from './declare-route.ts'

/** Not part of the OpenAPI document: there is nothing to call. */
const ops =
  'The operations dashboard of the predecessor is not part of this service. GET /api/status and GET /api/agents tell what it told.'
const sandy = 'This service runs no Sandy sandboxes, so there is nothing to tell of them.'
const absent = {
  '/api/ops/overview': ops,
  '/api/ops/sandy/:what': sandy,
}

/** Former page paths and the pages that replace them. */
export const formerPages: Readonly<Record<string, string>> = {
  '/api-docs': '/docs',
  '/redoc': '/docs',
  '/ops': '/agents',
  '/ui/index.html': '/',
}

const open = { access: { who: 'anyone' }, cost: 'cheap' } as const

/** What clients of the predecessor ask for besides its runs: answered where it has a true answer, else refused by name. */
export function predecessorRoutes(deps: Pick<Deps, 'config'>) {
  const routes = new OpenAPIHono<AppEnv>()
  routes.get('/', admit(open), (c) => c.json({ name: 'Chutes Bench Runner', version: deps.config.version, docs: '/docs' }, 200))
  const refuse = (detail: string) => () => {
    throw new Problem('not-offered', detail)
  }
  for (const [path, place] of Object.entries(formerPages)) routes.get(path, admit(open), (c) => c.redirect(place, 302))
  for (const [path, detail] of Object.entries(absent)) routes.get(path, admit(open), refuse(detail))
  return routes
}
