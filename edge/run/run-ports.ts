import type { Store } from '#db/store.ts'
import type { Clock } from '#shared/run/clock.ts'
import type { MatchRun } from '#shared/run/match/fleet.ts'
import type { Log } from '#shared/telemetry/log.ts'
import type { RunProgress } from '#shared/telemetry/run-progress.ts'
import type { SealPort } from '../auth/seal.ts'
import type { BudgetsPort } from '../budgets/port.ts'
import type { SessionsPort } from '../sign-in/session-tokens.ts'
import type { AgentSocket } from './agent-socket.ts'
import type { DrainStore } from './drain.ts'
import type { AlarmPort, RunStorage } from './run-storage.ts'

/** All that a run needs of the platform it lives on. */
export type RunPorts = {
  storage: RunStorage & AlarmPort
  store: DrainStore & Pick<Store, 'findCredential' | 'useProviderKey'>
  clock: Clock
  /** The connections that are open now, whether they have said hello or not. */
  sockets(): readonly AgentSocket[]
  /** When a connection was taken in. */
  openedMs(socket: AgentSocket): number
  fleet: { update(run: MatchRun, ended: boolean): Promise<void>; tell(progress: RunProgress): Promise<void> }
  /** Says whether the fleet sent a session here. */
  passes: { holds(pass: string | undefined, sent: { run_id: string; session: string; agent_id: string }): boolean }
  seal: Pick<SealPort, 'open'>
  /** Returns access tokens of the sessions that pay for runs. */
  sessions: Pick<SessionsPort, 'token'>
  /** Whether saved keys of owners may be sent to this base URL. */
  mayAsk(base_url: string): boolean
  /** Holders of the budgets that runs count in. */
  budgets: Pick<BudgetsPort, 'take'>
  log: Log
}
