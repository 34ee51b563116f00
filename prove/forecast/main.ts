import { parseArgs } from 'node:util'
import { drawQueue } from '#shared/run/testing/draw-queue.ts'
import { playQueue } from '#shared/run/testing/play-queue.ts'
import { forecastRows, forecastTable, verdictOf } from './forecast-table.ts'

/** The estimator was changed in sight of seeds 1 to 200. Seeds from here on are held out. */
const heldOut = 10_001

/**
 * Plays simulated queues and prints how many expected ends were within 25 %. Fails if fewer than 8 of 10 of all runs were, by the time left; a
 * run without an expected end counts as one that was not.
 */
function main(args: string[]): number {
  const { values } = parseArgs({
    args,
    options: {
      seeds: { type: 'string', default: '200' },
      from: { type: 'string', default: String(heldOut) },
      least: { type: 'string', default: '80' },
    },
  })
  const [seeds, from, least] = [Number(values.seeds), Number(values.from), Number(values.least)]
  const played = new Map(Array.from({ length: seeds }, (_, n) => [from + n, playQueue(drawQueue(from + n))]))
  const rows = forecastRows(played)
  console.log(`seeds ${from} to ${from + seeds - 1}; asked when a tenth of a run's trials has ended; ends within 25 %`)
  for (const line of forecastTable(rows)) console.log(line)
  const { passed, text } = verdictOf(rows, least)
  console.log(text)
  return passed ? 0 : 1
}

process.exitCode = main(process.argv.slice(2))
