import { createHash } from 'node:crypto'
import { JanusItem } from '#shared/janus/item-schema.ts'
import type { Canvas } from './canvas.ts'
import { encodePng } from './encode-png.ts'
import { mixedPictures, receipt, trains, understood } from './pictures.ts'
import { plainPictures } from './plain-pictures.ts'

type PictureFile = { file: string; canvas: Canvas }

const drawn = new Map<string, { bytes: Uint8Array; sha256: string; uri: string }>()

/** A picture as its file, the hash of that and the data URI that an item holds. */
export function fileOf({ file, canvas }: PictureFile): { bytes: Uint8Array; sha256: string; uri: string } {
  const known = drawn.get(file)
  if (known) return known
  const bytes = encodePng(canvas)
  const made = {
    bytes,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    uri: `data:image/png;base64,${Buffer.from(bytes).toString('base64')}`,
  }
  drawn.set(file, made)
  return made
}

/** All pictures that items show, each once. */
export const pictureFiles: readonly PictureFile[] = [...understood, ...Object.values(mixedPictures), ...plainPictures]

const named = (pictures: readonly PictureFile[]) => pictures.map((one) => ({ file: one.file, sha256: fileOf(one).sha256 }))
const numbered = (prefix: string, index: number) => `${prefix}_${String(index + 1).padStart(3, '0')}`
const shown = (pictures: readonly PictureFile[]) =>
  pictures.map((one) => ({ type: 'image_url' as const, image_url: { url: fileOf(one).uri } }))
const asked = (prompt: string, pictures: readonly PictureFile[]) => ({
  role: 'user' as const,
  content: [{ type: 'text' as const, text: prompt }, ...shown(pictures)],
})

/** The items of `janus_multimodal` that ask of one picture: two of each. */
const vision = understood
  .flatMap((picture) => picture.questions.map((question) => ({ picture, question })))
  .map(({ picture, question: { prompt, expected } }, index) => ({
    id: numbered('vision', index),
    benchmark: 'janus_multimodal',
    subtype: 'image_understanding',
    suite: 'janus/intelligence',
    prompt,
    image_url: fileOf(picture).uri,
    pictures: named([picture]),
    evaluation: { type: 'key_facts', expected_elements: expected, min_matches: 1 },
  }))

const { dice, noughts, scales, light, morning, evening } = mixedPictures
const bill = mixedPictures.receipt
const departures = understood.find((one) => one.file === 'table-departures.png')!
const [thrown, standing, paid, now] = [dice.thrown.reduce((total, one) => total + one), 14, 20, '08:40']
const change = paid - receipt.reduce((total, [, price]) => total + price, 0)
const shopping = ['bread', 'cheese', 'milk', 'olives']
const busierEvening = evening.bars.find(([day, cups]) => cups > morning.bars.find(([one]) => one === day)![1])![0]
const cupsOn = (day: string) => [morning, evening].reduce((total, { bars }) => total + bars.find(([one]) => one === day)![1], 0)

type Mixed = { prompt: string; pictures: readonly PictureFile[]; expected: string[] }
const mixedQuestions: Mixed[] = [
  {
    prompt: `In our game a player moves by the sum of both dice. I stand on field ${standing} and have thrown this. On which field do I land? Answer with the number.`,
    pictures: [dice],
    expected: [String(standing + thrown)],
  },
  {
    prompt: 'Which of the two marks stands three times in a row? Answer with the English name of its shape, not with a letter.',
    pictures: [noughts],
    expected: ['cross', 'crosses'],
  },
  {
    prompt: 'How many of the nine fields are still empty?',
    pictures: [noughts],
    expected: [String([...noughts.board].filter((field) => field === ' ').length), 'three'],
  },
  {
    prompt: 'The blocks A and B lie on a pair of scales. Which is heavier? Begin your answer with "Block" and its letter.',
    pictures: [scales],
    expected: [`Block ${scales.heavier}`],
  },
  {
    prompt: `I drive towards this light. Name the colour of the lamp that is lit, in one word.`,
    pictures: [light],
    expected: [light.lit],
  },
  {
    prompt: `This is what I bought. I pay with a note of ${paid}. How much change do I get? Answer with the amount only.`,
    pictures: [bill],
    expected: [change.toFixed(2), String(Number(change.toFixed(2)))],
  },
  {
    prompt: `My shopping list was: ${shopping.join(', ')}. Which thing on this receipt was not on my list? Answer with one word.`,
    pictures: [bill],
    expected: receipt.map(([label]) => label.toLowerCase()).filter((label) => !shopping.includes(label)),
  },
  {
    prompt:
      'A café counted its cups in the morning and in the evening. On which day were more sold in the evening? Answer with the day only.',
    pictures: [morning, evening],
    expected: [`${busierEvening}nesday`, busierEvening],
  },
  {
    prompt:
      'A café counted its cups in the morning and in the evening. How many were sold on Tuesday in both together? Answer with the number only.',
    pictures: [morning, evening],
    expected: [String(cupsOn('Tue'))],
  },
  {
    prompt: `My watch shows ${now} and I take the next train that leaves after that, wherever it goes. Begin your answer with "Platform" and its number.`,
    pictures: [departures],
    expected: [`Platform ${trains.find((one) => one.leaves > now)!.platform}`],
  },
]

const mixed = mixedQuestions.map(({ prompt, pictures, expected }, index) => ({
  id: numbered('mixed', index),
  benchmark: 'janus_multimodal',
  subtype: 'mixed_media',
  suite: 'janus/intelligence',
  prompt,
  messages: [asked(prompt, pictures)],
  pictures: named(pictures),
  evaluation: { type: 'contains_any', expected },
}))

const trainItems = 18
const plain = plainPictures.map((picture, index) => {
  const suite = index < trainItems ? 'train' : 'dev'
  return {
    id: numbered(`multimodal_${suite}`, suite === 'train' ? index : index - trainItems),
    benchmark: 'janus_public',
    subtype: 'multimodal',
    suite: `public/${suite}`,
    input: { messages: [asked(picture.prompt, [picture])] },
    pictures: named([picture]),
    expected: { type: 'text', contains: [picture.answer] },
  }
})

/** Every item that shows a picture, with the answer that follows from what was drawn. */
export const pictureItems: readonly JanusItem[] = [...vision, ...mixed, ...plain].map((item) => JanusItem.parse(item))
