import { rowRuns } from '#shared/terminal/draw-screen.ts'
import type { Row, Screen } from '#shared/terminal/screen.ts'
import { cssOf } from './css-colour.ts'

/** A stretch of a row as it is drawn. */
export type Piece = { text: string; css: string }
/** A screen as it is drawn. A row that did not change is the same object as before, so that it is not drawn anew and a selection in it stays. */
export type Frame = { columns: number; rows: readonly FrameRow[] }
export type FrameRow = { key: string; pieces: readonly Piece[] }

export function frameOf(screen: Screen, before: Frame | null): Frame {
  const rows = screen.grid.map((row, at) => {
    const shown = at === screen.row && screen.modes.cursor ? withCursor(row, Math.min(screen.column, screen.columns - 1)) : row
    const pieces = trimmed(rowRuns(shown).map(({ text, style }) => ({ text, css: cssOf(style) })))
    const key = JSON.stringify(pieces)
    const same = before?.rows[at]
    return same?.key === key ? same : { key, pieces }
  })
  return { columns: screen.columns, rows }
}

/** Blanks at the end of a row are not copied with it. */
function trimmed(pieces: Piece[]): Piece[] {
  const last = pieces.at(-1)
  if (last?.css !== '') return pieces
  const text = last.text.trimEnd()
  return text === '' ? pieces.slice(0, -1) : [...pieces.slice(0, -1), { ...last, text }]
}

/** The row with the cell under the cursor, or the whole of a wide one, inverted. */
function withCursor({ text, style }: Row, column: number): Row {
  const at = text[column] === '' ? Math.max(0, column - 1) : column
  return { text, style: style.with(at, { ...style[at]!, inverse: !style[at]!.inverse }) }
}

/** What stands on the screen, without the blanks at its ends. */
export const textOf = ({ rows }: Frame): string =>
  `${rows
    .map(({ pieces }) =>
      pieces
        .map(({ text }) => text)
        .join('')
        .trimEnd(),
    )
    .join('\n')
    .trimEnd()}\n`
