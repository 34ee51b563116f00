import { Canvas, type Colour, heightOf, widthOf } from './canvas.ts'

export type ShapeKind = 'circle' | 'square' | 'triangle'
export type Shape = { kind: ShapeKind; colour: Colour }

/** One shape with its middle at x, y. */
export function drawShape(canvas: Canvas, { kind, colour }: Shape, x: number, y: number, radius: number): void {
  if (kind === 'circle') canvas.circle(x, y, radius, colour)
  if (kind === 'square') canvas.rect(x - radius, y - radius, 2 * radius, 2 * radius, colour)
  if (kind === 'triangle') canvas.triangle([x - radius, y + radius], [x + radius, y + radius], [x, y - radius], colour)
}

/** Shapes in rows of six, every second row set in, so that they are counted one by one. */
export function shapeScene(shapes: readonly Shape[]): Canvas {
  const canvas = new Canvas(480, 320)
  for (const [index, shape] of shapes.entries()) {
    const row = Math.floor(index / 6)
    drawShape(canvas, shape, 46 + (index % 6) * 74 + (row % 2) * 18, 54 + row * 72, 20 + ((index * 5) % 7))
  }
  return canvas
}

/** Lines of text as an editor shows them, with their numbers. */
export function codeScreen(lines: readonly string[]): Canvas {
  const canvas = new Canvas(480, 44 + lines.length * 24, 'night')
  for (const [index, colour] of (['red', 'yellow', 'green'] as const).entries()) canvas.circle(16 + index * 20, 16, 6, colour)
  for (const [index, line] of lines.entries()) {
    const y = 38 + index * 24
    canvas.text(10, y, String(index + 1).padStart(2), 'grey')
    canvas.text(46, y, line, line.trimStart().startsWith('#') ? 'grey' : 'white')
  }
  return canvas
}

/** A table with a head; columns are as wide as they are told. */
export function tableOf(title: string, widths: readonly number[], rows: readonly (readonly string[])[]): Canvas {
  const width = widths.reduce((total, one) => total + one, 0)
  const canvas = new Canvas(width + 24, 60 + rows.length * 30)
  canvas.centred(12 + Math.floor(width / 2), 12, title)
  canvas.rect(12, 40, width, 30, 'pale')
  for (const [row, cells] of rows.entries()) {
    let x = 12
    for (const [column, cell] of cells.entries()) {
      canvas.frame(x, 40 + row * 30, widths[column]! + 1, 31, 'grey', 1)
      canvas.text(x + 8, 48 + row * 30, cell)
      x += widths[column]!
    }
  }
  return canvas
}

/** Which of the segments a to g are lit for each digit. */
const segments = ['abcdef', 'bc', 'abged', 'abgcd', 'fgbc', 'afgcd', 'afgedc', 'abc', 'abcdefg', 'abcdfg'] as const

/** A clock of seven segments for a time such as 17:42. */
export function segmentClock(time: string): Canvas {
  const canvas = new Canvas(400, 160, 'night')
  const digits = [...time.replace(':', '')].map(Number)
  for (const [index, digit] of digits.entries()) drawDigit(canvas, 30 + index * 84 + (index > 1 ? 24 : 0), 24, segments[digit]!)
  canvas.rect(200, 54, 12, 12, 'red')
  canvas.rect(200, 94, 12, 12, 'red')
  return canvas
}

function drawDigit(canvas: Canvas, x: number, y: number, lit: string): void {
  const [width, height, thick] = [60, 112, 10]
  const half = height / 2
  const places = {
    a: [x + thick, y, width - 2 * thick, thick],
    b: [x + width - thick, y + thick, thick, half - thick - 4],
    c: [x + width - thick, y + half + 4, thick, half - thick - 4],
    d: [x + thick, y + height - thick, width - 2 * thick, thick],
    e: [x, y + half + 4, thick, half - thick - 4],
    f: [x, y + thick, thick, half - thick - 4],
    g: [x + thick, y + half - thick / 2, width - 2 * thick, thick],
  } as const
  for (const [name, place] of Object.entries(places)) if (lit.includes(name)) canvas.rect(...place, 'red')
}

export type Landmark = { at: string; label: string; colour: Colour }

/** Squares named by a letter across and a number down, some with a coloured place on them. */
export function gridMap(columns: number, rows: number, landmarks: readonly Landmark[]): Canvas {
  const [side, edge] = [96, 40]
  const canvas = new Canvas(edge + columns * side + 10, edge + rows * side + 10)
  for (let column = 0; column < columns; column++) canvas.centred(edge + column * side + side / 2, 12, 'ABCDEFGH'[column]!)
  for (let row = 0; row < rows; row++) canvas.text(14, edge + row * side + 40, String(row + 1))
  for (let column = 0; column <= columns; column++) canvas.rect(edge + column * side, edge, 1, rows * side, 'grey')
  for (let row = 0; row <= rows; row++) canvas.rect(edge, edge + row * side, columns * side, 1, 'grey')
  for (const { at, label, colour } of landmarks) {
    const [x, y] = [edge + 'ABCDEFGH'.indexOf(at[0]!) * side, edge + (Number(at[1]) - 1) * side]
    canvas.rect(x + 4, y + 4, side - 7, side - 7, colour)
    canvas.centred(x + side / 2, y + 40, label, 'white')
  }
  return canvas
}

/** Boxes below each other joined by arrows; a box may have another one beside it, reached by a word. */
export function flowChart(steps: readonly { text: string; aside?: { word: string; text: string } }[]): Canvas {
  const canvas = new Canvas(480, steps.length * 76 + 4)
  for (const [index, { text, aside }] of steps.entries()) {
    const y = 8 + index * 76
    box(canvas, 20, y, 190, text)
    if (index < steps.length - 1) {
      canvas.rect(114, y + 40, 3, 28, 'black')
      canvas.triangle([107, y + 66], [123, y + 66], [115, y + 76], 'black')
      if (aside) canvas.text(124, y + 48, 'yes')
    }
    if (aside === undefined) continue
    canvas.rect(210, y + 19, 62, 3, 'black')
    canvas.triangle([270, y + 12], [270, y + 28], [280, y + 20], 'black')
    canvas.text(226, y + 2, aside.word)
    box(canvas, 280, y, 190, aside.text)
  }
  return canvas
}

function box(canvas: Canvas, x: number, y: number, width: number, text: string): void {
  canvas.frame(x, y, width, 40, 'black')
  canvas.text(x + Math.floor((width - widthOf(text)) / 2), y + Math.floor((40 - heightOf()) / 2), text)
}

/** A thermometer from -10 to 40 degrees. */
export function thermometer(degrees: number): Canvas {
  const canvas = new Canvas(220, 340)
  const yAt = (value: number) => 270 - (value + 10) * 5
  canvas.frame(88, 10, 28, 278, 'black')
  for (let value = -10; value <= 40; value += 2) {
    canvas.rect(116, yAt(value), value % 10 === 0 ? 20 : 10, 2, 'black')
    if (value % 10 === 0) canvas.text(142, yAt(value) - 8, String(value))
  }
  canvas.circle(102, 300, 26, 'black')
  canvas.circle(102, 300, 23, 'red')
  canvas.rect(94, yAt(degrees), 16, 300 - yAt(degrees), 'red')
  canvas.text(12, 12, 'C')
  return canvas
}
