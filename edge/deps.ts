import type { Store } from '#db/store.ts'
import type { Blocks } from '#shared/contract/blocks.ts'
import type { Card } from '#shared/contract/card.ts'
import type { Demand } from '#shared/contract/demand.ts'
import type { Forecast } from '#shared/contract/forecast.ts'
import type { ListedData } from '#shared/contract/item-list.ts'
import type { UnderWay } from '#shared/contract/live.ts'
import type { MachineUsage } from '#shared/contract/machine-usage.ts'
import type { RunPending } from '#shared/contract/pending.ts'
import type { RunPulse } from '#shared/contract/pulse.ts'
import type { Resources } from '#shared/contract/resources.ts'
import type { DataIdentity, RunHead, RunSpec } from '#shared/contract/run.ts'
import type { SandyAnswer, SandyQuestion } from '#shared/contract/sandy.ts'
import type { ScopeName } from '#shared/contract/scopes.ts'
import type { TeamRole } from '#shared/contract/team-rights.ts'
import type { OpenSha256 } from '#shared/export/running-sha256.ts'
import type { ConfiguredProvider } from '#shared/providers/provider.ts'
import type { Audience } from '#shared/run/audience.ts'
import type { RunCommand } from '#shared/run/command.ts'
import type { OtlpTarget } from '#shared/telemetry/otlp-target.ts'
import type { Sum } from '#shared/telemetry/run-progress.ts'
import type { AccessConfig } from './access-config.ts'
import type { ChutesKeysPort } from './adapters/chutes-keys.ts'
import type { ArtifactBucket } from './artifacts/bucket.ts'
import type { SealPort } from './auth/seal.ts'
import type { BudgetsPort } from './budgets/port.ts'
import type { ItemListing } from './fleet/item-lists.ts'
import type { LoadSample } from './fleet/load-ring.ts'
import type { Measures } from './fleet/tallies.ts'
import type { GuardPort } from './limits/strikes.ts'
import type { ReadersChange } from './run/change-readers.ts'
import type { ImportedBatch } from './run/import-results.ts'
import type { LeaseClaim, PassClaim } from './run/lease-claim.ts'
import type { FlowSeal } from './sign-in/flow.ts'
import type { IdpPort } from './sign-in/idp.ts'
import type { SessionsPort } from './sign-in/session-tokens.ts'
import type { SignInConfig } from './sign-in/sign-in-config.ts'

/** An active session. With `invokes`, the account of its user pays for runs. */
export type SignedIn = { id: string; user: { id: string; username: string }; invokes: boolean }

/** A team of a principal; `owner_id` is the owner that its runs and tasks name. */
export type TeamOfPrincipal = { id: string; owner_id: string; name: string; role: TeamRole }

/** Who is asking. `owner_id` is null for anonymous visitors, who may read public runs only. */
export type Principal = {
  owner_id: string | null
  kind: 'anonymous' | 'local' | 'key' | 'chutes-key' | 'session' | 'admin'
  scopes: readonly ScopeName[]
  /** The bearer Chutes key itself, when the caller sent one: it pays for the run's inference. */
  credential: string | null
  /** Id of the API key of this service that was sent; its budget counts runs that it starts. */
  key_id?: string
  /** Set if the request has a session cookie. */
  session?: SignedIn
  /** Set for a Chutes account. `session_id` names the session that pays; null if no session can pay. */
  account?: { session_id: string | null }
  /** Teams of a signed-in user. Keys have none: a key of a team has the owner id of the team. */
  teams: readonly TeamOfPrincipal[]
  /** Of a key of a team, the admin who made it: that account pays, and its budget counts. */
  payer?: string
}

/** The live half of runs: their objects. `undefined` means that the object does not know the run. */
export type RunsPort = {
  /** `sealed` is the owner's key, for a run that brings one. */
  create(spec: RunSpec, sealed?: string | null): Promise<RunHead>
  /** Lets results of a run in that was made elsewhere (see `createImports`); `create` afterwards lets them leave for the record. */
  takeIn(spec: RunSpec, batch: ImportedBatch): Promise<RunHead>
  head(run_id: string): Promise<RunHead | undefined>
  /**
   * Ends the streams of readers who lost access. Readers with access connect again. The fleet is told a changed
   * visibility.
   */
  changeReaders(run_id: string, change: ReadersChange): Promise<void>
  /** What the run was created with, for when the database is away. */
  spec(run_id: string): Promise<RunSpec | undefined>
  /** Applies a command; `refused` carries the sentence that says why it cannot be applied in this state. `sealed` replaces the owner's key. */
  command(run_id: string, command: RunCommand, sealed?: string | null): Promise<{ head: RunHead } | { refused: string } | undefined>
  /** What its agents do now; null when it has ended. */
  pulse(run_id: string): Promise<RunPulse | null>
  /** Server-sent events from the object, in the eyes of their audience: snapshot, then everything after `cursor`; with pulses where they are wanted. */
  stream(run_id: string, cursor: number | 'latest' | null, audience: Audience, request: Request, pulses: boolean): Promise<Response>
  /** Server-sent events of one trial while it runs; 404 for one that the run does not have, 429 where too many watch. */
  watch(run_id: string, trial: { benchmark: string; item_id: string; epoch: number }, request: Request): Promise<Response>
  /** Trials that its agents have now. */
  underWay(run_id: string): Promise<UnderWay>
  connect(run_id: string, request: Request): Promise<Response>
  /** Whether the fleet sent an agent to the run, as it claims. */
  wasSent(run_id: string, claim: PassClaim): Promise<boolean | undefined>
  /** Whether an agent holds the lease that it claims to hold, and was sent to the run by the fleet. */
  holdsLease(run_id: string, claim: LeaseClaim): Promise<boolean | undefined>
}

