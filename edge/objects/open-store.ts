import { connect } from '#db/connect.ts'
import { createStore } from '#db/create-store.ts'
import { DatabaseAway, type Store } from '#db/store.ts'
import type { Env } from './env.ts'

/** The record as this Worker's bindings name it. Opening it connects to nothing; without an address that reads it is always away. */
export function openStore({ DATABASE_URL: url, NEON_ENDPOINT: endpoint }: Pick<Env, 'DATABASE_URL' | 'NEON_ENDPOINT'>): Store {
  if (URL.canParse(url ?? '')) return createStore(connect(url!, endpoint ? { fetchEndpoint: endpoint } : {}))
  const away = () => Promise.reject(new DatabaseAway('DATABASE_URL is missing or does not read'))
  return new Proxy({} as Store, { get: () => away }) // every method of a store gives a promise
}
