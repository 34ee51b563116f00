import { type CellStyle, erasedStyle, plainStyle } from './cell-style.ts'
import { charWidth } from './char-width.ts'
import { blankRows, type Row, type Screen } from './screen.ts'

const clamp = (value: number, least: number, most: number): number => Math.max(least, Math.min(most, value))

/** Erases cells from `from` up to before `to`; they keep the background that is in use. */
export function eraseCells(screen: Screen, row: number, from: number, to: number): void {
  const cells = screen.grid[row]!
  cells.text.fill(' ', from, to)
  cells.style.fill(erasedStyle(screen.style), from, to)
}

export function eraseRows(screen: Screen, from: number, to: number): void {
  for (let row = from; row < to; row++) eraseCells(screen, row, 0, screen.columns)
}

/** Takes `count` rows out at `at` and puts empty ones in below, up to the row `bottom`. */
export function deleteRows(screen: Screen, at: number, bottom: number, count: number, style = erasedStyle(screen.style)): void {
  const all = clamp(count, 0, bottom + 1 - at)
  screen.grid.splice(at, all)
  screen.grid.splice(bottom + 1 - all, 0, ...blankRows(screen.columns, all, style))
  screen.wrapped.splice(at, all)
  screen.wrapped.splice(bottom + 1 - all, 0, ...Array<boolean>(all).fill(false))
}

/** Puts `count` empty rows in at `at`; those that are pushed below the row `bottom` are gone. */
export function insertRows(screen: Screen, at: number, bottom: number, count: number): void {
  const all = clamp(count, 0, bottom + 1 - at)
  screen.grid.splice(bottom + 1 - all, all)
  screen.grid.splice(at, 0, ...blankRows(screen.columns, all, erasedStyle(screen.style)))
  screen.wrapped.splice(bottom + 1 - all, all)
  screen.wrapped.splice(at, 0, ...Array<boolean>(all).fill(false))
}

const isOutside = ({ row, top, bottom }: Screen): boolean => row < top || row > bottom

/** Inserts lines at the cursor. As in tmux, outside the region only those that were moved are left empty. */
export function insertLines(screen: Screen, count: number): void {
  const { row, rows } = screen
  if (!isOutside(screen)) return insertRows(screen, row, screen.bottom, count)
  const all = clamp(count, 0, rows - row)
  const moved = rows - row - all
  const stay = screen.grid.slice(row + moved, row + all)
  insertRows(screen, row, rows - 1, all)
  screen.grid.splice(row + moved, stay.length, ...stay)
}

export const deleteLines = (screen: Screen, count: number): void =>
  deleteRows(screen, screen.row, isOutside(screen) ? screen.rows - 1 : screen.bottom, count)

/** One row down; at the lower end of the region it scrolls. `wraps`: the row goes on in the next one. */
export function lineFeed(screen: Screen, wraps: boolean): void {
  screen.wrapped[screen.row] = wraps
  if (screen.row === screen.bottom) deleteRows(screen, screen.top, screen.bottom, 1, wraps ? plainStyle : erasedStyle(screen.style))
  else if (screen.row < screen.rows - 1) screen.row++
}

export function reverseLineFeed(screen: Screen): void {
  if (screen.row === screen.top) insertRows(screen, screen.top, screen.bottom, 1)
  else if (screen.row > 0) screen.row--
}

/**
 * Moves what stands at the cursor `count` cells on. As in tmux only cells that were moved are left empty: where more are put in than remain behind them, those in
 * between stay as they were.
 */
export function insertCells(screen: Screen, count: number, style = erasedStyle(screen.style)): void {
  const { column, columns } = screen
  if (column >= columns) return
  const all = clamp(count, 0, columns - column)
  const moved = columns - column - all
  const { text, style: styles } = screen.grid[screen.row]!
  text.copyWithin(column + all, column, column + moved)
  styles.copyWithin(column + all, column, column + moved)
  const empty = column + (moved === 0 && column === columns - 1 ? 1 : Math.min(moved, all))
  text.fill(' ', column, empty)
  styles.fill(style, column, empty)
}

