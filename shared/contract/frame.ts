import * as z from 'zod'
import { AheadItem, mostAhead } from './ahead.ts'
import { Blocks } from './blocks.ts'
import { Failure } from './failure.ts'
import { foreign } from './foreign.ts'
import { AgentId, BenchmarkName, Ordinal, RunId, SessionId, Sha256, Timestamp } from './ids.ts'
import { ItemList, ListedData } from './item-list.ts'
import { LiveTold, mostWatched, Watched } from './live.ts'
import { MachineUsage } from './machine-usage.ts'
import { Openings, PackedRecord } from './packed.ts'
import { PreflightFound } from './preflight.ts'
import { Spoken } from './protocol.ts'
import { AgentPulse } from './pulse.ts'
import { Resources } from './resources.ts'
import { RunSpec, RunStatus } from './run.ts'
import { SandyAnswer, SandyQuestion } from './sandy.ts'
import { Lease } from './trial.ts'

/** Codes from 4009 on are final; after `tryAgain` the agent dials again. */
export const closeCodes = {
  tryAgain: 1013,
  replaced: 4009,
  protocol: 4010,
  unauthorized: 4011,
  unknownRun: 4012,
  badFrame: 4013,
  nameTaken: 4014,
} as const

/** Largest frame either side accepts, in UTF-16 code units of its text. */
export const maxFrameChars = 4_194_304

/** Largest record of a trial as JSON text in UTF-8: a row of the object's storage holds two megabytes. */
export const maxRecordBytes = 1_500_000

const held = z.array(z.tuple([Ordinal, z.int().min(1)]))
const frame = <T extends string, S extends z.ZodRawShape>(type: T, shape: S) => z.object({ type: z.literal(type), ...shape })

export const capabilities = ['llm', 'docker', 'bwrap', 'sandy', 'python', 'go', 'chromium'] as const

/**
 * Agent → FleetObject.
 * - `hello`: `secret` proves the agent's name; `slots` is the number of calls that the agent makes at
 *   once; `resources` are its other resources; `lists` offers to list items.
 * - `rate` asks for a share of a key's rate limit. The answer has the same `ask`.
 * - `listed` answers `list` with the items, or with the reason why there are none.
 * - `sandy` answers the fleet's question of that type.
 */
export const FleetUp = z.discriminatedUnion('type', [
  frame('hello', {
    ...Spoken.shape,
    agent_id: AgentId,
    session: SessionId,
    host: z.string().max(200),
    version: z.string().max(60),
    capabilities: z.array(z.string().max(60)).max(100),
    slots: z.int().min(1).max(10_000),
    resources: Resources.optional(),
    secret: z.string().min(16).max(200).optional(),
    lists: z.boolean().optional(),
  }),
  frame('rate', { ask: z.int(), provider: z.string().max(60), want: z.int().min(0) }),
  frame('listed', { ask: Sha256, list: ItemList.nullable(), why: foreign('provider', z.string().max(1000).nullable()) }),
  frame('sandy', { ask: z.int(), answer: SandyAnswer }),
  frame('heartbeat', {
    free_slots: z.int().min(0),
    running: z.int().min(0),
    draining: z.boolean(),
    blocks: Blocks.optional(),
    usage: MachineUsage.optional(),
  }),
])
export type FleetUp = z.infer<typeof FleetUp>

/** The protocol version of this connection. */
const agreed = { protocol: z.int() }

/** Trials at once of benchmarks with equal needs; an empty list stands for all benchmarks of the run. */
const Share = z.object({ benchmarks: z.array(BenchmarkName), slots: z.int().min(1) })

/**
 * FleetObject → agent.
 * - `assign` replaces the previous assignment; the agent leaves the runs that are not in it. It is sent
 *   after a change. `pass` admits this session to the run.
 * - `heard` answers a heartbeat.
 * - `list` asks an agent with `lists` for the items of a benchmark.
 * - `sandy` asks an agent with the capability `tells-sandy`.
 */
