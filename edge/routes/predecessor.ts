import { OpenAPIHono } from '@hono/zod-openapi'
import type { AppEnv } from '../app-env.ts'
import type { Deps } from '../deps.ts'
import { admit } from './declare-route.ts'

/** Former page paths and the pages that replace them. */
export const formerPages: Readonly<Record<string, string>> = {
  '/api-docs': '/docs',
  '/redoc': '/docs',
  '/ui/index.html': '/',
}

const open = { access: { who: 'anyone' }, cost: 'cheap' } as const

/** What clients of the predecessor ask for besides its runs: answered where it has a true answer, else refused by name. */
export function predecessorRoutes(deps: Pick<Deps, 'config'>) {
  const routes = new OpenAPIHono<AppEnv>()
  routes.get('/', admit(open), (c) => c.json({ name: 'Chutes Bench Runner', version: deps.config.version, docs: '/docs' }, 200))
  for (const [path, place] of Object.entries(formerPages)) routes.get(path, admit(open), (c) => c.redirect(place, 302))
  return routes
}
