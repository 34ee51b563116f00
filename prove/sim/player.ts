import { parentPort, workerData } from 'node:worker_threads'
import { plantIn } from './plant.ts'
import { planted } from './planted.ts'

/** A thread that plays seeds one after the other, with a bug planted or none, and tells each result. With `stop` it ends at the first breach. */
const { seeds, steps, bug, stop } = workerData as { seeds: number[]; steps: number; bug: string | null; stop: boolean }
// Databases that are away and the like are what the worlds are made of.
console.warn = () => undefined
const chosen = planted.find(({ name }) => name === bug)
if (chosen) plantIn(chosen)
const { playWorld } = await import('./world.ts')
for (const seed of seeds) {
  const result = await playWorld(seed, steps)
  parentPort!.postMessage(result)
  if (stop && result.breaches.length > 0) break
}
