import { createRoute, type RouteConfig } from '@hono/zod-openapi'
import type { Context, MiddlewareHandler } from 'hono'
import type { AppEnv } from '../app-env.ts'
import type { Access } from '../auth/access.ts'
import type { Audits } from '../auth/audit.ts'
import type { Admitted } from '../auth/gate.ts'
import { endWithAnswer } from '../limits/bound-cost.ts'
import type { Cost } from '../limits/cost.ts'

/** What every route says of itself beside its OpenAPI text. */
export type Declaration = { access: Access; cost: Cost; audits?: Audits }

/** A route that writes says what of it is kept in the audit log. */
type Declared = Omit<RouteConfig, 'path' | 'security' | 'middleware'> & Declaration & ({ method: 'get' } | { audits: Audits })
/** What the handler of a route with this access finds beside a request. */
export type AdmittedEnv<A extends Access> = { Variables: AppEnv['Variables'] & Admitted<A> }

/**
 * Keeps a declaration: a request is refused before its body is read and its handler runs; what the gate found stands beside it. What is not
 * cheap waits for its turn; a turn at something heavy lasts until the last byte of the answer has left.
 */
export function admit(declared: Declaration): MiddlewareHandler<AppEnv> {
  const keep: MiddlewareHandler<AppEnv & { Variables: Record<string, unknown> }> = async (c, next) => {
    const gate = c.get('gate')
    const admitted = await gate.admit(declared.access, c)
    for (const [name, value] of Object.entries(admitted)) c.set(name, value)
    if (declared.cost === 'cheap') {
      await next()
      return keepEntry(declared, c)
    }
    const turn = await gate.takeTurn(declared.cost, c.get('principal'), c.req.raw)
    try {
      await next()
    } catch (error) {
      turn.end()
      throw error
    }
    await keepEntry(declared, c)
    if (declared.cost !== 'heavy') return turn.end()
    const answer = endWithAnswer(c.res, turn)
    c.res = undefined // else its headers are copied, and its length is lost
    c.res = answer
  }
  // The declaration travels with the handler, so that whoever lists the routes of the app finds it there.
  return Object.assign(keep, { declared })
}

/** Keeps a request that was done in the audit log. One that was refused, or that repeats another, changed nothing. */
async function keepEntry({ audits }: Declaration, c: Context<AppEnv>): Promise<void> {
  if (typeof audits !== 'string' || c.error || c.get('touched') === null || c.res.status >= 400 || c.res.headers.has('idempotent-replayed'))
    return
  await c.get('gate').keep(audits, c)
}

/** A route of the API. `before` runs after the gate and before the body is parsed. */
export function declareRoute<P extends string, R extends Declared & { path: P }>(route: R, ...before: MiddlewareHandler[]) {
  type Gated = R & { middleware: MiddlewareHandler<AdmittedEnv<R['access']>> }
  // The gate puts beside a request what `Admitted` says of its access, and whatever comes before the handler adds nothing.
  return createRoute({ ...route, middleware: [admit(route), ...before] } as unknown as Gated)
}

/** What a handler of the app declares; undefined for one that is no gate. */
export function declarationOf(handler: unknown): Declaration | undefined {
  return typeof handler === 'function' && 'declared' in handler ? (handler.declared as Declaration) : undefined // set by `admit` alone
}
