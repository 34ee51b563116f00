import type { Context } from 'hono'
import type { AuditAction, AuditEntry } from '#shared/contract/audit.ts'
import type { AppEnv } from '../app-env.ts'
import type { Deps, Principal } from '../deps.ts'
import { edgeLog } from '../edge-log.ts'
import { clientAddress } from './visitor.ts'

/** What a route that writes puts into the audit log; `none` says why it puts nothing there. */
export type Audits = AuditAction | { none: string }

/** What a handler tells of the thing that it changed, where the address of the request does not say it. */
export type Touched = {
  target?: string
  owner_id?: string
  detail?: Record<string, unknown>
  /** The actor of a request that gets its actor from its answer, such as a sign-in. */
  actor?: Pick<AuditEntry, 'actor_id' | 'actor_kind'>
}

/** Waits before an entry that could not be written is tried again, in milliseconds. */
const againMs = [1_000, 10_000, 60_000]

/** Writes the entry of an action that was done. A database that is away is tried again; at last the entry stands in the log alone. */
export async function addEntry(entry: Omit<AuditEntry, 'seq'>, deps: Pick<Deps, 'store' | 'later'>, tries = 0): Promise<void> {
  try {
    await deps.store.addAudit(entry)
  } catch (error) {
    const wait = againMs[tries]
    if (wait === undefined) return edgeLog('error', 'an entry of the audit log could not be written', { ...entry, error })
    deps.later(wait, () => addEntry(entry, deps, tries + 1))
  }
}

/** The entry of a request that was answered with success. */
export function entryOf(action: AuditAction, c: Context<AppEnv>, { now }: Pick<Deps, 'now'>): Omit<AuditEntry, 'seq'> {
  const { target, owner_id, detail, actor } = c.get('touched') ?? {}
  const found = c.var as { run?: { spec: { owner_id: string } }; task?: { task: { owner_id: string } } } // what the gate put there
  return {
    ...actorOf(c.get('principal')),
    ...actor,
    at: now().toISOString(),
    action,
    target: target ?? namedIn(c, action),
    owner_id: owner_id ?? found.run?.spec.owner_id ?? found.task?.task.owner_id ?? null,
    detail: detail ?? null,
    status: c.res.status,
    address: shortAddress(clientAddress(c.req.raw) ?? ''),
    request_id: c.get('requestId'),
  }
}

export function actorOf(principal: Principal): Pick<AuditEntry, 'actor_id' | 'actor_kind' | 'key_id'> {
  return { actor_id: principal.owner_id ?? 'anonymous', actor_kind: principal.kind, key_id: principal.key_id ?? null }
}

/** The thing that the path names, or the run at the address that a new one has. */
function namedIn(c: Context, action: AuditAction): string | null {
  const made = /^\/api\/runs\/([^/]+)$/.exec(c.res.headers.get('location') ?? '')
  if (made) return `run:${made[1]}`
  const id = c.req.param('id') ?? c.req.param('agent_id')
  return id === undefined ? null : `${action.slice(0, action.indexOf('.'))}:${id}`
}

/** The network of an address: 24 bits of IPv4, 48 bits of IPv6. An address that reads as neither is left out. */
export function shortAddress(address: string): string {
  if (/^\d{1,3}(\.\d{1,3}){3}$/.test(address)) return `${address.split('.').slice(0, 3).join('.')}.0/24`
  const mapped = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i.exec(address)
  if (mapped) return shortAddress(mapped[1]!)
  if (!/^[0-9a-f:]+$/i.test(address) || !address.includes(':')) return ''
  const [head = '', tail = ''] = address.toLowerCase().split('::')
  const left = head ? head.split(':') : []
  const right = tail ? tail.split(':') : []
  const zeros = address.includes('::') ? Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0') : []
  return `${[...left, ...zeros, ...right].slice(0, 3).join(':')}::/48`
}
