import { type CellStyle, type Colour, trueColour } from '#shared/terminal/cell-style.ts'

/** The terminal's own colours: it is dark in both themes, as programs expect it. */
export const ground = '#101418'
export const ink = '#d6dade'

const foregrounds = ['#8b949e', '#ff8f87', '#63d297', '#e3b341', '#79b8ff', '#d2a8ff', '#56d4dd', ink]
const brightForegrounds = ['#a3acb6', '#ffa198', '#7ee7a9', '#f2cc60', '#a5d6ff', '#e2c5ff', '#85ecf2', '#ffffff']
const backgrounds = ['#000000', '#8e2a24', '#1d6b43', '#7a5a00', '#1f4f8f', '#6b3fa0', '#11646b', '#c3c9ce']
const brightBackgrounds = ['#4a525a', '#b8443c', '#2b8a58', '#9a7400', '#2f6bbd', '#8a5cc4', '#1a828b', '#ffffff']

/** Levels of the cube of 6 × 6 × 6 colours that follow the first 16. */
const levels = [0, 95, 135, 175, 215, 255]
const hex = (value: number): string => value.toString(16).padStart(2, '0')

function indexed(colour: number): string {
  if (colour >= 232) return `#${hex(8 + (colour - 232) * 10).repeat(3)}`
  const at = colour - 16
  return `#${hex(levels[Math.floor(at / 36)]!)}${hex(levels[Math.floor(at / 6) % 6]!)}${hex(levels[at % 6]!)}`
}

function colourOf(colour: Colour, plain: readonly string[], bright: readonly string[], none: string): string {
  if (colour === null) return none
  if (colour >= trueColour) return `#${(colour - trueColour).toString(16).padStart(6, '0')}`
  if (colour < 8) return plain[colour]!
  return colour < 16 ? bright[colour - 8]! : indexed(colour)
}

/** The style of a stretch of cells as declarations; empty where it is plain. */
export function cssOf(style: CellStyle): string {
  const { foreground, background, bold, dim, italic, underline, struck, inverse, hidden } = style
  // Black on a colour is black; on the terminal's own ground it could not be read.
  const dark = foreground === 0 && (background !== null || inverse)
  const text = dark ? '#000000' : colourOf(foreground, foregrounds, brightForegrounds, ink)
  const behind = colourOf(background, backgrounds, brightBackgrounds, ground)
  const [front, back] = inverse ? [behind, text] : [text, behind]
  const lines = [...(underline ? ['underline'] : []), ...(struck ? ['line-through'] : [])]
  return [
    ...(hidden ? ['color:transparent'] : front === ink ? [] : [`color:${front}`]),
    ...(back === ground ? [] : [`background:${back}`]),
    ...(bold ? ['font-weight:700'] : []),
    ...(dim ? ['opacity:0.7'] : []),
    ...(italic ? ['font-style:italic'] : []),
    ...(lines.length > 0 ? [`text-decoration:${lines.join(' ')}`] : []),
  ].join(';')
}
