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
 * Agent → FleetObject. `secret` is the agent's own, by which its name stays its own; `slots` are the calls it makes at once, `resources` what else it
 * has, and `lists` says that it lists items when it is asked to. `listed` answers a `list`: the items, or the sentence that says why
 * there are none. `sandy` answers the fleet's question of that type. `rate` asks for a part of a key's limit; its answer names the same `ask`.
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

/** The version that both sides speak from here on. */
const agreed = { protocol: z.int() }

/** Trials at once of benchmarks that need the same; no name stands for all of the run. */
const Share = z.object({ benchmarks: z.array(BenchmarkName), slots: z.int().min(1) })

/**
 * FleetObject → agent. An assignment replaces the former one: a run not in it is to be let go. It comes when it has changed; a heartbeat is `heard`.
 * `list` asks an agent that `lists` for the items of a benchmark, `sandy` one with the capability `tells-sandy`. `pass` opens the run to this
 * session; `slots` are the sum of the shares.
 */
export const FleetDown = z.discriminatedUnion('type', [
  frame('welcome', { ...agreed, heartbeat_ms: z.int(), pool: z.string() }),
  frame('rate', { ask: z.int(), permits: z.int().min(0).nullable() }),
  frame('heard', {}),
  frame('list', { ask: Sha256, of: ListedData }),
  frame('sandy', { ask: z.int(), question: SandyQuestion }),
  frame('assign', {
    runs: z.array(z.object({ run_id: RunId, slots: z.int().min(1), pass: z.string(), shares: z.array(Share) })),
  }),
])
export type FleetDown = z.infer<typeof FleetDown>

/**
 * How many trials of the run an agent wants to have at work at once, and how many it has; and for how many of the next it has room to make
 * images of machines ready, where it can.
 */
const wish = {
  width: z.int().min(0).max(10_000).optional(),
  working: z.int().min(0).max(100_000).optional(),
  ahead: z.int().min(0).max(1000).optional(),
}
/**
 * The answer to a wish: how many of those it wants it may have; and the items for which it may make ready, in place of those told before, where that is asked for
 * and has changed. Neither gives it a trial.
 */
const granted = { width: z.int().min(0).optional(), ahead: z.array(AheadItem).max(mostAhead).optional() }

/**
 * Agent → RunObject. A claim names the benchmarks it is for, which share a lane; none stands for all that only ask. `checks` says that the agent looks at endpoints when it is told to, and a `preflight` is what it found: with a failure the run is parked. `report.id` counts up within a session; a report is kept until its `ack`, and
 * from then on the run knows its openings. `begin` names leases before work on them starts: should the agent vanish, it counts against these. `ask` counts
 * the claims of a session up, so that one that comes twice is answered once. `renew.refused` is the SHA-256 in hex of a key that a provider refused: the answer has another, where there is one. `live` tells of trials that are watched, and of no others.
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
 * RunObject → agent. `credential` is the run owner's own key and comes with the first leases, and with leases or a state again where it gives way to another; a run
 * without one is asked with the agent's. `preflight`:
 * these leases are begun after the pre-flight of that round has been made and told.
 * `ask` is that of the claim they answer. `pulse_ms` asks for pulses, at most one in so many milliseconds. `watch` replaces
 * the set of trials that are watched now.
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
