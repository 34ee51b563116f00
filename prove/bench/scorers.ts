import { parseArgs } from 'node:util'
import { testTables } from '#fleet/dataset/testing/test-tables.ts'
import { type ScoredSample, scoredSamples } from './scored-samples.ts'
import { slowestChecks } from './slowest-checks.ts'

const usage = `npm run bench -- scorers [options]

  --seconds 2      how long each scorer runs, after as long a warm-up
  --only NAME      one benchmark`

/** Items a second of every scorer on one core, and the longest time that any check takes for 100 kB. Exit code 1 below the target. */
export async function scorers(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options: { seconds: { type: 'string', default: '2' }, only: { type: 'string' } } })
  const seconds = Number(values.seconds)
  if (!(seconds > 0)) {
    console.error(usage)
    return 2
  }
  const { tables, missing } = await testTables()
  const target = 5000
  let slow = 0
  console.log(`one core, Node ${process.versions.node}; a pass is every item with its answer once; target ${target} items/s\n`)
  console.log(`${'scorer'.padEnd(34)}${'items/s'.padStart(10)}${'chars/answer'.padStart(14)}${'items'.padStart(8)}`)
  for (const sample of await scoredSamples(tables)) {
    if (values.only && sample.benchmark !== values.only) continue
    if (sample.tables.some((table) => missing.includes(table))) {
      console.log(`${sample.title.padEnd(34)}  not measured: ${missing.join(', ')} cannot be had`)
      continue
    }
    measure(sample, seconds)
    const perSecond = measure(sample, seconds)
    if (perSecond < target && sample.counts) slow++
    const { items, chars } = sample
    console.log(
      `${sample.title.padEnd(34)}${Math.round(perSecond).toLocaleString('en').padStart(10)}${Math.round(chars).toLocaleString('en').padStart(14)}${items.toLocaleString('en').padStart(8)}`,
    )
  }
  if (missing.length === 0 && !values.only) {
    console.log('\nlongest time of one check for a text of 100 kB, warm (target 50 ms):')
    for (const { check, text, ms } of slowestChecks(tables, 5))
      console.log(`  ${ms.toFixed(1).padStart(6)} ms  ${check.padEnd(42)} ${text}`)
  }
  return slow > 0 ? 1 : 0
}

/** Whole passes until the time is over. */
function measure({ items, score }: ScoredSample, seconds: number): number {
  const from = performance.now()
  let scored = 0
  while (performance.now() - from < seconds * 1000) {
    score()
    scored += items
  }
  return (scored * 1000) / (performance.now() - from)
}
