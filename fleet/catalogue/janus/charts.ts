import { Canvas, type Colour, heightOf } from './canvas.ts'

/** A named value of a chart. */
export type Bar = readonly [label: string, value: number]

const [left, bottom, top] = [60, 270, 60]

/** Upright bars with their values above them. */
export function barChart(title: string, bars: readonly Bar[], most: number, colour: Colour): Canvas {
  const canvas = axes(title, most)
  const step = Math.floor(400 / bars.length)
  for (const [index, [label, value]] of bars.entries()) {
    const height = heightAt(value, most)
    const x = left + 12 + index * step
    canvas.rect(x, bottom - height, step - 20, height, colour)
    canvas.centred(x + Math.floor((step - 20) / 2), bottom - height - heightOf() - 2, String(value))
    canvas.centred(x + Math.floor((step - 20) / 2), bottom + 10, label)
  }
  return canvas
}

/** A line through points, each with its value above it. */
export function lineChart(title: string, points: readonly Bar[], most: number, colour: Colour): Canvas {
  const canvas = axes(title, most)
  const step = Math.floor(400 / points.length)
  const placed = points.map(([, value], index) => [left + 30 + index * step, bottom - heightAt(value, most)] as const)
  for (const [index, point] of placed.entries()) {
    if (index > 0) canvas.line(placed[index - 1]!, point, colour, 4)
    canvas.circle(...point, 6, colour)
    canvas.centred(point[0], point[1] - 26, String(points[index]![1]))
    canvas.centred(point[0], bottom + 10, points[index]![0])
  }
  return canvas
}

/** Lying bars without values: they are read at the scale below. */
export function lyingBars(title: string, bars: readonly Bar[], most: number, every: number, colour: Colour): Canvas {
  const canvas = new Canvas(480, 320)
  canvas.centred(240, 14, title)
  const [start, length] = [130, 300]
  const xAt = (value: number) => start + Math.floor((value * length) / most)
  for (let value = 0; value <= most; value += every) {
    canvas.rect(xAt(value), 46, 1, 224, 'grey')
    canvas.centred(xAt(value), 280, String(value))
  }
  const step = Math.floor(220 / bars.length)
  for (const [index, [label, value]] of bars.entries()) {
    const y = 54 + index * step
    canvas.text(8, y + Math.floor((step - 12 - heightOf()) / 2), label)
    canvas.rect(start, y, xAt(value) - start, step - 12, colour)
  }
  canvas.rect(start, 46, 2, 224, 'black')
  return canvas
}

const heightAt = (value: number, most: number): number => Math.floor((value * (bottom - top - 20)) / most)

function axes(title: string, most: number): Canvas {
  const canvas = new Canvas(480, 320)
  canvas.centred(240, 14, title)
  for (const value of [0, most / 2, most]) {
    canvas.rect(left, bottom - heightAt(value, most), 410, 1, 'pale')
    canvas.text(8, bottom - heightAt(value, most) - 8, String(value))
  }
  canvas.rect(left, top, 2, bottom - top, 'black')
  canvas.rect(left, bottom, 410, 2, 'black')
  return canvas
}
