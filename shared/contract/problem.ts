import * as z from 'zod'

/** Every error the API can answer, RFC 9457. One table for server, pages, CLI and docs. */
export const problems = {
  'bad-request': { status: 400, title: 'This is not a well-formed request' },
  'request-timeout': { status: 408, title: 'The request did not arrive in time' },
  misdirected: { status: 421, title: 'This is not an address of this service' },
  'headers-too-large': { status: 431, title: 'Path and headers are too large' },
  validation: { status: 422, title: 'The request is not valid' },
  'bad-json': { status: 400, title: 'The body is not valid JSON' },
  'body-too-large': { status: 413, title: 'The body is too large' },
  'unsupported-media-type': { status: 415, title: 'Send application/json' },
  unauthorized: { status: 401, title: 'A valid key is needed' },
  forbidden: { status: 403, title: 'This key may not do that' },
  'not-found': { status: 404, title: 'There is nothing at this address' },
  'method-not-allowed': { status: 405, title: 'This address does not take that method' },
  'run-not-found': { status: 404, title: 'No such run' },
  'item-not-found': { status: 404, title: 'No such item in this run' },
  'model-not-found': { status: 404, title: 'No such model' },
  'benchmark-not-in-run': { status: 404, title: 'This benchmark is not part of the run' },
  'rescore-not-found': { status: 404, title: 'No such rescoring of this run' },
  'rescore-elsewhere': { status: 422, title: 'These scores cannot be computed here' },
  'artifact-not-found': { status: 404, title: 'No such artifact of this trial' },
  'task-not-found': { status: 404, title: 'No such task' },
  'task-busy': { status: 409, title: 'A run of the task is open' },
  'team-not-found': { status: 404, title: 'No such team' },
  'team-kept': { status: 409, title: 'The team cannot do without that' },
  'team-bound': { status: 409, title: 'A bound of teams is reached' },
  'invitation-not-found': { status: 404, title: 'No such invitation' },
  'episode-not-found': { status: 404, title: 'No such episode of this task' },
  'no-artifact-store': { status: 501, title: 'This service keeps no artifacts' },
  'wrong-hash': { status: 422, title: 'The bytes do not have this hash' },
  'lease-lost': { status: 409, title: 'The trial is no longer this agent’s' },
  'agent-not-found': { status: 404, title: 'No such agent' },
  'unknown-benchmark': { status: 422, title: 'No such benchmark' },
  'unknown-provider': { status: 400, title: 'No such provider' },
  'model-unavailable': { status: 404, title: 'The model is not being served' },
  'wrong-state': { status: 400, title: 'The run is not in a state for that' },
  'range-not-satisfiable': { status: 416, title: 'The file has no such part' },
  'export-not-ready': { status: 400, title: 'The run has not ended yet' },
  'export-no-episodes': { status: 409, title: 'The run has no episodes at a terminal' },
  'export-too-large': { status: 422, title: 'The run is too large for a signed bundle' },
  'budget-used-up': { status: 402, title: 'A budget covers no further trial' },
  'idempotency-conflict': { status: 409, title: 'This Idempotency-Key was used for another request' },
  maintenance: { status: 503, title: 'New runs are paused for maintenance' },
  unavailable: { status: 503, title: 'A part of the service is away' },
  'signing-not-configured': { status: 503, title: 'No signing key is configured' },
  'too-many-trials': { status: 422, title: 'The run has too many trials' },
  'too-many-viewers': { status: 429, title: 'Too many watch this already' },
  'too-many-runs': { status: 429, title: 'Too many of your runs are open' },
  'not-offered': { status: 501, title: 'This service does not offer that' },
  'rate-limited': { status: 429, title: 'Too many requests' },
  internal: { status: 500, title: 'Something broke on our side' },
} as const satisfies Record<string, { status: number; title: string }>
export type ProblemCode = keyof typeof problems

/** Body of every error: `detail` says what happened and what to do; `errors` points into the request. */
export const ProblemBody = z.object({
  type: z.string(),
  code: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  instance: z.string(),
  /** Absent in problems from before it was told. */
  request_id: z.string().optional(),
  errors: z.array(z.object({ pointer: z.string(), message: z.string() })).optional(),
})
export type ProblemBody = z.infer<typeof ProblemBody>

/** The body of a problem: `detail` says what happened and what to do, `instance` is the path that was asked for, `request_id` the name of the request. */
export function problemBody(code: ProblemCode, detail: string, instance: string, request_id: string): ProblemBody {
  const { status, title } = problems[code]
  return { type: `urn:bench:problem:${code}`, code, title, status, detail, instance, request_id }
}
