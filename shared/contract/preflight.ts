import * as z from 'zod'
import { Failure } from './failure.ts'
import { foreign } from './foreign.ts'
import { SessionId, Timestamp } from './ids.ts'
import { helperRoles } from './role.ts'
import { Spent } from './usage.ts'

/** What a run may be asked before its first trial: a word, a word about a picture, one with a tool at hand, or one in the form of a schema. */
export const preflightAsks = ['plain', 'picture', 'tools', 'schema'] as const

const ms = z.number().min(0)
const told = foreign('provider', z.string().max(300).nullable())

/** One small question before the first trial, and what came of it. */
export const PreflightCall = z.object({
  role: z.enum(['model', ...helperRoles]),
  ask: z.enum(preflightAsks),
  model: z.string(),
  provider: z.string(),
  /** Null: it answered. The fields from here on are of an answer, and null without one. */
  failure: Failure.nullable(),
  latency_ms: ms.nullable(),
  ttft_ms: ms.nullable(),
  /** Whether the answer came in parts as it was made. */
  streamed: z.boolean().nullable(),
  /** Whether the tokens it took were told. */
  usage_told: z.boolean().nullable(),
  model_reported: told,
  system_fingerprint: told,
  /** What the endpoint calls itself in the header `server`. */
  server: told,
})
export type PreflightCall = z.infer<typeof PreflightCall>

/** The most questions of one pre-flight, and the most tokens each may be answered with. */
export const mostPreflightCalls = 4
export const mostPreflightTokens = 16
/** How long all of it may take; whoever waits for another agent's pre-flight waits twice as long. */
export const preflightMs = 30_000

/** What an agent found at the endpoints of a run before its first trial. */
export const PreflightFound = z.object({
  calls: z.array(PreflightCall).max(mostPreflightCalls),
  /** Whether the provider's own list has the model; null where the list could not be read. */
  listed: z.boolean().nullable(),
  /** Tokens its window holds, as the list tells; null where it does not. */
  context_length: z.int().min(1).nullable(),
  /**
   * Whether the model sees tools that it is offered: some servers drop them and answer as if there were none. Null where nothing tells; absent where no
   * benchmark of the run offers any.
   */
  tools: z.enum(['seen', 'dropped']).nullish(),
  /** What the questions took, and how many of them told no tokens. */
  spent: Spent,
})
export type PreflightFound = z.infer<typeof PreflightFound>

/** The same as the run keeps it: when, and by whom. A run that is resumed is looked at again, in the next round. */
export const Preflight = PreflightFound.extend({ round: z.int().min(1), agent_id: z.string(), session: SessionId, at: Timestamp })
export type Preflight = z.infer<typeof Preflight>

/** Where the pre-flight of a run stands. */
export const PreflightState = z.object({
  round: z.int().min(1),
  /** Who is at it, and until when the others wait for that; null while nobody is. */
  taken: z.object({ session: SessionId, until_ms: z.number() }).nullable(),
  /** The newest one; of an earlier round while the present one is not done. */
  found: Preflight.nullable(),
  /** What the pre-flights of all rounds took; it is part of no other sum. */
  spent: Spent,
  /** The most one of its questions may cost in US dollars: the budget counts so much for each that told no tokens. Absent where a price is unknown. */
  reserve_usd: z.number().optional(),
})
export type PreflightState = z.infer<typeof PreflightState>
