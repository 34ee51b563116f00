import { plainStyle, styled } from './cell-style.ts'
import {
  deleteCells,
  deleteLines,
  deleteRows,
  eraseCells,
  eraseRows,
  insertCells,
  insertLines,
  insertRows,
  lineFeed,
  moveColumns,
  moveRows,
  moveTo,
  putChar,
  reverseLineFeed,
  tabBack,
} from './edit-screen.ts'
import { blankRows, noLines, nothingSaved, type Screen, usualTabs } from './screen.ts'

/** Parameters and their size at most; a command with more is not carried out. */
const mostParams = 24
const mostNumber = 2 ** 31 - 1

/** Carries out a command of the form `ESC [ params final`. One that is not known does nothing. */
export function runCommand(screen: Screen, written: string, final: string): void {
  const asks = written.startsWith('?')
  const body = asks ? written.slice(1) : written
  if (!/^[0-9:;]*$/.test(body)) return
  const params = body === '' ? [] : body.split(';')
  if (params.length > mostParams || params.some((param) => !param.includes(':') && Number(param) > mostNumber)) return
  if (asks) {
    if (final === 'h' || final === 'l') for (const param of params) setPrivateMode(screen, Number(param), final === 'h')
  } else if (final === 'm') screen.style = styled(screen.style, params.length === 0 ? ['0'] : params)
  else commands[final]?.(screen, (at, least, missing) => Math.max(least, params[at] ? Number(params[at]) || 0 : missing))
}

/** A parameter by its place; `least` is taken for what is smaller, `missing` where there is none. */
type Param = (at: number, least: number, missing: number) => number

const one = (param: Param): number => param(0, 1, 1)

const commands: Readonly<Record<string, (screen: Screen, param: Param) => void>> = {
  '@': (screen, param) => insertCells(screen, one(param)),
  A: (screen, param) => moveRows(screen, -one(param)),
  B: (screen, param) => moveRows(screen, one(param)),
  C: (screen, param) => moveColumns(screen, one(param)),
  D: (screen, param) => moveColumns(screen, -one(param)),
  E(screen, param) {
    screen.column = 0
    moveRows(screen, one(param))
  },
  F(screen, param) {
    screen.column = 0
    moveRows(screen, -one(param))
  },
  G: (screen, param) => moveTo(screen, one(param) - 1, null),
  H: (screen, param) => moveTo(screen, param(1, 1, 1) - 1, one(param) - 1),
  J: (screen, param) => eraseDisplay(screen, param(0, 0, 0)),
  K: (screen, param) => eraseLine(screen, param(0, 0, 0)),
  L: (screen, param) => insertLines(screen, one(param)),
  M: (screen, param) => deleteLines(screen, one(param)),
  P: (screen, param) => deleteCells(screen, one(param)),
  S: (screen, param) => deleteRows(screen, screen.top, screen.bottom, one(param)),
  T: (screen, param) => insertRows(screen, screen.top, screen.bottom, one(param)),
  X: (screen, param) => eraseCells(screen, screen.row, screen.column, Math.min(screen.columns, screen.column + one(param))),
  Z: (screen, param) => tabBack(screen, one(param)),
  '`': (screen, param) => moveTo(screen, one(param) - 1, null),
  b(screen, param) {
    const { last } = screen
    if (last === null) return
    for (let left = Math.min(one(param), screen.columns - screen.column); left > 0; left--) putChar(screen, last, 1)
  },
  d: (screen, param) => moveTo(screen, null, one(param) - 1),
  f: (screen, param) => moveTo(screen, param(1, 1, 1) - 1, one(param) - 1),
  g(screen, param) {
    const which = param(0, 0, 0)
    if (which === 3) screen.tabs.fill(false)
    else if (which === 0 && screen.column < screen.columns) screen.tabs[screen.column] = false
  },
  h: (screen, param) => setMode(screen, param(0, 0, 0), true),
  l: (screen, param) => setMode(screen, param(0, 0, 0), false),
  r(screen, param) {
    const [top, bottom] = [Math.min(screen.rows, one(param)) - 1, Math.min(screen.rows, param(1, 1, screen.rows)) - 1]
    if (top >= bottom) return
    Object.assign(screen, { top, bottom, column: 0, row: 0 })
  },
  s: saveCursor,
  u: restoreCursor,
}

