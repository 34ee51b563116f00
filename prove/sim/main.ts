import { parseArgs } from 'node:util'
import { planted } from './planted.ts'
import { hunt, playSeeds } from './play-seeds.ts'

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
const first = Number(values.from)
const seeds = values.seed ? [Number(values.seed)] : Array.from({ length: Number(values.seeds) }, (_, n) => first + n)
const started = performance.now()
let failed = false
if (values.mutants) {
  for (const bug of planted) {
    const { name } = bug
    const found = await hunt(bug, 200, steps)
    console.log(`${name.padEnd(55)} ${found ? `found at seed ${found.seed}: ${found.breach}` : 'NOT FOUND'}`)
    failed ||= !found
  }
} else {
  const results = await playSeeds(seeds, steps)
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
