import { parseArgs } from 'node:util'
import { targets } from '#shared/contract/estimate.ts'
import { coverageTable, settings, simulationsOf, worstOf } from './coverage-table.ts'
import { simulateCoverage } from './simulate.ts'

/** Prints how often the intervals of both targets hold, and fails where any holds in fewer than 94.5 % of the simulations. */
function main(args: string[]): number {
  const { values } = parseArgs({
    args,
    options: {
      simulations: { type: 'string', default: String(settings.simulations) },
      seed: { type: 'string', default: '1' },
      items: { type: 'string', default: settings.items.join(',') },
      epochs: { type: 'string', default: String(settings.epochs) },
    },
  })
  const [simulations, seed, epochs] = [Number(values.simulations), Number(values.seed), Number(values.epochs)]
  let worst = 1
  for (const items of values.items.split(',').map(Number)) {
    const times = simulationsOf(items, simulations)
    const columns = settings.betas.map((beta) =>
      simulateCoverage({ items, beta, epochs, subsets_pct: settings.subsets_pct, simulations: times, seed }),
    )
    console.log(`${times} simulations a cell`)
    for (const line of coverageTable(items, columns)) console.log(line)
    worst = Math.min(worst, ...columns.flatMap((coverage) => targets.map((target) => worstOf(coverage, target))))
  }
  console.log(`seed ${seed}; worst cell ${worst.toFixed(4)}, asked for ${settings.least}`)
  return worst >= settings.least ? 0 : 1
}

process.exitCode = main(process.argv.slice(2))
