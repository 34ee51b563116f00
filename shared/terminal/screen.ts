import { type CellStyle, plainStyle } from './cell-style.ts'

/** A row of cells. The second cell of a wide character is empty. */
export type Row = { text: string[]; style: CellStyle[] }

/** Whether G0 and G1 draw lines, and which is in use. */
type LineSets = { g0: boolean; g1: boolean; shifted: boolean }

type Cursor = { column: number; row: number; style: CellStyle }

/** Where in a command the output stands that was written so far. `params`: its bytes without the last. */
export type Reading =
  | { in: 'text' }
  | { in: 'escape'; between: string }
  | { in: 'command'; params: string }
  | { in: 'ignored' }
  | { in: 'string'; ends: 'bell' | 'escape' | 'terminator'; escaped: boolean }

/**
 * A terminal's screen as tmux keeps it. It is changed by `writeOutput` alone. `column` equals `columns` where the next character begins a new row.
 * `top`, `bottom`: the rows that scroll. `other`: the screen that is shown again when the alternate one is left.
 */
export type Screen = {
  readonly columns: number
  readonly rows: number
  grid: Row[]
  column: number
  row: number
  style: CellStyle
  top: number
  bottom: number
  /** Whether a row went on in the next one. */
  wrapped: boolean[]
  tabs: boolean[]
  modes: { wrap: boolean; insert: boolean; origin: boolean; cursor: boolean }
  lines: LineSets
  saved: Cursor & { origin: boolean; lines: LineSets }
  other: { grid: Row[]; wrapped: boolean[] } | null
  left: Cursor | null
  /** The last character, while it may be repeated: tmux repeats none beyond ASCII. */
  last: string | null
  reading: Reading
  /** The first half of a character whose second half has not come. */
  half: string
}

export const noLines: LineSets = { g0: false, g1: false, shifted: false }
export const nothingSaved: Screen['saved'] = { column: 0, row: 0, style: plainStyle, origin: false, lines: noLines }

/** The largest screens that are shown; a recording that says it is larger is not believed. */
const most = { columns: 500, rows: 200 }

const fitted = (value: number, limit: number): number => Math.min(limit, Math.max(1, Math.floor(value) || 1))

const blankRow = (columns: number, style: CellStyle): Row => ({ text: Array(columns).fill(' '), style: Array(columns).fill(style) })

/** So many empty rows. */
export function blankRows(columns: number, count: number, style: CellStyle = plainStyle): Row[] {
  return Array.from({ length: count }, () => blankRow(columns, style))
}

/** Where tabs stop: at every eighth column. */
export const usualTabs = (columns: number): boolean[] => Array.from({ length: columns }, (_, column) => column > 0 && column % 8 === 0)

/** An empty screen. */
export function openScreen(wanted: { columns: number; rows: number }): Screen {
  const columns = fitted(wanted.columns, most.columns)
  const rows = fitted(wanted.rows, most.rows)
  return {
    columns,
    rows,
    grid: blankRows(columns, rows),
    column: 0,
    row: 0,
    style: plainStyle,
    top: 0,
    bottom: rows - 1,
    wrapped: Array(rows).fill(false),
    tabs: usualTabs(columns),
    modes: { wrap: true, insert: false, origin: false, cursor: true },
    lines: { ...noLines },
    saved: nothingSaved,
    other: null,
    left: null,
    last: null,
    reading: { in: 'text' },
    half: '',
  }
}

const copyRows = (rows: readonly Row[]): Row[] => rows.map(({ text, style }) => ({ text: [...text], style: [...style] }))

/** The same screen once more: what is written to one does not change the other. */
export function copyScreen(screen: Screen): Screen {
  return {
    ...screen,
    grid: copyRows(screen.grid),
    wrapped: [...screen.wrapped],
    tabs: [...screen.tabs],
    modes: { ...screen.modes },
    lines: { ...screen.lines },
    other: screen.other && { grid: copyRows(screen.other.grid), wrapped: [...screen.other.wrapped] },
    reading: { ...screen.reading },
  }
}

/** The screen in another size: what fits of it stays, and what stood highest goes where the cursor would not be seen. */
export function resizeScreen(screen: Screen, wanted: { columns: number; rows: number }): Screen {
  const sized = openScreen(wanted)
  const gone = Math.max(0, screen.row - sized.rows + 1)
  const moved = (rows: readonly Row[]): Row[] =>
    sized.grid.map((blank, at) => {
      const from = rows[at + gone]
      const fill = <T>(cells: readonly T[], none: readonly T[]): T[] => none.map((cell, column) => cells[column] ?? cell)
      return from
        ? { text: fill(from.text, blank.text), style: fill(from.style, blank.style) }
        : { text: [...blank.text], style: [...blank.style] }
    })
  return {
    ...sized,
    grid: moved(screen.grid),
    column: Math.min(screen.column, sized.columns - 1),
    row: screen.row - gone,
    style: screen.style,
    modes: { ...screen.modes },
    lines: { ...screen.lines },
    saved: screen.saved,
    other: screen.other && { grid: moved(screen.other.grid), wrapped: [...sized.wrapped] },
    left: screen.left,
    reading: { ...screen.reading },
    half: screen.half,
  }
}
