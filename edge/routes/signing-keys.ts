import type { SigningKeyRow } from '#db/store.ts'
import type { Deps, SignerPort } from '../deps.ts'
import { Problem } from '../problem.ts'

/** The signer, or the problem that says that there is none. */
export function getSigner(deps: Pick<Deps, 'signer'>): SignerPort {
  if (deps.signer) return deps.signer
  throw new Problem('signing-not-configured', 'No signing key is configured on this server, so nothing can be signed.')
}

/** Every key this server ever signed with, oldest first; the present one is there even before its first use, since the moment it was first asked for. */
export async function listKeys(deps: Pick<Deps, 'signer' | 'store' | 'now'>): Promise<SigningKeyRow[]> {
  const saved = await deps.store.listSigningKeys()
  const { signer } = deps
  if (!signer || saved.some((key) => key.fingerprint === signer.fingerprint)) return saved
  // Kept from now on: a key that is as old as the question would tell nobody anything.
  await rememberKey(deps, signer)
  return deps.store.listSigningKeys()
}

/** Writes the key into the history at its first use and retires the ones before it; a key taken back into use is valid again. */
export async function rememberKey(deps: Pick<Deps, 'store' | 'now'>, signer: SignerPort): Promise<void> {
  const saved = await deps.store.listSigningKeys()
  const own = saved.find((key) => key.fingerprint === signer.fingerprint)
  if (!own) await deps.store.saveSigningKey(keyRow(signer, deps.now()))
  else if (own.retired_at !== null) await deps.store.saveSigningKey({ ...own, retired_at: null })
  for (const key of saved) {
    if (key.retired_at === null && key !== own) await deps.store.saveSigningKey({ ...key, retired_at: deps.now().toISOString() })
  }
}

const keyRow = ({ fingerprint, public_key }: SignerPort, now: Date): SigningKeyRow => ({
  fingerprint,
  public_key,
  valid_from: now.toISOString(),
  retired_at: null,
})
