import type { BudgetObject } from './budget-object.ts'
import type { FleetObject } from './fleet-object.ts'
import type { GuardObject } from './guard-object.ts'
import type { RunObject } from './run-object.ts'
import type { SessionObject } from './session-object.ts'

/** Bindings and variables of the Worker. Secrets are strings set by `wrangler secret put`; local mode sets all of them itself. */
export type Env = {
  RUN: DurableObjectNamespace<RunObject>
  FLEET: DurableObjectNamespace<FleetObject>
  GUARD: DurableObjectNamespace<GuardObject>
  SESSION: DurableObjectNamespace<SessionObject>
  BUDGET: DurableObjectNamespace<BudgetObject>
  /** What trials leave behind besides their records; a deployment without it keeps none. */
  ARTIFACTS?: R2Bucket
  DATABASE_URL?: string
  /** Where Neon's HTTP protocol is spoken when it is not Neon itself (local mode). */
  NEON_ENDPOINT?: string
  MASTER_KEY?: string
  AGENT_TOKEN?: string
  ADMIN_SECRET?: string
  BENCH_SIGNING_PRIVATE_KEY?: string
  PROVIDERS?: string
  DATA_OVERRIDES?: string
  SAMPLES?: string
  LOCAL?: string
  /** Set by the local host: what does not carry it has not come through the door. */
  DOOR_SECRET?: string
  /** Set by the local host: answers with the providers and the models that they list now. */
  LISTED?: Fetcher
  PUBLIC_URL?: string
  VERSION?: string
  MAINTENANCE_MODE?: string
  MAINTENANCE_MESSAGE?: string
  CHUTES_MODELS_API_URL?: string
  CHUTES_API_BASE_URL?: string
  CHUTES_KEY_URL?: string
  CHUTES_ANY_KEY?: string
  CHUTES_CLIENT_ID?: string
  CHUTES_CLIENT_SECRET?: string
  CHUTES_IDP_URL?: string
  FRONTEND_URL?: string
  CORS_ORIGINS?: string
  BENCH_OWN_PROVIDER_URLS?: string
  OTEL_EXPORTER_OTLP_ENDPOINT?: string
  OTEL_EXPORTER_OTLP_HEADERS?: string
  BENCH_OPERATOR_PAYS_USD_PER_DAY?: string
  MAX_TRIALS_PER_RUN?: string
  MAX_OPEN_RUNS_PER_OWNER?: string
}
