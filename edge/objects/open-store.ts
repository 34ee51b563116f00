import { connect } from '#db/connect.ts'
import { createStore } from '#db/create-store.ts'
import type { Store } from '#db/store.ts'
import type { Env } from './env.ts'

/** The record as this Worker's bindings name it. Opening it connects to nothing. */
export function openStore(env: Pick<Env, 'DATABASE_URL' | 'NEON_ENDPOINT'>): Store {
  return createStore(connect(env.DATABASE_URL, env.NEON_ENDPOINT ? { fetchEndpoint: env.NEON_ENDPOINT } : {}))
}
