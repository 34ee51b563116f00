import { drawScreen, screenLines } from '#shared/terminal/draw-screen.ts'
import type { Screen } from '#shared/terminal/screen.ts'

/** Longest drawing of a screen that is told, in UTF-16 units of its JSON. */
const mostDrawn = 20_000

/**
 * A screen as the output that draws it, within the bounds of a frame. A secret in it, also one that goes on in the next row, is taken out of its text; such a
 * screen, and one of so many colours that they would not fit, is told without them.
 */
export function drawnScreen(screen: Screen, clean: (text: string) => string): { columns: number; rows: number; text: string } {
  const { columns, rows, grid, wrapped } = screen
  const lines = screenLines(screen)
  const goesOn = (row: number): boolean => wrapped[row]! || grid[row]!.text.at(-1) !== ' '
  const text = lines.map((line, row) => (row === lines.length - 1 ? line : goesOn(row) ? line : `${line}\n`)).join('')
  const cleaned = clean(text)
  const drawn = drawScreen(screen)
  if (cleaned === text && JSON.stringify(drawn).length <= mostDrawn) return { columns, rows, text: drawn }
  return {
    columns,
    rows,
    text: cleaned
      .trimEnd()
      .replaceAll('\n', '\r\n')
      .slice(-mostDrawn / 2),
  }
}