export const FleetDown = z.discriminatedUnion('type', [
  frame('welcome', { ...agreed, heartbeat_ms: z.int(), pool: z.string() }),
  frame('rate', { ask: z.int(), permits: z.int().min(0).nullable() }),
  frame('heard', {}),
  frame('list', { ask: Sha256, of: ListedData }),
  frame('sandy', { ask: z.int(), question: SandyQuestion }),
  frame('assign', {
    runs: z.array(z.object({ run_id: RunId, pass: z.string(), shares: z.array(Share).min(1) })),
  }),
])
export type FleetDown = z.infer<typeof FleetDown>

/**
 * `width`: trials of the run that the agent wants to execute at once. `working`: trials that it executes
 * now. `ahead`: later trials for which it has room to prepare the images of environments.
 */
const wish = {
  width: z.int().min(0).max(10_000).optional(),
  working: z.int().min(0).max(100_000).optional(),
  ahead: z.int().min(0).max(1000).optional(),
}
/**
 * The answer to a wish. `width`: trials that the agent may execute at once. `ahead`: items whose images
 * the agent may prepare, in place of the previous list; sent after a change. Neither leases a trial.
 */
const granted = { width: z.int().min(0).optional(), ahead: z.array(AheadItem).max(mostAhead).optional() }

/**
 * Agent → RunObject.
 * - `claim` names the benchmarks of one queue; without names it is for all benchmarks that need no
 *   sandbox. `checks` offers to run the pre-flight. `ask` counts the claims of a session, so that a claim
 *   that arrives twice is answered once.
 * - `preflight` reports the result of a pre-flight; a failure parks the run.
 * - `renew.refused` is the SHA-256 in hex of a key that a provider refused; the answer has another key
 *   if there is one.
 * - `report.id` counts the reports of a session. The agent keeps a report until its `ack`; from then on
 *   the run knows the openings of the report.
 * - `begin` names leases before the agent starts their trials: if the agent vanishes, the death counts
 *   against these trials only.
 * - `live` reports the trials that are watched, and no others.
 */
export const RunUp = z.discriminatedUnion('type', [
  frame('hello', { ...Spoken.shape, agent_id: AgentId, session: SessionId, holding: held, pass: z.string().max(200).optional() }),
  frame('claim', {
    count: z.int().min(1).max(5000),
    benchmarks: z.array(BenchmarkName).max(1000).optional(),
    checks: z.boolean().optional(),
    ask: z.int().min(1),
    begins: z.boolean().optional(),
    ...wish,
  }),
  frame('preflight', { round: z.int().min(1), found: PreflightFound, failure: Failure.nullable(), until: Timestamp.nullable() }),
  frame('renew', { ...wish, refused: Sha256.optional() }),
  frame('report', { id: z.int().min(1), openings: Openings, results: z.array(PackedRecord).min(1).max(1000) }),
  frame('begin', { leases: held }),
  frame('release', { leases: held }),
  frame('halt', { failure: Failure, until: Timestamp.nullable() }),
  frame('pulse', AgentPulse.shape),
  frame('live', LiveTold.shape),
  frame('leave', {}),
])
export type RunUp = z.infer<typeof RunUp>

/**
 * RunObject → agent.
 * - `credential` is the key of the run's owner. It comes with the first leases, and with leases or a state
 *   after the key was replaced. Without one the agent uses its own key.
 * - `leases.ask` is the number of the claim. The agent starts these leases after the pre-flight of round
 *   `preflight`.
 * - `pulse_ms` is the shortest time between two pulses, in milliseconds.
 * - `watch` replaces the set of watched trials.
 */
export const RunDown = z.discriminatedUnion('type', [
  frame('welcome', { ...agreed, spec: RunSpec, status: RunStatus, lease_ms: z.int(), renew_ms: z.int(), pulse_ms: z.int() }),
  frame('leases', {
    leases: z.array(Lease),
    credential: z.string().optional(),
    preflight: z.int().min(1).optional(),
    ask: z.int().min(1),
    ...granted,
  }),
  frame('ack', { id: z.int(), refused: z.int() }),
  frame('drop', { leases: held }),
  frame('watch', { trials: z.array(Watched).max(mostWatched) }),
  frame('state', { status: RunStatus, concurrency: z.int(), open: z.int(), credential: z.string().optional(), ...granted }),
])
export type RunDown = z.infer<typeof RunDown>
