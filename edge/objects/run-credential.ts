import type { Store } from '#db/store.ts'
import type { RunSpec } from '#shared/contract/run.ts'
import { credentialContext } from '../auth/seal.ts'
import type { SealPort } from '../deps.ts'

/**
 * The run owner's own provider key, opened for an agent that is about to work for this run; null when the agent is to use its own.
 * @throws `DatabaseAway`, or an error when the key cannot be had: a run paid for by its owner never falls back to somebody else's key.
 */
export async function openCredential(
  spec: RunSpec,
  store: Pick<Store, 'findCredential'>,
  seal: Pick<SealPort, 'open'>,
): Promise<string | null> {
  if (!spec.own_credential) return null
  const sealed = await store.findCredential(spec.run_id)
  if (!sealed) throw new Error(`The sealed key of run ${spec.run_id} is not in the record.`)
  return seal.open(sealed, credentialContext(spec))
}
