import type { MiddlewareHandler } from 'hono'
import type { AppEnv } from './app-env.ts'

/** Headers of every answer. Nothing of the API is kept by caches unless a route says so; a WebSocket handshake passes untouched. */
export const secureAnswers: MiddlewareHandler<AppEnv> = async (c, next) => {
  await next()
  if (c.res.status === 101) return
  c.header('x-request-id', c.get('requestId'))
  c.header('x-content-type-options', 'nosniff')
  c.header('referrer-policy', 'no-referrer')
  c.header('cross-origin-resource-policy', 'same-origin')
  if (!c.res.headers.has('cache-control')) c.header('cache-control', 'no-store')
}
