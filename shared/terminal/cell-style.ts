/** A colour of a cell: one of 256 by its number, or `trueColour` plus 24 bits of red, green and blue; null is the terminal's own. */
export type Colour = number | null

/** Added to the 24 bits of a colour that is none of the 256. */
export const trueColour = 0x1000000

/** How a cell is shown. Cells share these, so they are never changed. */
export type CellStyle = {
  readonly foreground: Colour
  readonly background: Colour
  readonly bold: boolean
  readonly dim: boolean
  readonly italic: boolean
  readonly underline: boolean
  readonly inverse: boolean
  readonly hidden: boolean
  readonly struck: boolean
}

export const plainStyle: CellStyle = {
  foreground: null,
  background: null,
  bold: false,
  dim: false,
  italic: false,
  underline: false,
  inverse: false,
  hidden: false,
  struck: false,
}

/** What a cell that was erased looks like: the background stays. */
export const erasedStyle = ({ background }: CellStyle): CellStyle => (background === null ? plainStyle : { ...plainStyle, background })

const changes: Readonly<Record<number, Partial<CellStyle>>> = {
  1: { bold: true },
  2: { dim: true },
  3: { italic: true },
  4: { underline: true },
  7: { inverse: true },
  8: { hidden: true },
  9: { struck: true },
  21: { underline: true },
  22: { bold: false, dim: false },
  23: { italic: false },
  24: { underline: false },
  27: { inverse: false },
  28: { hidden: false },
  29: { struck: false },
  39: { foreground: null },
  49: { background: null },
}

/** The style after a command `m` with these parameters, as they stand between semicolons; colons part what belongs to one. */
export function styled(before: CellStyle, params: readonly string[]): CellStyle {
  let style = before
  for (let at = 0; at < params.length; at++) {
    const param = params[at]!
    if (param.includes(':')) {
      style = withParts(style, param.split(':'))
      continue
    }
    const code = Number(param)
    if (code === 38 || code === 48 || code === 58) {
      const kind = params[at + 1]
      const used = kind === '5' ? 2 : kind === '2' ? 4 : 1
      style = coloured(style, code, kind === '5' ? indexed(params[at + 2]) : kind === '2' ? mixed(params.slice(at + 2, at + 5)) : undefined)
      at += used
    } else style = withCode(style, code)
  }
  return style
}

function withCode(style: CellStyle, code: number): CellStyle {
  if (code === 0) return plainStyle
  const change = changes[code]
  if (change) return { ...style, ...change }
  if (code >= 30 && code <= 37) return { ...style, foreground: code - 30 }
  if (code >= 40 && code <= 47) return { ...style, background: code - 40 }
  if (code >= 90 && code <= 97) return { ...style, foreground: code - 82 }
  if (code >= 100 && code <= 107) return { ...style, background: code - 92 }
  return style
}

/** `4:3` is a kind of underline; `38:5:n`, `38:2:r:g:b` and `38:2:space:r:g:b` are colours. */
function withParts(style: CellStyle, parts: readonly string[]): CellStyle {
  const code = Number(parts[0])
  if (code === 4) return { ...style, underline: parts[1] !== '0' }
  if (code !== 38 && code !== 48) return style
  if (parts[1] === '5') return coloured(style, code, indexed(parts[2]))
  return parts[1] === '2' ? coloured(style, code, mixed(parts.slice(parts.length > 5 ? 3 : 2))) : style
}

function coloured(style: CellStyle, code: number, colour: number | undefined): CellStyle {
  if (colour === undefined) return style
  if (code === 38) return { ...style, foreground: colour }
  return code === 48 ? { ...style, background: colour } : style
}

function indexed(text: string | undefined): number | undefined {
  const number = Number(text || Number.NaN)
  return number >= 0 && number <= 255 ? number : undefined
}

function mixed(texts: readonly string[]): number | undefined {
  const [red, green, blue] = texts.map(indexed)
  if (red === undefined || green === undefined || blue === undefined) return undefined
  return trueColour + (red << 16) + (green << 8) + blue
}
