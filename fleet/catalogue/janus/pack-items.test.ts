import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { inflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { JanusItem, janusBenchmarks } from '#shared/janus/item-schema.ts'
import { pinItems } from '../pin-text.ts'
import { Canvas } from './canvas.ts'
import { encodePng } from './encode-png.ts'
import { itemJsonSchema, packItems } from './pack-items.ts'
import { fileOf, pictureFiles, pictureItems } from './picture-items.ts'

const read = (path: string) => readFileSync(new URL(`../../../shared/${path}`, import.meta.url), 'utf8')
const linesOf = (text: string) => text.split('\n').filter(Boolean)

test('[JANUS50] the JSON Schema beside the items is the one of their schema', () => {
  expect(JSON.parse(read('janus/item.schema.json'))).toEqual(JSON.parse(JSON.stringify(itemJsonSchema())))
})

test('[JANUS52] every picture is drawn to the same file again, and the items that show it are those that follow from what was drawn', () => {
  for (const benchmark of janusBenchmarks) {
    const text = read(`benchmarks/${benchmark}/items.jsonl`)
    expect(packItems(benchmark, text)).toBe(text)
    expect(read(`benchmarks/${benchmark}/packed-items.ts`)).toBe(pinItems(text))
  }
  const held = janusBenchmarks.flatMap((benchmark) =>
    linesOf(read(`benchmarks/${benchmark}/items.jsonl`)).map((line) => JanusItem.parse(JSON.parse(line))),
  )
  expect(held.filter((item) => 'pictures' in item)).toEqual(pictureItems)
})

test('[JANUS52] a picture that an item names is the one that it shows, byte for byte', () => {
  for (const item of pictureItems) {
    const named = 'pictures' in item ? item.pictures : []
    const shown = JSON.stringify(item).match(/data:image\/png;base64,[^"]+/g) ?? []
    const hashes = shown.map((uri) =>
      createHash('sha256')
        .update(Buffer.from(uri.split(',')[1]!, 'base64'))
        .digest('hex'),
    )
    expect([item.id, hashes]).toEqual([item.id, named.map(({ sha256 }) => sha256)])
  }
})

test('[JANUS52] pictures are small, at least 16 pixels high and wide, each another one', () => {
  const sizes = pictureFiles.map((picture) => fileOf(picture).bytes.length)
  expect(Math.max(...sizes)).toBeLessThan(40_000)
  expect(sizes.reduce((total, size) => total + size, 0)).toBeLessThan(1_500_000)
  expect(pictureFiles.every(({ canvas }) => canvas.width >= 16 && canvas.height >= 16)).toBe(true)
  for (const what of [(one: (typeof pictureFiles)[number]) => one.file, (one: (typeof pictureFiles)[number]) => fileOf(one).sha256])
    expect(new Set(pictureFiles.map(what)).size).toBe(pictureFiles.length)
})

test('[JANUS52] an item that shows a picture is made anew in its place, and a missing one is added', () => {
  const text = read('benchmarks/janus_multimodal/items.jsonl')
  const without = linesOf(text).filter((line) => !line.includes('"vision_003"'))
  const stale = without.map((line) => line.replace('"vision_002"', '"vision_099"'))
  const packed = linesOf(packItems('janus_multimodal', stale.join('\n')))
  expect(packed.slice().sort()).toEqual(linesOf(text).sort())
  expect(() => packItems('janus_multimodal', '{"id":"gen_001"}')).toThrow()
})

test('[JANUS52] a picture is a PNG whose rows are the dots that were drawn', () => {
  const canvas = new Canvas(17, 3)
  canvas.rect(2, 1, 4, 1, 'red')
  const bytes = Buffer.from(encodePng(canvas))
  const chunks: Record<string, Buffer> = {}
  for (let at = 8; at < bytes.length; at += 12 + bytes.readUInt32BE(at))
    chunks[bytes.toString('latin1', at + 4, at + 8)] = bytes.subarray(at + 8, at + 8 + bytes.readUInt32BE(at))
  expect([chunks.IHDR!.readUInt32BE(0), chunks.IHDR!.readUInt32BE(4)]).toEqual([17, 3])
  const rows = inflateSync(chunks.IDAT!)
  expect([...rows.subarray(18, 36)].map((index) => [...chunks.PLTE!.subarray(3 * index, 3 * index + 3)].join())).toEqual(
    Array.from({ length: 18 }, (_, at) => (at > 2 && at < 7 ? '214,32,32' : '255,255,255')),
  )
  expect(bytes.subarray(-4).toString('hex')).toBe('ae426082')
})
