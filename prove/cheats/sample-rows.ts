import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CardName } from '#shared/benchmarks/cards.ts'
import { listRows, type Rows } from '#shared/benchmarks/rows.ts'

const benchmarks = join(import.meta.dirname, '..', '..', 'shared', 'benchmarks')

/** The rows of a sample's file, as they lie in the repository. */
export const sampleRows = (benchmark: CardName, file = 'sample.jsonl'): Rows =>
  listRows(
    readFileSync(join(benchmarks, benchmark, file), 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line)),
  )

/** The rows of a benchmark that are part of the program. */
export const packedItems = (benchmark: CardName): Rows => sampleRows(benchmark, 'items.jsonl')
