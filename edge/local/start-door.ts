import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { DoorPlace, Upstream } from './door.ts'
import type { DoorStart, DoorWord } from './door-thread.ts'

/**
 * Opens the door of the local Worker on a thread of its own: what passes through it is much, and beside Miniflare's heap every hundred megabytes of it
 * would have that collected whole. Throws what `listen` throws. A door that breaks afterwards ends the process, as its own error would.
 */
export async function startDoor(
  place: DoorPlace,
  upstream: Upstream,
): Promise<{ port: number; leadTo(upstream: Upstream): void; close(): Promise<void> }> {
  const thread = new Worker(new URL('./door-thread.ts', import.meta.url), { workerData: { ...place, upstream } satisfies DoorStart })
  const [port] = (await once(thread, 'message')) as [number] // rejects with the error that ends the thread
  thread.on('error', (error) => {
    throw error
  })
  const say = (word: DoorWord): void => thread.postMessage(word)
  return {
    port,
    leadTo: (to) => say({ type: 'lead', upstream: to }),
    async close() {
      const ended = once(thread, 'exit')
      say({ type: 'close' })
      await ended
    },
  }
}