function setMode({ modes }: Screen, mode: number, on: boolean): void {
  if (mode === 4) modes.insert = on
}

function setPrivateMode(screen: Screen, mode: number, on: boolean): void {
  const { modes } = screen
  switch (mode) {
    case 3:
      moveTo(screen, 0, 0)
      return eraseRows(screen, 0, screen.rows)
    case 6:
      modes.origin = on
      return moveTo(screen, 0, 0)
    case 7:
      modes.wrap = on
      return
    case 25:
      modes.cursor = on
      return
    case 47:
    case 1047:
    case 1049:
      return on ? enterOther(screen, mode === 1049) : leaveOther(screen, mode === 1049)
  }
}

function enterOther(screen: Screen, cursor: boolean): void {
  if (screen.other) return
  screen.other = { grid: screen.grid, wrapped: screen.wrapped }
  if (cursor) screen.left = { column: screen.column, row: screen.row, style: screen.style }
  screen.grid = blankRows(screen.columns, screen.rows)
  screen.wrapped = Array(screen.rows).fill(false)
}

function leaveOther(screen: Screen, cursor: boolean): void {
  if (cursor && screen.left) Object.assign(screen, screen.left)
  screen.column = Math.min(screen.column, screen.columns - 1)
  screen.row = Math.min(screen.row, screen.rows - 1)
  if (!screen.other) return
  Object.assign(screen, screen.other)
  screen.other = null
}

function saveCursor(screen: Screen): void {
  const { column, row, style, modes, lines } = screen
  screen.saved = { column, row, style, origin: modes.origin, lines: { ...lines } }
}

function restoreCursor(screen: Screen): void {
  const { column, row, style, origin, lines } = screen.saved
  screen.style = style
  screen.lines = { ...lines }
  screen.modes.origin = origin
  moveTo(screen, column, row, false)
}

function eraseDisplay(screen: Screen, which: number): void {
  if (which === 2) return eraseRows(screen, 0, screen.rows)
  if (which > 1) return
  eraseLine(screen, which)
  if (which === 0) eraseRows(screen, screen.row + 1, screen.rows)
  else eraseRows(screen, 0, screen.row)
}

function eraseLine(screen: Screen, which: number): void {
  const { row, column, columns } = screen
  if (which === 0) eraseCells(screen, row, column, columns)
  else if (which === 1) eraseCells(screen, row, 0, column + 1)
  else if (which === 2) eraseCells(screen, row, 0, columns)
}

/** Carries out `ESC between final`; `between` is mostly empty. */
export function runEscape(screen: Screen, between: string, final: string): void {
  if (between === '#' && final === '8') return alignmentTest(screen)
  if (between === '(' && (final === '0' || final === 'B')) screen.lines.g0 = final === '0'
  else if (between === ')' && (final === '0' || final === 'B')) screen.lines.g1 = final === '0'
  else if (between === '') escapes[final]?.(screen)
}

const escapes: Readonly<Record<string, (screen: Screen) => void>> = {
  '7': saveCursor,
  '8': restoreCursor,
  D: (screen) => lineFeed(screen, false),
  E(screen) {
    screen.column = 0
    lineFeed(screen, false)
  },
  H(screen) {
    if (screen.column < screen.columns) screen.tabs[screen.column] = true
  },
  M: reverseLineFeed,
  c: reset,
}

function reset(screen: Screen): void {
  const { columns, rows } = screen
  Object.assign(screen, { style: plainStyle, top: 0, bottom: rows - 1, column: 0, row: 0, tabs: usualTabs(columns) })
  screen.modes = { wrap: true, insert: false, origin: false, cursor: true }
  screen.lines = { ...noLines }
  screen.saved = { ...nothingSaved }
  eraseRows(screen, 0, rows)
}

function alignmentTest(screen: Screen): void {
  for (const { text, style } of screen.grid) {
    text.fill('E')
    style.fill(plainStyle)
  }
  Object.assign(screen, { column: 0, row: 0, top: 0, bottom: screen.rows - 1 })
}
