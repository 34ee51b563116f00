import type { ModelClient } from './model-client.ts'

/** A key that gives way to another: the one of now, and a wait for the next after one that was refused, which may bring none. */
export type RenewedKey = { now(): string; renew(refused: string): Promise<void> }

/**
 * A client whose key gives way to another: each call is made with the key of now. A call that is refused for its key waits for the next key and is made once
 * more; without another key the refusal stands. `open` makes the client of one key.
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
