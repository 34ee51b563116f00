import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { hunt } from './hunt.ts'
import { mutants } from './mutants.ts'
import { playWorld, type WorldResult } from './world.ts'

type Job = { seeds: number[]; steps: number }

if (!isMainThread) {
  const { seeds, steps } = workerData as Job
  for (const seed of seeds) parentPort!.postMessage(playWorld(seed, steps))
  process.exit(0)
}

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '500' },
    events: { type: 'string', default: '5000' },
    seed: { type: 'string' },
    mutants: { type: 'boolean', default: false },
    from: { type: 'string', default: '1' },
  },
})
const steps = Number(values.events)

async function play(seeds: number[]): Promise<WorldResult[]> {
  const width = Math.min(availableParallelism(), seeds.length)
  const shares = Array.from({ length: width }, (_, n) => seeds.filter((_seed, i) => i % width === n))
  const played = shares.map(
    (share) =>
      new Promise<WorldResult[]>((resolve, reject) => {
        const results: WorldResult[] = []
        const worker = new Worker(new URL(import.meta.url), { workerData: { seeds: share, steps } satisfies Job })
        worker.on('message', (result: WorldResult) => results.push(result))
        worker.on('error', reject)
        worker.on('exit', () => resolve(results))
      }),
  )
  return (await Promise.all(played)).flat().sort((a, b) => a.seed - b.seed)
}

const first = Number(values.from)
const seeds = values.seed ? [Number(values.seed)] : Array.from({ length: Number(values.seeds) }, (_, n) => first + n)
const started = performance.now()
let failed = false
if (values.mutants) {
  for (const mutant of mutants) {
    const found = hunt(mutant, 200, steps)
    console.log(`${mutant.padEnd(22)} ${found ? `found at seed ${found.seed}: ${found.breach}` : 'NOT FOUND'}`)
    failed ||= !found
  }
} else {
  const results = await play(seeds)
  const events = results.reduce((sum, result) => sum + result.events, 0)
  const kills = results.reduce((sum, result) => sum + result.kills, 0)
  const bad = results.filter((result) => result.breaches.length > 0)
  for (const result of bad.slice(0, 10))
    console.log(`seed ${result.seed}: ${result.breaches[0]}\n  again: npm run prove -- sim --seed ${result.seed} --events ${steps}`)
  const ends = Object.entries(Object.groupBy(results, (result) => result.status)).map(([status, each]) => `${each!.length} ${status}`)
  console.log(
    `${results.length} seeds, ${events.toLocaleString('en')} events, ${kills} kills in ${((performance.now() - started) / 1000).toFixed(1)} s; ends: ${ends.join(', ')}; breaches: ${bad.length}`,
  )
  failed = bad.length > 0
}
process.exitCode = failed ? 1 : 0
