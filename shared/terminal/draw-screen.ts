import { type CellStyle, type Colour, plainStyle, trueColour } from './cell-style.ts'
import { charWidth } from './char-width.ts'
import type { Row, Screen } from './screen.ts'

/** A stretch of a row whose cells look alike. */
export type Run = { text: string; style: CellStyle }

/** The rows of a screen as text, without the blanks at their ends. */
export function screenLines({ grid }: Screen): string[] {
  return grid.map((row) => cellsOf(row).join('').trimEnd())
}

/** A row as stretches that look alike, `columns` wide. */
export function rowRuns(row: Row): Run[] {
  const runs: Run[] = []
  for (const [at, text] of cellsOf(row).entries()) {
    const style = row.style[at]!
    const last = runs.at(-1)
    if (text === '') continue
    if (last && sameStyle(last.style, style)) last.text += text
    else runs.push({ text, style })
  }
  return runs
}

/** The cells as they are shown: what is left of half a wide character is a blank. */
function cellsOf({ text }: Row): string[] {
  return text.map((cell, at) => {
    if (cell === '') return isWide(text[at - 1]) ? '' : ' '
    return isWide(cell) && text[at + 1] !== '' ? ' ' : cell
  })
}
const isWide = (cell: string | undefined): boolean =>
  cell !== undefined && cell > '\u10ff' && charWidth(String.fromCodePoint(cell.codePointAt(0)!)) === 2

export function sameStyle(one: CellStyle, other: CellStyle): boolean {
  return one === other || (Object.keys(one) as (keyof CellStyle)[]).every((name) => one[name] === other[name])
}

/** A row with its colours, without the plain blanks at its end; nothing of it moves a cursor. */
export function drawRow(row: Row): string {
  const runs = rowRuns(row)
  const last = runs.at(-1)!
  if (sameStyle(last.style, plainStyle)) last.text = last.text.trimEnd()
  const drawn = runs.filter(({ text }) => text !== '').map(({ text, style }) => `${styleCodes(style)}${text}`)
  return drawn.length === 0 ? '' : `${drawn.join('')}\u001b[m`
}

/** The output that draws this screen, with its colours and its cursor, onto an empty one of its size. */
export function drawScreen(screen: Screen): string {
  const rows = screen.grid.map((row, at) => {
    const drawn = drawRow(row)
    return drawn === '' ? '' : `\u001b[${at + 1}H${drawn}`
  })
  const cursor = screen.modes.cursor ? '' : '\u001b[?25l'
  return `${rows.join('')}\u001b[${screen.row + 1};${Math.min(screen.column, screen.columns - 1) + 1}H${cursor}`
}

const colourCodes = (colour: Colour, first: number): string[] => {
  if (colour === null) return []
  if (colour < 8) return [String(first + colour)]
  if (colour < trueColour) return [`${first + 8};5;${colour}`]
  return [`${first + 8};2;${(colour >> 16) & 255};${(colour >> 8) & 255};${colour & 255}`]
}

function styleCodes(style: CellStyle): string {
  if (sameStyle(style, plainStyle)) return '\u001b[m'
  const codes = [
    ...(style.bold ? ['1'] : []),
    ...(style.dim ? ['2'] : []),
    ...(style.italic ? ['3'] : []),
    ...(style.underline ? ['4'] : []),
    ...(style.inverse ? ['7'] : []),
    ...(style.hidden ? ['8'] : []),
    ...(style.struck ? ['9'] : []),
    ...colourCodes(style.foreground, 30),
    ...colourCodes(style.background, 40),
  ]
  return `\u001b[0;${codes.join(';')}m`
}
