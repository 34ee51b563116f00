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

export type Column = { title: string; right?: boolean }

/** Rows under titles, columns two spaces apart; numbers go right. Cells are cleaned. */
export function table(columns: readonly Column[], rows: readonly (readonly string[])[]): string[] {
  const cells = [columns.map((column) => column.title), ...rows.map((row) => row.map((cell) => cleanLine(cell)))]
  const widths = columns.map((_, at) => Math.max(...cells.map((row) => [...(row[at] ?? '')].length)))
  const pad = (text: string, at: number) => {
    const space = ' '.repeat((widths[at] ?? 0) - [...text].length)
    return columns[at]?.right ? space + text : text + space
  }
  return cells.map((row) => row.map(pad).join('  ').trimEnd())
}
