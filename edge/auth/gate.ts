import type { Context } from 'hono'
import type { FoundTask, StoredRun } from '#db/store.ts'
import type { FoundTeam } from '#db/team-store.ts'
import type { AuditAction } from '#shared/contract/audit.ts'
import type { AppEnv } from '../app-env.ts'
import type { Deps, SignedIn } from '../deps.ts'
import { createTurns, type TakeTurn } from '../limits/bound-cost.ts'
import type { GuessGuard } from '../limits/refuse-guessing.ts'
import { Problem } from '../problem.ts'
import { getLiveRun, getOwnRun, getRun } from '../routes/run-access.ts'
import { getTask } from '../routes/task-access.ts'
import { getTeam } from '../routes/team-view.ts'
import { type Access, rightOf } from './access.ts'
import { addEntry, entryOf } from './audit.ts'
import { requireAgent, requireOwner } from './principal.ts'

/** What the gate puts beside a request that it admits, by who may come. */
type AdmittedBy = {
  anyone: object
  'anyone, more with a key': object
  'key holder': { owner_id: string }
  'reader of the run': { run: StoredRun }
  'reader of the run, with a key': { run: StoredRun; owner_id: string }
  'owner of the run': { run: StoredRun; owner_id: string }
  'owner of the task': { task: FoundTask; owner_id: string }
  'signed in': { owner_id: string; session: SignedIn }
  'member of the team': { team: FoundTeam; owner_id: string }
  'signed in or operator': { owner_id: string; whose: string | null }
  agent: object
}
export type Admitted<A extends Access> = AdmittedBy[A['who']]

export type Gate = {
  /** Admits a request to a route or throws the problem that refuses it. */
  admit(access: Access, c: Context<AppEnv>): Promise<AdmittedBy[Access['who']]>
  /** Waits for the turn of a request that costs so much. Throws `rate-limited`. */
  takeTurn: TakeTurn
  /** Keeps what a request has done in the audit log. */
  keep(action: AuditAction, c: Context<AppEnv>): Promise<void>
}

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

export function createGate(deps: Deps, guard: GuessGuard): Gate {
  const admit: Gate['admit'] = async (access, c) => {
    const id = c.req.param('id') ?? ''
    const principal = c.get('principal')
    switch (access.who) {
      case 'anyone':
      case 'anyone, more with a key':
        return {}
      case 'agent':
        await guard(c.req.raw, () => requireAgent(c.req.raw, deps))
        return {}
      case 'key holder':
        return { owner_id: requireOwner(principal, access.scope) }
      case 'signed in or operator': {
        if (principal.session && principal.owner_id !== null) return { owner_id: principal.owner_id, whose: principal.owner_id }
        return { owner_id: requireOwner(principal, 'admin'), whose: null }
      }
      case 'signed in': {
        const { session, owner_id } = principal
        if (session && owner_id !== null) return { owner_id, session }
        if (owner_id === null) throw new Problem('unauthorized', 'Sign in first: GET /api/auth/login.')
        throw new Problem('forbidden', 'Sign in to do this: API keys and the admin secret are refused.')
      }
      case 'member of the team': {
        const owner_id = principal.session && principal.owner_id !== null ? principal.owner_id : requireOwner(principal, 'admin')
        return { team: await getTeam(id, access.right, principal, deps), owner_id }
      }
      case 'reader of the run':
        return { run: await (access.state === 'live' ? getLiveRun : getRun)(id, principal, deps) }
      case 'reader of the run, with a key': {
        const owner_id = requireOwner(principal, access.scope)
        return { run: await getRun(id, principal, deps), owner_id }
      }
      case 'owner of the task': {
        const owner_id = requireOwner(principal, access.scope)
        return { task: await getTask(id, rightOf(access), principal, deps), owner_id }
      }
      case 'owner of the run': {
        const owner_id = requireOwner(principal, access.scope)
        return { run: await getOwnRun(id, rightOf(access), principal, deps), owner_id }
      }
    }
  }
  return { admit, takeTurn: createTurns(sleep), keep: (action, c) => addEntry(entryOf(action, c, deps), deps) }
}
