import { type Target, targets } from '#shared/contract/estimate.ts'
import type { Beta } from './beta.ts'
import type { Coverage } from './simulate.ts'

/** What is simulated unless told otherwise. Small sets are those of benchmarks: 30, 198 and 540 items, and odd ones between. */
export const settings = {
  items: [30, 198, 448, 540, 12032],
  betas: [
    [1.2, 0.8],
    [5, 5],
  ] as readonly Beta[],
  subsets_pct: [5, 10, 25, 50, 75, 90, 95, 99, 100],
  epochs: 10,
  simulations: 60_000,
  /** The share of simulations in which an interval called 95 % has to hold. */
  least: 0.945,
}

/** Large sets take fewer: no single answer moves their intervals, so that only chance is left to average out. */
export function simulationsOf(items: number, simulations: number): number {
  return items > 1000 ? Math.ceil(simulations * 0.4) : simulations
}

export function worstOf(coverage: Coverage, target: Target): number {
  return Math.min(...coverage[target].flat())
}

const names: Record<Target, string> = { as_answered: 'as answered', expected: 'expected' }

/** One line for each number of epochs and each subset, one column for each distribution and target. */
export function coverageTable(items: number, columns: readonly Coverage[]): string[] {
  const cells = columns.flatMap((coverage) => targets.map((target) => ({ coverage, target })))
  const heads = settings.betas.flatMap((beta) => targets.map((target) => `Beta(${beta.join(', ')}) ${names[target]}`))
  const row = (parts: readonly string[]) => parts.map((part, index) => (index < 2 ? part.padStart(8) : part.padStart(28))).join('')
  const lines = [`${items} items`, row(['epochs', 'subset', ...heads])]
  const epochs = columns[0]?.expected.length ?? 0
  for (let epoch = 0; epoch < epochs; epoch++) {
    for (const [column, pct] of settings.subsets_pct.entries()) {
      const shares = cells.map(({ coverage, target }) => coverage[target][epoch]![column]!.toFixed(4))
      lines.push(row([String(epoch + 1), `${pct} %`, ...shares]))
    }
  }
  return [...lines, row(['worst', '', ...cells.map(({ coverage, target }) => worstOf(coverage, target).toFixed(4))]), '']
}
