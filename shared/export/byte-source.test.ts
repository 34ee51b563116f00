import { expect, test } from 'vitest'
import { blobSource, counted, gather, piecesOf } from './byte-source.ts'
import { linesOf, parseLine, textOf } from './lines.ts'
import { BadArchive } from './read-zip.ts'
import { sampleBundle, sampleRun, trusting, vectorKey } from './testing/sample-run.ts'
import { verifyBundle } from './verify.ts'

const bytes = Uint8Array.from({ length: 700_000 }, (_, index) => (index * 7 + (index >> 8)) % 251)
const blob = new Blob([bytes])
/** As browsers have them whose Blobs are no streams of bytes. */
const older = {
  size: blob.size,
  slice: (from: number, to: number) => ({
    arrayBuffer: () => blob.slice(from, to).arrayBuffer(),
    stream(): never {
      throw new TypeError('no stream of bytes')
    },
  }),
}

async function countOf(lines: AsyncIterable<unknown>): Promise<number> {
  let count = 0
  for await (const _ of lines) count++
  return count
}

test('[EXP123] a Blob is read piece by piece into one buffer, and its pieces are its bytes', async () => {
  const source = blobSource(blob)
  const buffers: ArrayBuffer[] = []
  let told = 0
  const pieces = piecesOf(
    counted(source, (read) => {
      told = read
    }),
    1000,
    699_000,
  )
  let at = 1000
  for await (const piece of pieces) {
    expect(piece).toEqual(bytes.subarray(at, at + piece.length))
    at += piece.length
    expect(told).toBe(at - 1000)
    buffers.push(piece.buffer)
  }
  expect(at).toBe(699_000)
  // A buffer that was handed on is gone: there is one at a time.
  expect(buffers.length).toBeGreaterThan(2)
  expect(buffers.slice(0, -1).map((buffer) => buffer.byteLength)).toEqual(buffers.slice(1).map(() => 0))
})

test('[EXP123] where a Blob is no stream of bytes, it is read at its places', async () => {
  const [ours, theirs] = [blobSource(blob), blobSource(older)]
  expect(theirs.reuse?.(0, 10)).toBeUndefined()
  expect(await gather(piecesOf(theirs, 5, 600_000), 599_995)).toEqual(await gather(piecesOf(ours, 5, 600_000), 599_995))
})

test('[EXP123] a bundle verifies as a Blob as it does in memory', async () => {
  const bundle = await sampleBundle(sampleRun(60))
  const options = trusting(vectorKey)
  expect(await verifyBundle(blobSource(new Blob([bundle.slice()])), options)).toEqual(await verifyBundle(bundle, options))
  const changed = bundle.slice()
  changed[200]! ^= 1
  expect(await verifyBundle(blobSource(new Blob([changed])), options)).toEqual(await verifyBundle(changed, options))
})

test('[EXP123] lines come out whole however they come apart, from pieces that are used again', async () => {
  const text = ['', 'one', 'x'.repeat(200_000), 'three', '', 'y'.repeat(70_000)].map((line) => `${line}\n`).join('')
  const encoded = new TextEncoder().encode(text)
  async function* reused(step: number) {
    const room = new Uint8Array(step)
    for (let at = 0; at < encoded.length; at += step) {
      const part = encoded.subarray(at, at + step)
      room.fill(0).set(part)
      yield room.subarray(0, part.length)
    }
  }
  for (const step of [1, 7, 4096, 65_536, encoded.length]) {
    let read = ''
    for await (const line of linesOf(reused(step), 200_000)) read += `${new TextDecoder().decode(line)}\n`
    expect(read === text).toBe(true)
    await expect(countOf(linesOf(reused(step), 199_999))).rejects.toThrow(BadArchive)
  }
})

test('[EXP17] a mark at the beginning of a line is no part of the one form that an item has', () => {
  const item = new TextEncoder().encode('{"record":{}}')
  expect(textOf(Uint8Array.of(0xef, 0xbb, 0xbf, ...item))).toBe(`\ufeff${textOf(item)}`)
  expect(parseLine(textOf(Uint8Array.of(0xef, 0xbb, 0xbf, ...item)))).toBe('it is not JSON')
})
