import * as z from 'zod'

/** Public id of a run: a UUID, lower case. Anything else is treated as unknown (404), never as a server error. */
export const RunId = z.uuid().brand<'RunId'>()
export type RunId = z.infer<typeof RunId>

/** Stable id an agent chooses for itself and keeps over restarts (host name and data directory by default). */
export const AgentId = z
  .string()
  .regex(/^[A-Za-z0-9._-]{1,80}$/)
  .brand<'AgentId'>()
export type AgentId = z.infer<typeof AgentId>

/** One connection of one agent process; the newest session of an agent wins. */
export const SessionId = z.string().regex(/^[A-Za-z0-9-]{8,64}$/)
export type SessionId = z.infer<typeof SessionId>

/** Benchmark key as in the API and in `shared/benchmarks/<id>`: lower case with underscores. */
export const BenchmarkName = z.string().regex(/^[a-z0-9_]{2,40}$/)
export type BenchmarkName = z.infer<typeof BenchmarkName>

/** Zero-based position of a trial in its run's plan; with the attempt it identifies one lease. */
export const Ordinal = z.int().min(0)

/** SHA-256 in lower-case hex. */
export const Sha256 = z.string().regex(/^[0-9a-f]{64}$/)

/** Moment in ISO 8601, UTC, with `Z`. */
export const Timestamp = z.iso.datetime()
