import type { ModelClient } from './model-client.ts'

/** A replaceable key. `renew` waits for the key that replaces a refused key; there may be none. */
export type RenewedKey = { now(): string; renew(refused: string): Promise<void> }

/**
 * Model client with a replaceable key. After an `unauthorized` result the call waits for a new key and
 * runs once more. Without a new key the result stands. `open` makes the client of one key.
 */
export function createRenewedClient(open: (key: string) => ModelClient, key: RenewedKey): ModelClient {
  const clients = new Map<string, ModelClient>()
  const clientOf = (one: string): ModelClient => {
    const client = clients.get(one) ?? open(one)
    clients.set(one, client)
    return client
  }
  return {
    async call(request, signal, more) {
      const first = key.now()
      const result = await clientOf(first).call(request, signal, more)
      if (result.ok || result.failure.reason !== 'unauthorized') return result
      await key.renew(first)
      const next = key.now()
      return next === first ? result : clientOf(next).call(request, signal, more)
    },
    async close() {
      await Promise.all([...clients.values()].map((client) => client.close()))
    },
  }
}
