import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { Planted } from './planted.ts'
import type { WorldResult } from './world.ts'

const player = new URL('./player.ts', import.meta.url)

const ended = (worker: Worker): Promise<void> =>
  new Promise((resolve, reject) => {
    worker.on('error', reject)
    worker.on('exit', () => resolve())
  })

/** Deals seeds out to as many threads as there are cores. */
function sharesOf<T>(seeds: readonly number[], toShare: (share: number[]) => T): T[] {
  const width = Math.min(availableParallelism(), seeds.length)
  return Array.from({ length: width }, (_, n) => toShare(seeds.filter((_seed, at) => at % width === n)))
}

/** Plays worlds on all cores, each in a thread of what the service runs; in the order of their seeds. */
export async function playSeeds(seeds: readonly number[], steps: number): Promise<WorldResult[]> {
  const results: WorldResult[] = []
  const ends = sharesOf(seeds, (share) => {
    const worker = new Worker(player, { workerData: { seeds: share, steps, bug: null, stop: false } })
    worker.on('message', (result: WorldResult) => results.push(result))
    return ended(worker)
  })
  await Promise.all(ends)
  return results.sort((a, b) => a.seed - b.seed)
}

export type Find = { seed: number; breach: string }

/**
 * Plays worlds with a planted bug until an invariant breaks; undefined when none of `seeds` seeds shows it. The first seed, which is the bug's
 * own, is played alone: a thread takes longer to start than to play a world. All cores play the others.
 */
export async function hunt(bug: Planted, seeds: number, steps: number): Promise<Find | undefined> {
  const { from = 1 } = bug
  const others = Array.from({ length: seeds - 1 }, (_, n) => from + 1 + n)
  return (await huntIn(bug, [from], steps)) ?? (await huntIn(bug, others, steps))
}

async function huntIn({ name: bug }: Planted, seeds: readonly number[], steps: number): Promise<Find | undefined> {
  const found: Find[] = []
  const workers = sharesOf(seeds, (share) => new Worker(player, { workerData: { seeds: share, steps, bug, stop: true } }))
  const ends = workers.map((worker) => {
    worker.on('message', ({ seed, breaches: [breach] }: WorldResult) => {
      if (breach === undefined) return
      found.push({ seed, breach })
      for (const other of workers) void other.terminate()
    })
    return ended(worker)
  })
  await Promise.all(ends)
  return found[0]
}
