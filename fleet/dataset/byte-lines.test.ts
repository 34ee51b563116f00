import { expect, test } from 'vitest'
import { byteLines, LineTooLong } from './byte-lines.ts'

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8')

async function* pieces(all: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(all)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

test('[DATA30] lines and their places are the same however a file comes in pieces', async () => {
  const all = 'first\n\r\n\nzwölf\nlast'
  const bytes = Buffer.from(all)
  for (let size = 1; size <= bytes.length; size++) {
    const found: string[] = []
    for await (const { bytes: line, start, end } of byteLines(pieces(all, size), 100)) {
      expect(text(bytes.subarray(start, end))).toBe(text(line))
      found.push(text(line))
    }
    expect(found).toEqual(['first', '\r', '', 'zwölf', 'last'])
  }
})

test('[DATA31] a line without an end is given up when it is too long, before more of it is held', async () => {
  let taken = 0
  async function* endless(): AsyncGenerator<Uint8Array> {
    for (;;) {
      taken++
      yield Buffer.alloc(100, 'x')
    }
  }
  const lines = byteLines(endless(), 250)
  await expect(lines.next()).rejects.toBeInstanceOf(LineTooLong)
  expect(taken).toBe(3)
})