export function deleteCells(screen: Screen, count: number): void {
  const { column, columns } = screen
  if (column >= columns) return
  const all = clamp(count, 0, columns - column)
  const { text, style } = screen.grid[screen.row]!
  text.splice(column, all)
  text.push(...Array<string>(all).fill(' '))
  style.splice(column, all)
  style.push(...Array<CellStyle>(all).fill(erasedStyle(screen.style)))
}

/** Writes a character of one or two columns at the cursor, which goes on behind it, and into the next row where it does not fit. */
export function putChar(screen: Screen, char: string, width: 1 | 2): void {
  const { columns, modes } = screen
  if (width > columns) return
  if (!modes.wrap && width > 1 && screen.column !== columns && screen.column > columns - width) return
  if (modes.insert) insertCells(screen, width, plainStyle)
  if (modes.wrap && screen.column > columns - width) {
    lineFeed(screen, true)
    screen.column = 0
  }
  if (screen.column > columns - width) return
  const row = screen.grid[screen.row]!
  const at = screen.column
  freeCells(row, at, width, char < '\u007f' && modes.wrap && !modes.insert)
  row.text[at] = char
  row.style[at] = screen.style
  if (width === 2) {
    row.text[at + 1] = ''
    row.style[at + 1] = screen.style
  }
  const last = modes.wrap ? columns : columns - 1
  screen.column = Math.min(at + width, last)
}

/** Of a wide character that is overwritten in part nothing is left, but for one in the first column where ASCII does it: so tmux has it. */
function freeCells({ text, style }: Row, at: number, width: number, plain: boolean): void {
  const wide = width === 2 || text[at] === '' || charWidth(text[at]!) === 2
  if (text[at] === '') {
    let from = at
    while (from > 0 && text[from] === '') clear(from--)
    if (from > 0 || !plain) clear(from)
  }
  if (plain || wide) for (let next = at + width; next < text.length && text[next] === ''; next++) clear(next)
  function clear(cell: number): void {
    text[cell] = ' '
    style[cell] = plainStyle
  }
}

/** Most that one cell holds, in UTF-16 units. */
const mostInCell = 12

/** Puts a character of no width onto the one before the cursor. */
export function joinChar(screen: Screen, char: string): void {
  const { text } = screen.grid[screen.row]!
  let at = Math.min(screen.column, screen.columns) - 1
  while (at > 0 && text[at] === '') at--
  if (at < 0) return
  const joined = text[at]! + char
  if (joined.length <= mostInCell) text[at] = joined
}

/** Moves the cursor to a place; null leaves it. `region`: rows count from the region where that is wanted. */
export function moveTo(screen: Screen, column: number | null, row: number | null, region = true): void {
  const { modes, top, bottom } = screen
  const wanted = row !== null && region && modes.origin ? (row > bottom - top ? bottom : row + top) : row
  if (column !== null) screen.column = clamp(column, 0, screen.columns - 1)
  if (wanted !== null) screen.row = clamp(wanted, 0, screen.rows - 1)
}

/** Moves the cursor up or down, up to the end of the region it is in. */
export function moveRows(screen: Screen, by: number): void {
  const { row, top, bottom, rows } = screen
  if (screen.column === screen.columns) screen.column--
  screen.row = by < 0 ? Math.max(row < top ? 0 : top, row + by) : Math.min(row > bottom ? rows - 1 : bottom, row + by)
}

/** Moves the cursor along its row. */
export function moveColumns(screen: Screen, by: number): void {
  screen.column = clamp(screen.column + by, 0, screen.columns - 1)
}

/** One column back; from the first one to the end of a row that went on in this one. */
export function backspace(screen: Screen): void {
  if (screen.column > 0) screen.column--
  else if (screen.row > 0 && screen.wrapped[screen.row - 1]) {
    screen.row--
    screen.column = screen.columns - 1
  }
}

export function tabOn(screen: Screen): void {
  if (screen.column >= screen.columns - 1) return
  do screen.column++
  while (screen.column < screen.columns - 1 && !screen.tabs[screen.column])
}

export function tabBack(screen: Screen, count: number): void {
  screen.column = Math.min(screen.column, screen.columns - 1)
  for (let left = count; left > 0 && screen.column > 0; left--) {
    do screen.column--
    while (screen.column > 0 && !screen.tabs[screen.column])
  }
}
