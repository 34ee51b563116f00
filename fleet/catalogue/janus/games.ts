import { Canvas, type Colour } from './canvas.ts'

/** Where a die has its spots, on a field of three by three. */
const spots = [[], [4], [0, 8], [0, 4, 8], [0, 2, 6, 8], [0, 2, 4, 6, 8], [0, 2, 3, 5, 6, 8]] as const

/** Dice beside each other. */
export function dice(values: readonly number[]): Canvas {
  const canvas = new Canvas(24 + values.length * 140, 150, 'green')
  for (const [index, value] of values.entries()) {
    const x = 24 + index * 140
    canvas.rect(x, 18, 114, 114, 'white')
    for (const spot of spots[value]!) canvas.circle(x + 25 + (spot % 3) * 32, 43 + Math.floor(spot / 3) * 32, 10, 'black')
  }
  return canvas
}

/** Noughts and crosses: nine fields, row by row, of X, O and blanks. */
export function noughts(fields: string): Canvas {
  const canvas = new Canvas(280, 280)
  for (const at of [96, 180]) {
    canvas.rect(at, 14, 4, 252, 'black')
    canvas.rect(14, at, 252, 4, 'black')
  }
  for (const [index, field] of [...fields].entries()) {
    const [x, y] = [56 + (index % 3) * 84, 56 + Math.floor(index / 3) * 84]
    if (field === 'X') {
      canvas.line([x - 24, y - 24], [x + 24, y + 24], 'blue', 8)
      canvas.line([x + 24, y - 24], [x - 24, y + 24], 'blue', 8)
    }
    if (field === 'O') {
      canvas.circle(x, y, 28, 'red')
      canvas.circle(x, y, 20, 'white')
    }
  }
  return canvas
}

/** A pair of scales: the heavier side hangs lower. */
export function scales(left: { label: string; colour: Colour }, right: { label: string; colour: Colour }, lower: 'left' | 'right'): Canvas {
  const canvas = new Canvas(400, 280)
  const [leftY, rightY] = lower === 'left' ? [110, 60] : [60, 110]
  canvas.triangle([160, 260], [240, 260], [200, 85], 'grey')
  canvas.line([80, leftY], [320, rightY], 'black', 6)
  for (const [x, y, { label, colour }] of [
    [80, leftY, left],
    [320, rightY, right],
  ] as const) {
    canvas.line([x, y], [x - 44, y + 90], 'black', 2)
    canvas.line([x, y], [x + 44, y + 90], 'black', 2)
    canvas.rect(x - 50, y + 90, 100, 8, 'black')
    canvas.rect(x - 30, y + 46, 60, 44, colour)
    canvas.centred(x, y + 60, label, 'white')
  }
  return canvas
}

export const lamps = ['red', 'yellow', 'green'] as const

/** A traffic light with one lamp lit. */
export function trafficLight(lit: (typeof lamps)[number]): Canvas {
  const canvas = new Canvas(140, 320, 'pale')
  canvas.rect(30, 14, 80, 236, 'night')
  canvas.rect(62, 250, 16, 70, 'grey')
  for (const [index, lamp] of lamps.entries()) canvas.circle(70, 56 + index * 76, 30, lamp === lit ? lamp : 'grey')
  return canvas
}
