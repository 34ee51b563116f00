import { glyphHeight, glyphOf, glyphWidth } from './glyphs.ts'

/** The colours of all pictures, by the words that questions use for them. */
export const colours = {
  white: [255, 255, 255],
  black: [16, 16, 16],
  grey: [128, 128, 128],
  pale: [222, 226, 230],
  red: [214, 32, 32],
  green: [24, 150, 60],
  blue: [28, 84, 220],
  yellow: [250, 214, 20],
  orange: [245, 130, 16],
  purple: [128, 48, 170],
  brown: [118, 72, 30],
  pink: [250, 140, 184],
  night: [24, 28, 44],
} as const
export type Colour = keyof typeof colours
export const colourNames = Object.keys(colours) as Colour[] // the keys of the table above

export type Point = readonly [x: number, y: number]

/** A picture of indexed colours. Everything is drawn in whole numbers, so that every machine draws the same. */
export class Canvas {
  readonly pixels: Uint8Array
  readonly width: number
  readonly height: number

  constructor(width: number, height: number, ground: Colour = 'white') {
    this.width = width
    this.height = height
    this.pixels = new Uint8Array(width * height).fill(colourNames.indexOf(ground))
  }

  dot(x: number, y: number, colour: Colour): void {
    if (x >= 0 && y >= 0 && x < this.width && y < this.height) this.pixels[y * this.width + x] = colourNames.indexOf(colour)
  }

  rect(x: number, y: number, width: number, height: number, colour: Colour): void {
    for (let row = y; row < y + height; row++) for (let column = x; column < x + width; column++) this.dot(column, row, colour)
  }

  /** The edge of a box, `thick` pixels inward. */
  frame(x: number, y: number, width: number, height: number, colour: Colour, thick = 2): void {
    this.rect(x, y, width, thick, colour)
    this.rect(x, y + height - thick, width, thick, colour)
    this.rect(x, y, thick, height, colour)
    this.rect(x + width - thick, y, thick, height, colour)
  }

  circle(x: number, y: number, radius: number, colour: Colour): void {
    for (let row = -radius; row <= radius; row++)
      for (let column = -radius; column <= radius; column++)
        if (row * row + column * column <= radius * radius) this.dot(x + column, y + row, colour)
  }

  triangle(a: Point, b: Point, c: Point, colour: Colour): void {
    const side = ([ax, ay]: Point, [bx, by]: Point, x: number, y: number) => (bx - ax) * (y - ay) - (by - ay) * (x - ax)
    const [left, right] = [Math.min(a[0], b[0], c[0]), Math.max(a[0], b[0], c[0])]
    for (let y = Math.min(a[1], b[1], c[1]); y <= Math.max(a[1], b[1], c[1]); y++)
      for (let x = left; x <= right; x++) {
        const sides = [side(a, b, x, y), side(b, c, x, y), side(c, a, x, y)]
        if (sides.every((one) => one >= 0) || sides.every((one) => one <= 0)) this.dot(x, y, colour)
      }
  }

  /** A line of `thick` pixels, by Bresenham's steps. */
  line([fromX, fromY]: Point, [toX, toY]: Point, colour: Colour, thick = 2): void {
    const [dx, dy] = [Math.abs(toX - fromX), -Math.abs(toY - fromY)]
    const [stepX, stepY] = [fromX < toX ? 1 : -1, fromY < toY ? 1 : -1]
    let [x, y, error] = [fromX, fromY, dx + dy]
    const half = Math.floor(thick / 2)
    for (;;) {
      this.rect(x - half, y - half, thick, thick, colour)
      if (x === toX && y === toY) return
      const twice = 2 * error
      if (twice >= dy) [error, x] = [error + dy, x + stepX]
      if (twice <= dx) [error, y] = [error + dx, y + stepY]
    }
  }

  /** Text whose top left corner is at x, y; each dot of a glyph is `scale` pixels wide. */
  text(x: number, y: number, text: string, colour: Colour = 'black', scale = 2): void {
    for (const [place, character] of [...text].entries()) {
      const rows = glyphOf(character)
      const left = x + place * (glyphWidth + 1) * scale
      for (const [row, bits] of rows.entries())
        for (let column = 0; column < glyphWidth; column++)
          if ((bits >> (glyphWidth - 1 - column)) & 1) this.rect(left + column * scale, y + row * scale, scale, scale, colour)
    }
  }

  /** Text whose middle is at x. */
  centred(x: number, y: number, text: string, colour: Colour = 'black', scale = 2): void {
    this.text(x - Math.floor(widthOf(text, scale) / 2), y, text, colour, scale)
  }
}

/** How wide a text is, in pixels. */
export const widthOf = (text: string, scale = 2): number => ([...text].length * (glyphWidth + 1) - 1) * scale

/** How high a line of text is, in pixels. */
export const heightOf = (scale = 2): number => glyphHeight * scale
