import type { Store } from '#db/store.ts'
import type { Failure } from '#shared/contract/failure.ts'
import { isTerminal, type RunHead, type RunSpec } from '#shared/contract/run.ts'
import type { Command } from '#shared/run/command.ts'
import type { Log } from '#shared/telemetry/log.ts'
import { credentialContext, SealBroken, type SealPort } from '../auth/seal.ts'
import type { AgentSocket, Held } from './agent-socket.ts'
import type { LiveRun } from './live-run.ts'

/** The owner's key is not to be had any more: nobody but the owner can bring it again. */
export class KeyGone extends Error {}

/** Why a run that was paid with its owner's key is not opened again by anybody else. */
export const keyDeleted =
  "This run was paid with its owner's key, which was deleted at its end. Its owner retries it with that key: Authorization: Bearer cpk_…."

/** Parks a run whose key is gone. */
export const keyGone = {
  at: 'provider',
  reason: 'unauthorized',
  retryable: false,
  status: null,
  detail: 'The key that pays for this run is not here any more. Its owner resumes the run with it: Authorization: Bearer cpk_….',
} as const satisfies Failure

/** Whether this session is about to be given the owner's key: once, by a run that brings one and hands out work. */
export function isOwedKey(spec: RunSpec, { status }: Pick<RunHead, 'status'>, { keyed }: Held): boolean {
  return spec.own_credential && !keyed && !isTerminal(status) && status !== 'paused'
}

/**
 * The run owner's own provider key, opened for an agent that gets its first trials. It lies sealed with the run's object; for a run whose
 * creation was cut, in the record only.
 * @throws `DatabaseAway`; `KeyGone` when it is nowhere or does not open: a run paid for by its owner never falls back to somebody else's key.
 */
export async function openCredential(
  spec: RunSpec,
  kept: string | undefined,
  store: Pick<Store, 'findCredential'>,
  seal: Pick<SealPort, 'open'>,
): Promise<string> {
  const sealed = kept ?? (await store.findCredential(spec.run_id))
  if (!sealed) throw new KeyGone('it is not in the record')
  try {
    return await seal.open(sealed, credentialContext(spec))
  } catch (cause) {
    if (cause instanceof SealBroken) throw new KeyGone('it does not open', { cause })
    throw cause
  }
}

type KeyPorts = { store: Pick<Store, 'findCredential'>; seal: Pick<SealPort, 'open'>; log: Log }

/** The owner's key for a session that is about to get its first trials, else null; undefined when it cannot be read now. One that is gone parks the run. */
export async function keyOwedTo(
  socket: AgentSocket,
  { rows, head }: LiveRun,
  { store, seal, log }: KeyPorts,
  halt: (command: Command) => void,
): Promise<string | null | undefined> {
  const held = socket.deserializeAttachment() as Held | null
  const spec = rows.spec()
  if (!held || !spec || !isOwedKey(spec, head()!, held)) return null
  try {
    return await openCredential(spec, rows.seal(), store, seal)
  } catch (error) {
    log('error', 'the key of a run cannot be read', { run_id: spec.run_id, error })
    if (!(error instanceof KeyGone)) return undefined
    halt({ type: 'halt', session: held.session, failure: keyGone, until: null })
    return null
  }
}
