import type { Context } from 'hono'
import { HTTPException } from 'hono/http-exception'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type * as z from 'zod'
import { DatabaseAway, TooSlow } from '#db/store.ts'
import { type ProblemBody, type ProblemCode, problemBody, problems } from '#shared/contract/problem.ts'
import { RunRefused } from '#shared/run/run-refused.ts'
import { withoutKeys } from '#shared/secrets/redactor.ts'
import type { AppEnv } from './app-env.ts'
import { BucketAway } from './artifacts/bucket.ts'
import { SealBroken } from './auth/seal.ts'
import { edgeLog } from './edge-log.ts'

export type Pointer = { pointer: string; message: string }
type Extra = { errors?: Pointer[]; retry_after_s?: number; headers?: Record<string, string>; cause?: unknown }

/** An error the API answers on purpose. `detail` says what happened and what to do; it is shown to people as it is. */
export class Problem extends Error {
  readonly code: ProblemCode
  readonly errors: Pointer[] | undefined
  readonly retryAfterS: number | undefined
  readonly headers: Record<string, string>
  constructor(code: ProblemCode, detail: string = problems[code].title, extra: Extra = {}) {
    super(detail, { cause: extra.cause })
    this.code = code
    this.errors = extra.errors
    this.retryAfterS = extra.retry_after_s
    this.headers = extra.headers ?? {}
  }
}

/** Turns anything thrown into `application/problem+json` (RFC 9457). What it does not know becomes an opaque 500; its text goes to the log only. */
export function onError(error: Error, c: Context<AppEnv>): Response {
  const problem = toProblem(error)
  if (problem.code === 'internal') {
    edgeLog('error', 'a request broke', { request_id: c.get('requestId'), method: c.req.method, path: c.req.path, error })
  }
  return problemResponse(problem, c)
}

export function problemResponse(problem: Problem, c: Context<AppEnv>): Response {
  const { status } = problems[problem.code]
  c.set('problem', problem.code)
  const detail = problem.code === 'internal' ? `${problem.message} Request ${c.get('requestId')}.` : problem.message
  // An address or a name that was asked for may be a key that somebody put in the wrong place: no answer repeats it.
  const body: ProblemBody = problemBody(problem.code, withoutKeys(detail), withoutKeys(c.req.path), withoutKeys(c.get('requestId')))
  if (problem.errors) {
    body.errors = problem.errors.map(({ pointer, message }) => ({ pointer: withoutKeys(pointer), message: withoutKeys(message) }))
  }
  const headers = { ...problem.headers, ...(problem.retryAfterS && { 'retry-after': String(problem.retryAfterS) }) }
  return c.json(body, status as ContentfulStatusCode, { 'content-type': 'application/problem+json', ...headers })
}

function toProblem(error: Error): Problem {
  if (error instanceof Problem) return error
  if (error instanceof RunRefused)
    return new Problem(error.code, error.message, { errors: [{ pointer: error.pointer, message: error.issue }], cause: error })
  if (error instanceof TooSlow)
    return new Problem('unavailable', 'This takes the database longer than it may. Narrow what you look for, or try again later.', {
      retry_after_s: 10,
      cause: error,
    })
  if (error instanceof DatabaseAway)
    return new Problem('unavailable', 'The database does not answer right now. Try again in a few seconds.', {
      retry_after_s: 5,
      cause: error,
    })
  if (error instanceof BucketAway)
    return new Problem('unavailable', 'The store of artifacts does not answer right now. Try again in a few seconds.', {
      retry_after_s: 5,
      cause: error,
    })
  if (error instanceof SealBroken)
    return new Problem('unavailable', 'Keys of others cannot be kept here now: see GET /api/health.', { cause: error })
  if (error instanceof HTTPException) return fromHttpException(error)
  return new Problem('internal', 'Something broke on our side; it has been logged.', { cause: error })
}

function fromHttpException(error: HTTPException): Problem {
  const extra = { cause: error }
  switch (error.status) {
    case 400:
      return new Problem('bad-json', 'The body could not be read as JSON.', extra)
    case 413:
      return new Problem('body-too-large', undefined, extra)
    case 415:
      return new Problem('unsupported-media-type', undefined, extra)
    default:
      return new Problem('internal', 'Something broke on our side; it has been logged.', extra)
  }
}

type Place = 'json' | 'form' | 'query' | 'param' | 'header' | 'cookie'
const prefixes: Record<Place, string> = { json: '', form: '', query: '/query', param: '/path', header: '/header', cookie: '/cookie' }

/** The problem of a request part that does not fit its schema: one pointer per fault (body faults are plain JSON pointers). */
export function validationProblem(place: Place, error: { issues: readonly z.core.$ZodIssue[] }): Problem {
  const errors = error.issues.flatMap((issue) => {
    const keys = issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [issue.path]
    return keys.map((path) => ({ pointer: prefixes[place] + pointerOf(path), message: issue.message }))
  })
  const first = errors[0]
  return new Problem('validation', first ? `${first.pointer || '/'}: ${first.message}` : undefined, { errors })
}

const pointerOf = (path: readonly PropertyKey[]): string =>
  path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
