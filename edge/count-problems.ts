import type { MiddlewareHandler } from 'hono'
import type { ProblemCode } from '#shared/contract/problem.ts'
import { sum } from '#shared/telemetry/run-progress.ts'
import type { AppEnv } from './app-env.ts'
import type { Deps } from './deps.ts'

const tellMs = 5000
/** A request that was to tell and is dead by then does not keep the others silent. */
const staleMs = 60_000

/**
 * Counts problems by code. An isolate is one of many and knows only what it answered itself, so it hands its counts to the fleet's object: once
 * in a while, after the answer.
 */
export function countProblems({ fleet, later, now }: Pick<Deps, 'fleet' | 'later' | 'now'>): MiddlewareHandler<AppEnv> {
  const waiting = new Map<ProblemCode, number>()
  let dueMs = Number.NEGATIVE_INFINITY
  const add = (code: ProblemCode, by: number): void => void waiting.set(code, (waiting.get(code) ?? 0) + by)
  const tell = async (): Promise<void> => {
    dueMs = Number.NEGATIVE_INFINITY
    const counted = [...waiting]
    waiting.clear()
    try {
      await fleet.count(counted.map(([code, by]) => sum('bench_problems_total', { code }, by)))
    } catch {
      for (const [code, by] of counted) add(code, by) // told with the next
    }
  }
  return async (c, next) => {
    await next()
    const code = c.get('problem')
    if (!code) return
    add(code, 1)
    const nowMs = now().getTime()
    if (nowMs < dueMs + staleMs) return
    dueMs = nowMs
    later(tellMs, tell)
  }
}
