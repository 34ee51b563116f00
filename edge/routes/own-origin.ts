import type { Context } from 'hono'
import type { Deps } from '../deps.ts'

/** Returns the origin of this service in addresses for people: PUBLIC_URL, or locally the origin of the request. */
export function ownOrigin(c: Context, { config }: Pick<Deps, 'config'>): string {
  const [here, own] = [new URL(c.req.url), URL.parse(config.public_url)]
  return own && (!config.local || own.host === here.host) ? own.origin : here.origin
}
