import type { MiddlewareHandler } from 'hono'
import { cors } from 'hono/cors'
import type { AppEnv } from './app-env.ts'

/** Lets browsers at the configured origins call the API and read its answers; pages of all others get no such permission. */
export function allowOrigins(origins: readonly string[]): MiddlewareHandler<AppEnv> {
  const permit = cors({
    origin: [...origins],
    credentials: true,
    allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowHeaders: ['Authorization', 'Content-Type', 'Idempotency-Key', 'Last-Event-ID', 'X-Admin-Secret', 'X-Request-Id', 'Range'],
    exposeHeaders: ['Content-Disposition', 'ETag', 'Idempotent-Replayed', 'Location', 'RateLimit-Remaining', 'Retry-After', 'X-Request-Id'],
    maxAge: 600,
  })
  return async (c, next) => {
    const origin = c.req.header('origin')
    if (origin === undefined || !origins.includes(origin)) return next()
    return permit(c, next)
  }
}
