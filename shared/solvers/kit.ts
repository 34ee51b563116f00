import type { ArtifactKind, ArtifactRef } from '../contract/artifact.ts'
import type { CallAside } from '../contract/aside.ts'
import type { CommandAgent } from '../contract/command-agent.ts'
import type { EvidenceKind, EvidenceOf } from '../contract/evidence/evidence.ts'
import type { Outcome } from '../contract/failure.ts'
import type { Item, ItemFacts, Score } from '../contract/item.ts'
import type { Message, ModelParams, Tool, ToolCall } from '../contract/message.ts'
import type { HandedOver } from '../contract/regrade.ts'
import type { HelperRole } from '../contract/role.ts'
import type { StreamFacts } from '../contract/stream.ts'
import type { LimitHit, TrialLimits } from '../contract/trial-limits.ts'
import type { Usage } from '../contract/usage.ts'
import type { Tables } from '../scorers/tables.ts'
import type { Screen } from '../terminal/screen.ts'
import type { Machine, MachineSpec } from './machine.ts'
import type { ModelDoor } from './model-door.ts'
import type { Sandbox, SandboxSpec } from './sandbox.ts'

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
  tool_calls?: ToolCall[]
  /** The text is a refusal that the provider told apart from content. */
  refused?: boolean
  /** What the provider told beside the answer, where it told anything. */
  aside?: CallAside
  /** How it came in, where it was measured. */
  stream?: StreamFacts
  /** The provider had put a key into its reply; the mark stands in its place. */
  redacted?: boolean
}

/** A JSON schema as a provider takes it for a structured reply. */
export type JsonSchema = { readonly [key: string]: unknown }

export type ToolChoice = 'required' | 'none' | { name: string }

/** What a model is asked. `schema` asks for a structured reply; providers want a name with it. */
export type AskRequest = {
  messages: readonly Message[]
  /** Those planned for the role where they are left out. */
  params?: ModelParams
  schema?: { name: string; schema: JsonSchema } | null
  tools?: readonly Tool[]
  /** Whether one of the tools must be called, or this one; left out: as the model likes. */
  tool_choice?: ToolChoice
  /** When the tested model is given up, in milliseconds since the trial began: a solver's own deadline, met as a limit of that many seconds. */
  until_ms?: number
}

/** An answer, a failure, or the limit that stands in the way of asking. */
export type Answered = Outcome<Completion> | { ok: false; limit: LimitHit }

/**
 * Asks the tested model or a helper. Every call is counted for its role and written into the transcript; what fails at a helper is a failure
 * of that place. Limits bound the conversation, so that only those who take part in it can meet one: a judge comes when it is over.
 */
export type Ask = {
  (role: 'judge', request: AskRequest): Promise<Outcome<Completion>>
  (role: 'model' | 'user', request: AskRequest): Promise<Answered>
}

/** A helper as planned with the run. */
export type Helper = { model: string; params: ModelParams; schema: boolean }

/** Something to keep: bytes at hand, or made while they are written. */
export type ArtifactBody = Uint8Array | AsyncIterable<Uint8Array>

/**
 * A terminal that can be looked at, every so many milliseconds at most. `look` takes secrets out of what the screen is made from by `clean`, and gives null
 * where there is nothing to see.
 */
export type WatchedTerminal = { every_ms: number; look(clean: (text: string) => string): Promise<Screen | null> }

/** A hand-over with its archives: `absent` where the trial kept none under that name. */
export type HandedOverHere = { before: HandedOver; archive(name: string): Promise<Outcome<Uint8Array | 'absent'>> }

/** All that a solver may use: what it does through the kit is counted, limited, recorded and cleaned up by whoever made the kit. */
export type Kit = {
  ask: Ask
  /** The helpers that were planned; a role without a model fails when it is asked. */
  helpers: Partial<Record<HelperRole, Helper>>
  /** Parameters planned for the tested model. */
  params: ModelParams
  limits: TrialLimits
  /** The limit that has been met, once one has; nothing is asked from then on. */
  limit(): LimitHit | null
  /** Milliseconds since the trial began, on a monotonic clock. */
  now(): number
  /** Waits so many milliseconds. Rejects when the trial is given up. */
  wait(ms: number): Promise<void>
  /** Which attempt at the trial this is, from 1. */
  attempt: number
  /** A number below 2^32 that is the same for every attempt at this item and epoch. */
  seed(): number
  /** Whether the trial is given up: whatever is asked from then on throws. */
  signal: { readonly aborted: boolean }
  /**
   * What the data set keeps from the tested model, such as hidden tests: in neither the prompt nor the record. Read anew at each call, so to be asked for
   * when the model is done; null where the benchmark hides nothing.
   */
  hidden(): Promise<Outcome<unknown>>
  /** A fresh sandbox, closed by the fleet when the trial ends. What is done in it is written into the transcript. */
  sandbox(spec: SandboxSpec): Promise<Outcome<Sandbox>>
  /** A fresh machine of a task's own, closed by the fleet when the trial ends. What is done in it is the solver's to tell. */
  machine(spec: MachineSpec): Promise<Outcome<Machine>>
  /** The program that was planned to work in machines; null where none was. */
  agent: CommandAgent | null
  /** What the trial of an earlier run handed over, where nobody works in this one; left out everywhere else. */
  handed_over?: HandedOverHere
  /** Opens a door to the tested model in a machine. `until_ms`: when whoever works there is given up, as in a request; null: no deadline. The fleet closes what is open when the trial ends. */
  openDoor(machine: Machine, until_ms: number | null): Promise<Outcome<ModelDoor>>
  /** Keeps something beside the record, under a name of this trial; a name used again stands for the later one. */
  keep(artifact: { name: string; kind: ArtifactKind; media_type: string; body: ArtifactBody }): Promise<Outcome<ArtifactRef>>
  transcript: {
    /** A tool that the solver itself answered; `took_ms` is 0 where it needs no time worth telling. */
    toolCall(call: ToolCall, result: { result: string; is_error: boolean; took_ms?: number }): void
    note(text: string): void
  }
  /** A line for whoever watches the trial now; it is kept nowhere. */
  progress(text: string): void
  /** The terminal that is worked at now, for whoever watches; it is looked at only while somebody does, and kept nowhere. */
  show(terminal: WatchedTerminal): void
}

/** Turns an item into evidence: the effectful half of a benchmark. Never throws for a failed call; it returns the failure. */
export type Solver<K extends EvidenceKind> = (item: Item, kit: Kit) => Promise<Outcome<EvidenceOf<K>>>

/**
 * Pure, total, deterministic: any evidence gives a score, twice the same, without I/O. Throws `TableMissing` and nothing else, where
 * the profile names tables.
 */
export type Scorer<K extends EvidenceKind> = (item: ItemFacts, evidence: EvidenceOf<K>, profile: string, tables: Tables) => Score
