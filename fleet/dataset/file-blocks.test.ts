import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openBlocks } from './file-blocks.ts'

const sizes = [
  ['held whole', 70],
  ['too large for that', 300],
] as const

test.each(sizes)(
  '[DATA33] a part of a file %s is the same wherever its blocks begin, read in any order and again after they were let go',
  async (_, count) => {
    const dir = mkdtempSync(join(tmpdir(), 'blocks-'))
    onTestFinished(() => rmSync(dir, { recursive: true }))
    const path = join(dir, 'rows')
    const block = 128 * 1024
    const bytes = Buffer.alloc(count * block + 17, 0)
    for (let at = 0; at < bytes.length; at += 4) bytes.writeUInt32LE(at, Math.min(at, bytes.length - 4))
    writeFileSync(path, bytes)
    const blocks = await openBlocks(path)
    onTestFinished(() => blocks.close())
    const parts = [
      [0, 10],
      [block - 5, block + 5], // of two blocks
      [block, 2 * block],
      [3 * block - 1, 6 * block + 1], // of more
      [count * block, bytes.length],
      [bytes.length, bytes.length],
    ] as const
    for (const round of [1, 2]) {
      for (const [start, end] of parts)
        expect([round, start, (await blocks.read(start, end)).equals(bytes.subarray(start, end))]).toEqual([round, start, true])
      for (let number = 0; number < count; number++) await blocks.read(number * block, number * block + 1) // more than are held
    }
    for (let number = count - 1; number >= 0; number -= 7)
      expect((await blocks.read(number * block, number * block + 4)).readUInt32LE()).toBe(number * block) // jumps
    const [one, other] = await Promise.all([blocks.read(20 * block, 20 * block + 8), blocks.read(20 * block + 8, 20 * block + 16)])
    expect(Buffer.concat([one, other]).equals(bytes.subarray(20 * block, 20 * block + 16))).toBe(true)
    expect(() => blocks.read(bytes.length - 1, bytes.length + 1)).toThrow(RangeError)
  },
)

test('[DATA37] who jumps in a large file is answered at once until the disk is slow twice in a row, then by threads for a while', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'blocks-'))
  onTestFinished(() => rmSync(dir, { recursive: true }))
  const path = join(dir, 'rows')
  writeFileSync(path, '')
  truncateSync(path, 40 * 1024 * 1024)
  let [time, takes] = [0, 1]
  const blocks = await openBlocks(path, () => (time += takes))
  onTestFinished(() => blocks.close())
  let jump = 0
  const next = async (length = 16) => {
    const at = (++jump % 2) * 20 * 1024 * 1024
    const read = blocks.read(at, at + length)
    const atOnce = Buffer.isBuffer(read)
    expect((await read).equals(Buffer.alloc(length))).toBe(true)
    return atOnce
  }
  expect(await next()).toBe(true)
  expect(await next(100_000)).toBe(false)
  for (const slow of [true, false, true, true]) {
    takes = slow ? 3 : 1
    expect(await next()).toBe(true) // the slow ones themselves, one alone among them
  }
  takes = 1
  const answers = []
  for (let n = 0; n < 1002; n++) answers.push(await next())
  expect(answers.indexOf(true)).toBe(1000)
  expect(answers.slice(1000)).toEqual([true, true])
})
