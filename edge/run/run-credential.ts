import type { Store } from '#db/store.ts'
import type { Failure } from '#shared/contract/failure.ts'
import type { RunDown } from '#shared/contract/frame.ts'
import { isTerminal, type RunHead, type RunSpec } from '#shared/contract/run.ts'
import type { Command } from '#shared/run/command.ts'
import type { Log } from '#shared/telemetry/log.ts'
import { openPayment } from '../auth/own-payment.ts'
import { providerKeyContext, SealBroken, type SealPort } from '../auth/seal.ts'
import type { SessionsPort } from '../sign-in/session-tokens.ts'
import type { AgentSocket, Held } from './agent-socket.ts'
import type { LiveRun } from './live-run.ts'

/** The owner's key or session is gone. The message tells the owner how to resume the run. */
export class KeyGone extends Error {}

/** The identity provider is unreachable, so the session has no valid token now. */
export class TokenAway extends Error {}

/** Why a run that was paid with its owner's key is not opened again by anybody else. */
export const keyDeleted =
  "This run was paid with its owner's key, which was deleted at its end. Its owner retries it with that key (Authorization: Bearer cpk_…), while signed in, or with a key saved for its provider under Settings."

const keyLost = 'The key that pays for this run is not here any more. Its owner resumes the run with it: Authorization: Bearer cpk_….'
/** Why a run waits whose owner's saved key cannot be used any more. */
const ownKeyGone = ({ own_provider }: RunSpec) =>
  `The ${own_provider?.label ?? 'provider'} key that pays for this run was deleted, or may not be used here any more. Its owner saves a key for the same address under Settings and resumes the run.`
const signedOut =
  'The sign-in that pays for this run has ended: it was signed out, revoked or not used for too long. Its owner signs in again and resumes the run.'

/** Parks a run whose key is gone. */
const keyGone = (detail: string) =>
  ({
    at: 'provider',
    reason: 'unauthorized',
    retryable: false,
    status: null,
    detail,
  }) as const satisfies Failure

/** The bearer key for a provider. `until_ms` is its expiry; null if the key does not expire. */
export type Credential = { key: string; until_ms: number | null }

/** Time before its expiry at which a key is replaced; a third of the lifetime if that is shorter. */
const aheadMs = 240_000

/**
 * Whether an agent session must receive the owner's key: once per session while the run hands out
 * work, and again shortly before the key expires.
 */
export function isOwedKey(spec: RunSpec, { status }: Pick<RunHead, 'status'>, { keyed, key_ends }: Held, nowMs: number): boolean {
  if (!spec.own_credential || isTerminal(status) || status === 'paused') return false
  if (!keyed) return true
  return key_ends !== undefined && key_ends.until_ms - nowMs < Math.min(aheadMs, (key_ends.until_ms - key_ends.since_ms) / 3)
}

/** How long an agent keeps a saved key before it is looked up again, in milliseconds: its owner may delete or replace it. */
export const savedKeyMs = 300_000

/**
 * The run owner's own provider key, opened for an agent that gets its first trials, the saved key that his run names, or the token that his session has now. It lies sealed with the run's object;
 * for a run whose creation was cut, in the record only.
 * @throws `DatabaseAway`; `TokenAway`; `KeyGone` when it is nowhere or does not open: a run paid for by its owner never falls back to somebody else's key.
 */
