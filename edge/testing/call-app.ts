import type { Recomputation } from '#shared/export/verify-results.ts'
import { createApp } from '../app.ts'
import { newKey } from '../auth/key-format.ts'
import type { Scope } from '../auth/principal.ts'
import { sha256Hex } from '../auth/secret.ts'
import { type MemoryDeps, memoryDeps } from './memory-deps.ts'

export const chutesKey = `cpk_${'a'.repeat(32)}.${'b'.repeat(32)}.${'C'.repeat(32)}`
export const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
export const asAdmin = { 'x-admin-secret': 'correct horse' }

/** The app over memory, and `call`, which sends a request as fetch would (bodies that are no strings go as JSON). */
export function openApp(options: Parameters<typeof memoryDeps>[0] & { recomputation?: Recomputation } = {}) {
  const memory = memoryDeps(options)
  const app = createApp(memory.deps, options.recomputation)
  const call = async (method: string, path: string, given: { body?: unknown; headers?: Record<string, string>; host?: string } = {}) => {
    const text = typeof given.body === 'string' ? given.body : JSON.stringify(given.body)
    const headers = {
      'cf-connecting-ip': '127.0.0.1',
      ...(given.body !== undefined && { 'content-type': 'application/json' }),
      ...given.headers,
    }
    return app.request(`${given.host ?? 'https://bench.example'}${path}`, {
      method,
      headers,
      ...(given.body !== undefined && { body: text }),
    })
  }
  return { ...memory, app, call }
}

/** Stores a key of this owner and gives back its text. */
export async function giveKey({ record }: Pick<MemoryDeps, 'record'>, owner_id: string, scopes: Scope[] = ['runs:read', 'runs:write']) {
  const key = newKey()
  const id = `key-of-${owner_id}-${record.keys.size}`
  record.keys.set(id, {
    id,
    owner_id,
    name: 'test',
    made_by: null,
    scopes,
    expires_at: null,
    revoked_at: null,
    used_at: null,
    sha256: await sha256Hex(key),
  })
  return key
}
