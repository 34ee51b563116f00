import { connect } from '#db/connect.ts'
import { createStore } from '#db/create-store.ts'
import type { RunSpec } from '#shared/contract/run.ts'
import { createSeal, credentialContext } from '../auth/seal.ts'
import type { Env } from './env.ts'

/** The run owner's own provider key, opened for an agent that is about to work for this run; null when the agent is to use its own. */
export async function openCredential(env: Env, spec: RunSpec): Promise<string | null> {
  if (!spec.own_credential) return null
  const store = createStore(connect(env.DATABASE_URL, env.NEON_ENDPOINT ? { fetchEndpoint: env.NEON_ENDPOINT } : {}))
  const sealed = await store.findCredential(spec.run_id)
  return sealed ? await createSeal(env.MASTER_KEY).open(sealed, credentialContext(spec)) : null
}
