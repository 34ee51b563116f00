import stringWidth from 'string-width'
import wrapAnsi from 'wrap-ansi'

/**
 * Text from outside as one safe piece of terminal text: escape sequences (CSI, OSC with any terminator, DCS, APC, PM, SOS and single-character
 * ones, 7- and 8-bit), control characters and bidirectional overrides are removed. Tabs and line feeds stay.
 */
export function clean(text: string): string {
  return text.replace(strings, '').replace(sequences, '').replace(controls, '')
}

/** Like `clean`, on one line: line feeds and tabs become spaces, the whole is cut at `width` characters. */
export function cleanLine(text: string, width = 200): string {
  const line = clean(text).replace(/\s+/g, ' ').trim()
  const characters = [...line]
  return characters.length > width ? `${characters.slice(0, width - 1).join('')}…` : line
}

// OSC, DCS, SOS, PM and APC carry a string up to BEL or ST; an unterminated one runs to the end of the text.
const strings = /(?:\u001b[\]PX^_]|[\u009d\u0090\u0098\u009e\u009f])[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c|(?=\u001b)|$)/g
const sequences = /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?|\u001b[ -/]*[0-~]?/g
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g

export const styles = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33 } as const
export type Style = keyof typeof styles

export function paint(text: string, style: Style, colour: boolean): string {
  return colour ? `\u001b[${styles[style]}m${text}\u001b[0m` : text
}

/** A text that stands some columns in, over as many lines as the terminal's width asks for. */
export function indented(text: string, by: number, width: number | null): string[] {
  const lines = width === null ? [text] : wrapAnsi(text, Math.max(narrowest, width - by)).split('\n')
  return lines.map((line) => ' '.repeat(by) + line)
}

/** `whole` cells are never broken over lines: ids, numbers and whatever else people copy or compare. */
export type Column = { title: string; right?: boolean; whole?: boolean }

const gap = 2
const narrowest = 10

/**
 * Rows under titles, columns two spaces apart; numbers go right. Cells are cleaned. Where `width` is too small, the texts of the widest
 * columns are broken over lines; where even that is not enough, the first column gets a line of its own above the others.
 */
export function table(columns: readonly Column[], rows: readonly (readonly string[])[], width: number | null): string[] {
  const cells = rows.map((row) => columns.map((_, at) => cleanLine(row[at] ?? '', 500)))
  const natural = columns.map(({ title }, at) => Math.max(title.length, ...cells.map((row) => stringWidth(row[at] ?? ''))))
  const widths = width === null ? natural : fitted(columns, natural, width)
  if (widths) return [columns.map(({ title }) => title), ...cells].flatMap((row) => lineUp(columns, row, widths))
  return stacked(columns, cells, width ?? 0)
}

/** Widths that fit, the widest of the breakable columns made smaller first; undefined when there are none. */
function fitted(columns: readonly Column[], natural: readonly number[], width: number): number[] | undefined {
  const widths = [...natural]
  const least = columns.map(({ title, right, whole }, at) =>
    right || whole ? natural[at]! : Math.min(natural[at]!, Math.max(narrowest, title.length)),
  )
  const room = width - gap * (columns.length - 1)
  const sum = (all: readonly number[]) => all.reduce((total, each) => total + each, 0)
  if (sum(least) > room) return undefined
  for (let over = sum(widths) - room; over > 0; over--) {
    const breakable = widths.map((each, at) => (each > least[at]! ? each : -1))
    widths[breakable.indexOf(Math.max(...breakable))]!--
  }
  return widths
}

function lineUp(columns: readonly Column[], row: readonly string[], widths: readonly number[]): string[] {
  const broken = row.map((cell, at) => (stringWidth(cell) > widths[at]! ? wrapAnsi(cell, widths[at]!, { hard: true }).split('\n') : [cell]))
  const height = Math.max(1, ...broken.map((lines) => lines.length))
  return Array.from({ length: height }, (_, line) => {
    const texts = broken.map((lines, at) => {
      const text = lines[line] ?? ''
      const space = ' '.repeat(Math.max(0, widths[at]! - stringWidth(text)))
      return columns[at]?.right ? space + text : text + space
    })
    return texts.join(' '.repeat(gap)).trimEnd()
  })
}

/** Each row as its first cell with the other columns below, or, where these do not fit either, one line for each cell with its title. */
function stacked(columns: readonly Column[], cells: readonly (readonly string[])[], width: number): string[] {
  const rest = columns.slice(1)
  const natural = rest.map(({ title }, at) => Math.max(title.length, ...cells.map((row) => stringWidth(row[at + 1] ?? ''))))
  const widths = fitted(rest, natural, width - gap)
  if (!widths) return cells.flatMap((row) => titled(columns, row, width))
  const indented = (row: readonly string[]) => lineUp(rest, row, widths).map((line) => ' '.repeat(gap) + line)
  return [
    columns[0]?.title ?? '',
    ...indented(rest.map(({ title }) => title)),
    ...cells.flatMap(([first = '', ...others]) => [first, ...indented(others)]),
  ]
}

function titled(columns: readonly Column[], row: readonly string[], width: number): string[] {
  const [first = '', ...others] = row
  const lines = others.flatMap((cell, at) => {
    const text = [columns[at + 1]?.title, cell].filter(Boolean).join('  ')
    return cell === '' ? [] : wrapAnsi(text, Math.max(1, width - gap), { hard: true }).split('\n')
  })
  return [first, ...lines.map((line) => ' '.repeat(gap) + line)]
}
