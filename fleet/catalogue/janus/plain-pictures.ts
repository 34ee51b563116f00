import { Canvas, type Colour } from './canvas.ts'
import { drawShape, type ShapeKind } from './scenes.ts'

/** A small picture of a few colours, what is asked of it, and the colour that is the answer. */
export type PlainPicture = { file: string; canvas: Canvas; prompt: string; answer: Colour }

const word = 'Answer with one common word for the colour.'

const one = (kind: ShapeKind, colour: Colour, ground: Colour): Omit<PlainPicture, 'file'> => {
  const canvas = new Canvas(64, 64, ground)
  drawShape(canvas, { kind, colour }, 32, 32, 22)
  return { canvas, prompt: `Which colour does the ${kind} in this picture have? ${word}`, answer: colour }
}

const beside = (left: Colour, right: Colour, asked: 'left' | 'right'): Omit<PlainPicture, 'file'> => {
  const canvas = new Canvas(96, 48)
  drawShape(canvas, { kind: 'square', colour: left }, 24, 24, 16)
  drawShape(canvas, { kind: 'square', colour: right }, 72, 24, 16)
  return { canvas, prompt: `Which colour does the square on the ${asked} have? ${word}`, answer: asked === 'left' ? left : right }
}

const flag = (stripes: readonly [Colour, Colour, Colour], asked: 'top' | 'middle' | 'bottom'): Omit<PlainPicture, 'file'> => {
  const canvas = new Canvas(96, 60)
  for (const [index, colour] of stripes.entries()) canvas.rect(0, index * 20, 96, 20, colour)
  const answer = stripes[(['top', 'middle', 'bottom'] as const).indexOf(asked)]!
  return { canvas, prompt: `This flag has three lying stripes. Which colour is the one ${placeOf(asked)}? ${word}`, answer }
}

const placeOf = (asked: 'top' | 'middle' | 'bottom') => (asked === 'middle' ? 'in the middle' : `at the ${asked}`)

const nested = (outer: Colour, inner: Colour, asked: 'square' | 'circle'): Omit<PlainPicture, 'file'> => {
  const canvas = new Canvas(72, 72)
  drawShape(canvas, { kind: 'square', colour: outer }, 36, 36, 30)
  drawShape(canvas, { kind: 'circle', colour: inner }, 36, 36, 18)
  return {
    canvas,
    prompt: `A circle lies on a square. Which colour does the ${asked} have? ${word}`,
    answer: asked === 'square' ? outer : inner,
  }
}

const single = (many: Colour, few: Colour, place: number): Omit<PlainPicture, 'file'> => {
  const canvas = new Canvas(96, 64)
  for (let index = 0; index < 6; index++) {
    const disc = { kind: 'circle', colour: index === place ? few : many } as const
    drawShape(canvas, disc, 18 + (index % 3) * 30, 18 + Math.floor(index / 3) * 28, 10)
  }
  return { canvas, prompt: `One of these six discs has another colour than the rest. Which colour is it? ${word}`, answer: few }
}

/** The pictures of the public items: 18 of the first suite, then 9 of the other. */
export const plainPictures: readonly PlainPicture[] = [
  one('circle', 'red', 'white'),
  beside('blue', 'yellow', 'left'),
  flag(['green', 'white', 'orange'], 'bottom'),
  nested('yellow', 'purple', 'circle'),
  single('blue', 'red', 4),
  one('triangle', 'green', 'white'),
  beside('red', 'black', 'right'),
  flag(['black', 'yellow', 'red'], 'middle'),
  nested('orange', 'blue', 'square'),
  single('yellow', 'green', 1),
  one('square', 'purple', 'white'),
  beside('brown', 'green', 'left'),
  flag(['white', 'blue', 'white'], 'middle'),
  nested('green', 'white', 'circle'),
  single('black', 'orange', 5),
  one('circle', 'white', 'blue'),
  beside('pink', 'blue', 'left'),
  one('triangle', 'yellow', 'black'),
  one('square', 'orange', 'white'),
  beside('green', 'purple', 'right'),
  flag(['red', 'yellow', 'green'], 'top'),
  nested('blue', 'yellow', 'circle'),
  single('red', 'blue', 0),
  one('circle', 'black', 'yellow'),
  beside('orange', 'brown', 'right'),
  flag(['blue', 'red', 'blue'], 'middle'),
  single('green', 'purple', 3),
].map((picture, index) => ({ file: `colours-${String(index + 1).padStart(2, '0')}.png`, ...picture }))
