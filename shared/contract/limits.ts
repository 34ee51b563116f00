import * as z from 'zod'

const duration = z.int().min(100).max(7_200_000)

/** How long calls for a trial may take, in milliseconds, and how often a trial is asked before it is a failure. */
export const CallLimits = z.object({
  /** To a connection. */
  connect_ms: duration,
  /** From the sent request to the first content, reasoning or tool call. */
  first_token_ms: duration,
  /** Between two signs of life once the answer has begun. */
  idle_ms: duration,
  /** From the sent request to the whole answer. */
  total_ms: duration,
  /** Calls for one trial. */
  attempts: z.int().min(1).max(20),
  /** Calls for one trial that may run into a time limit: a model that hangs once may hang always, and each hang costs its limit in full. */
  timeouts: z.int().min(1).max(20),
  /** From the first call for a trial; no later call begins after it. */
  patience_ms: duration,
  /** Calls without reported usage after which no call is repeated. Absent: no such limit. */
  untold_attempts: z.int().min(1).max(20).optional(),
})
export type CallLimits = z.infer<typeof CallLimits>

/** What holds where neither the profile nor the request says otherwise, and for runs planned before limits were named. */
export const defaultLimits: CallLimits = {
  connect_ms: 10_000,
  first_token_ms: 180_000,
  idle_ms: 120_000,
  total_ms: 900_000,
  attempts: 5,
  timeouts: 2,
  patience_ms: 600_000,
}