export async function openCredential(
  spec: RunSpec,
  kept: string | undefined,
  ports: Omit<KeyPorts, 'log'>,
  nowMs: number,
  refused?: string,
): Promise<Credential> {
  const { store, seal, sessions } = ports
  const sealed = kept ?? (await store.findCredential(spec.run_id))
  if (!sealed) throw new KeyGone(keyLost)
  const payment = await openPayment(sealed, spec, seal).catch((cause: unknown) => {
    throw cause instanceof SealBroken ? new KeyGone(keyLost, { cause }) : cause
  })
  if (payment.by === 'provider key') return openSavedKey(payment.key_id, spec, ports, nowMs)
  // What pays at Chutes is sent to no other provider.
  if (spec.own_provider) throw new KeyGone(ownKeyGone(spec))
  if (payment.by === 'key') return { key: payment.key, until_ms: null }
  const answer = await sessions.token(payment.session_id, refused)
  if (answer.is === 'token') return { key: answer.access_token, until_ms: answer.until_ms }
  throw answer.is === 'away' ? new TokenAway(answer.why) : new KeyGone(signedOut)
}

/** A saved key of the run's owner, for the address that the run was planned with and no other. Throws `KeyGone`. */
async function openSavedKey(id: string, spec: RunSpec, { store, seal, mayAsk }: Omit<KeyPorts, 'log'>, nowMs: number): Promise<Credential> {
  const { own_provider, owner_id } = spec
  const row = await store.useProviderKey(id, owner_id, new Date(nowMs).toISOString())
  const fits = row && row.base_url === own_provider?.base_url && mayAsk(row.base_url)
  if (!fits) throw new KeyGone(ownKeyGone(spec))
  const key = await seal.open(row.sealed, providerKeyContext(row)).catch((cause: unknown) => {
    throw cause instanceof SealBroken ? new KeyGone(ownKeyGone(spec), { cause }) : cause
  })
  return { key, until_ms: nowMs + savedKeyMs }
}

export type KeyPorts = {
  store: Pick<Store, 'findCredential' | 'useProviderKey'>
  seal: Pick<SealPort, 'open'>
  sessions: Pick<SessionsPort, 'token'>
  /** Whether saved keys may be sent to this base URL. */
  mayAsk(base_url: string): boolean
  log: Log
}

/**
 * Returns the owner's key if the agent session must receive it, else null; undefined if the key cannot
 * be read now. `refused` is the SHA-256 (hex) of a key that the provider refused. A lost key parks the
 * run.
 */
export async function keyOwedTo(
  socket: AgentSocket,
  { rows, head }: LiveRun,
  ports: KeyPorts,
  nowMs: number,
  halt: (command: Command) => void,
  refused?: string,
): Promise<Credential | null | undefined> {
  const held = socket.deserializeAttachment() as Held | null
  const spec = rows.spec()
  const asksAgain = refused !== undefined && held?.key_ends !== undefined
  if (!held || !spec || !isOwedKey(spec, head()!, asksAgain ? { ...held, keyed: false } : held, nowMs)) return null
  try {
    return await openCredential(spec, rows.seal(), ports, nowMs, refused)
  } catch (error) {
    ports.log('error', 'the key of a run cannot be read', { run_id: spec.run_id, error })
    if (!(error instanceof KeyGone)) return undefined
    halt({ type: 'halt', session: held.session, failure: keyGone(error.message), until: null })
    return null
  }
}

/** Adds the key to an answer that may carry one, and notes with the socket that the agent has it. */
export function withKey(answer: RunDown, { key, until_ms }: Credential, socket: AgentSocket, nowMs: number): RunDown {
  if (answer.type !== 'state' && !(answer.type === 'leases' && answer.leases.length > 0)) return answer
  const key_ends = until_ms === null ? undefined : { since_ms: nowMs, until_ms }
  const kept = socket.deserializeAttachment() as Held // other frames may have come while the key was opened
  socket.serializeAttachment({ ...kept, keyed: true, ...(key_ends && { key_ends }) } satisfies Held)
  return { ...answer, credential: key }
}

/** Marks the key of every agent as outdated after the owner has sent another key. */
export function forgetKeys(sockets: readonly AgentSocket[]): void {
  for (const socket of sockets) {
    const held = socket.deserializeAttachment() as Held | null
    if (held?.keyed) socket.serializeAttachment({ ...held, keyed: false } satisfies Held)
  }
}
