import type { EvidenceKind, EvidenceOf, Message, ModelParams } from '../contract/evidence.ts'
import type { Outcome } from '../contract/failure.ts'
import type { Item, ItemFacts, Score } from '../contract/item.ts'
import type { Usage } from '../contract/usage.ts'
import type { Tables } from '../scorers/tables.ts'

/** One answer of a model, complete. Times are milliseconds since the request was sent, on a monotonic clock. */
export type Completion = {
  text: string
  reasoning: string | null
  finish_reason: string | null
  usage: Usage
  usage_known: boolean
  latency_ms: number
  ttft_ms: number | null
  max_gap_ms: number | null
  model_reported: string | null
  system_fingerprint: string | null
  /** The provider had put a key into its reply; the mark stands in its place. */
  redacted?: boolean
}

/** A JSON schema as a provider takes it for a structured reply. */
export type JsonSchema = { readonly [key: string]: unknown }

/** What a judge is asked. `schema` asks for a structured reply; providers want a name with it. */
export type JudgeRequest = { messages: Message[]; params: ModelParams; schema: { name: string; schema: JsonSchema } | null }

/** What a solver may use. Every call is counted by whoever provides the port. */
export type SolverPorts = {
  generate(request: { messages: Message[]; params: ModelParams }): Promise<Outcome<Completion>>
  /** Asks the benchmark's judge; what fails there is a failure of place `judge`. Without a judge every request fails. */
  judge(request: JudgeRequest): Promise<Outcome<Completion>>
  /** The judge as planned with the run; null for a benchmark that has none. */
  judgedBy: { model: string; params: ModelParams; schema: boolean } | null
}

/** Turns an item into evidence: the effectful half of a benchmark. Never throws for a failed call; it returns the failure. */
export type Solver<K extends EvidenceKind> = (item: Item, params: ModelParams, ports: SolverPorts) => Promise<Outcome<EvidenceOf<K>>>

/**
 * Pure, total, deterministic: any evidence gives a score, twice the same, without I/O. Throws `TableMissing` and nothing else, where
 * the profile names tables.
 */
export type Scorer<K extends EvidenceKind> = (item: ItemFacts, evidence: EvidenceOf<K>, profile: string, tables: Tables) => Score