export type FleetAgent = {
  agent_id: string
  session: string
  host: string
  version: string
  capabilities: string[]
  slots: number
  free_slots: number
  running: number
  draining: boolean
  connected_at: string
  /** The resources of the agent besides its slots; null before it has sent them. */
  resources?: Resources | null
  /** How often it stood still lately; absent for one that does not say it. */
  blocks?: Blocks
  /** Use of its machine at its last heartbeat; absent for an agent that does not send it. */
  usage?: MachineUsage
  /** When its event loop spoke last, in ms since 1970; absent for connections made by an older version. */
  heard_ms?: number
}
/** A run with work as the fleet has dealt it out, and who may know of it. `by`: names of the agents that were given some. */
export type FleetRun = { run_id: string; owner_id: string; visibility: RunSpec['visibility']; agents: number; slots: number; by?: string[] }
export type FleetPort = {
  overview(): Promise<{ agents: FleetAgent[]; runs: FleetRun[]; refused: { agent_id: string; host: string; at: string; times: number }[] }>
  /** How much the open runs could use, and how much of that no agent has. */
  demand(): Promise<Demand>
  /** When these runs are expected to start and to end; one without work to hand out is left out. */
  forecast(run_ids: readonly string[]): Promise<Record<string, Forecast>>
  /** How full the fleet was in the last minutes, oldest first. */
  load(minutes: number): Promise<LoadSample[]>
  /** What an agent with a Sandy service found there; null where none has one. */
  askSandy(question: SandyQuestion): Promise<SandyAnswer | null>
  /** Keeps new work from an agent, or lets it have work again; false when it is not there. */
  drain(agent_id: string, on: boolean): Promise<boolean>
  /** Why a run has fewer trials under way than it could have, with every holder named. */
  pending(run_id: string): Promise<Pick<RunPending, 'given' | 'reasons'>>
  /** The items of a benchmark on given data, where they were listed before or an agent lists them within seconds. */
  listItems(of: ListedData): Promise<ItemListing>
  /** Makes an agent's name free again; false when nobody has it. */
  forget(agent_id: string): Promise<boolean>
  /** What was counted over all runs, and how the open ones fare. */
  measures(): Promise<Measures>
  /** Adds to the counters of the service. */
  count(sums: readonly Sum[]): Promise<void>
  connect(request: Request): Promise<Response>
}

/** A variable of the deployment that is missing or does not read, and the one thing that is off because of it. */
export type Fault = { variable: string; detail: string; off: string }
export type EdgeConfig = {
  version: string
  /** Git commit of the build, where that says everything. */
  commit: string | null
  local: boolean
  public_url: string
  admin_secret: string | null
  agent_token: string | null
  maintenance: { mode: boolean; message: string }
  providers: ConfiguredProvider[]
  chutes: { catalogue_url: string; llm_url: string }
  /** Where the cron trigger pushes metrics; null: nowhere. */
  otlp: OtlpTarget | null
  faults: Fault[]
  access: AccessConfig
  /** Null where nobody signs in. */
  sign_in: SignInConfig | null
  /** US dollars a day that the operator pays for each signed-in user without the scope `chutes:invoke`; null: none. */
  operator_pays_usd: number | null
}

/** Seals a secret for one owner and record, and opens it again; the context is authenticated. */
export type SignerPort = { public_key: string; fingerprint: string; sign(bytes: Uint8Array): Promise<Uint8Array> }

/** All that routes may reach. Nothing here names a platform type beyond fetch's own. */
export type Deps = {
  config: EdgeConfig
  cards: readonly Card[]
  store: Store
  /** Null where this deployment keeps no artifacts. */
  artifacts: ArtifactBucket | null
  runs: RunsPort
  fleet: FleetPort
  seal: SealPort
  signer: SignerPort | null
  guard: GuardPort
  chutesKeys: ChutesKeysPort
  sessions: SessionsPort
  budgets: BudgetsPort
  /** Null where nobody signs in. */
  idp: IdpPort | null
  flows: FlowSeal
  /** Data a benchmark would run on here; undefined when that choice is not offered. */
  dataFor(benchmark: string, choice: 'auto' | 'pinned' | 'sample' | 'override', provider: string): DataIdentity | undefined
  /**
   * The configured providers with the models that they list now, waited for `wait_ms` at most; a provider that does not answer keeps its last list. Null
   * where no process asks the providers; the models are then those of the configuration.
   */
  listProviders: ((wait_ms: number) => Promise<ConfiguredProvider[]>) | null
  now(): Date
  /** Does work after so many ms, although its request has been answered by then. */
  later(ms: number, work: () => Promise<void>): void
  newId(): string
  /** The platform's own running SHA-256: exports are hashed whole. */
  openSha256: OpenSha256
  fetch(url: string, init?: RequestInit): Promise<Response>
}
