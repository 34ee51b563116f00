import { contractRows, elsewhere } from '../../fleet/sandbox/attacks.ts'
import type { LocalKind } from '../../fleet/sandbox/open-local.ts'

/** How an attempt came out. `open` is a breach; `not held` is known and named; `elsewhere`: it is nothing that one sandbox could show. */
export type Verdict = 'contained' | 'open' | 'not held' | 'elsewhere'

/** What became of one attempt of a row on one kind; `why` says what was seen, or why it was not tried. */
export type Cell = { row: number; name: string; kind: LocalKind; verdict: Verdict; why: string }

export const rowCount = 44

/** How a cell is printed. */
export const describeCell = ({ verdict, why }: Pick<Cell, 'verdict' | 'why'>): string =>
  verdict === 'contained' ? verdict : `${verdict === 'open' ? 'NOT CONTAINED' : verdict}: ${why}`

/** Cells for the rows of which no program is tried on this kind, with the reason; `known` are verdicts that were found out on this machine. */
export function untried(kind: LocalKind, known: Readonly<Record<number, Pick<Cell, 'verdict' | 'why'>>>): Cell[] {
  return Array.from({ length: rowCount }, (_, index) => index + 1).flatMap((row): Cell[] => {
    if (row in contractRows || row === badLimitsRow) return []
    const why = elsewhere[row]
    const found = known[row] ?? (why === undefined ? undefined : { verdict: 'elsewhere' as const, why })
    return found ? [{ row, name: 'not by a program', kind, ...found }] : []
  })
}

/** The row of limits that are no limits: tried by opening, not by a program. */
export const badLimitsRow = 43

/** The table: a line for each attempt, its verdict for each kind beside each other; the same words for all are printed once. */
export function renderMatrix(cells: readonly Cell[], kinds: readonly LocalKind[]): string {
  const names = [...new Set([...cells].sort((a, b) => a.row - b.row).map(({ row, name }) => `${String(row).padStart(2)}  ${name}`))]
  const width = Math.max(...names.map((name) => name.length))
  return names
    .map((name) => {
      const verdicts = kinds.map((kind) => {
        const cell = cells.find((one) => one.kind === kind && `${String(one.row).padStart(2)}  ${one.name}` === name)
        return cell ? describeCell(cell) : 'not tried'
      })
      const same = verdicts.every((one) => one === verdicts[0])
      const told = same ? verdicts[0] : verdicts.map((one, index) => `${kinds[index]}: ${one}`).join('; ')
      return `${name.padEnd(width)}  ${told}`
    })
    .join('\n')
}

/** What should hold and does not, and rows that nobody tried or gave a reason for: each a reason to fail. */
export function breaches(cells: readonly Cell[], kinds: readonly LocalKind[], rows: readonly number[]): string[] {
  const open = cells
    .filter(({ verdict }) => verdict === 'open')
    .map(({ row, name, kind, why }) => `${kind} does not contain ${row} (${name}): ${why}`)
  const missing = kinds.flatMap((kind) =>
    rows.filter((row) => !cells.some((one) => one.kind === kind && one.row === row)).map((row) => `${kind}: nothing is said of row ${row}`),
  )
  return [...open, ...missing]
}
