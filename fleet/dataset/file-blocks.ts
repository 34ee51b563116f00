import { readSync } from 'node:fs'
import { open } from 'node:fs/promises'

export type File = Awaited<ReturnType<typeof open>>

/** What is read at once. A file of up to `mostWhole` bytes is soon held whole; of a larger one the blocks that were read last. */
const blockBytes = 128 * 1024
const mostWhole = 32 * 1024 * 1024
const mostBlocks = 8

/** What is read without a thread while the disk answers quickly, as it does from the system's memory: a thread costs five times as much as the read. */
const quickBytes = 64 * 1024
/**
 * Milliseconds that show a disk that is waited for where two reads in a row take longer (one alone may have lost its turn to another process), and how
 * many reads are then left to threads before it is tried again.
 */
const slowMs = 2
const slowReads = 1000

/** A file that is read in parts, in any order. */
export type FileBlocks = {
  /**
   * The bytes from `start` up to `end`, not to be written to, and good until the next read; at once where they are held already, for rows are read by
   * the thousand. Throws `RangeError` for what lies behind the end of the file.
   */
  read(start: number, end: number): Buffer | Promise<Buffer>
  close(): Promise<void>
}

/**
 * Opens a file of which blocks are held. Trials take their rows in any order, a survey takes one after the other: of a file too large to be held only
 * who reads on gets blocks, and who jumps gets what he asked for and no more, at once while the disk is quick. `now` in milliseconds.
 */
export async function openBlocks(path: string, now: () => number = () => performance.now()): Promise<FileBlocks> {
  const file = await open(path)
  const { size } = await file.stat()
  const whole = size <= mostWhole
  const held = new Map<number, Buffer>()
  const coming = new Map<number, Promise<Buffer>>()
  const load = async (number: number): Promise<Buffer> => {
    const start = number * blockBytes
    const bytes = Buffer.allocUnsafeSlow(Math.min(size - start, blockBytes))
    try {
      await readFully(file, bytes, start)
    } finally {
      coming.delete(number)
    }
    held.set(number, bytes)
    if (!whole && held.size > mostBlocks) held.delete(held.keys().next().value!) // the one that was read first
    return bytes
  }
  const block = (number: number): Buffer | Promise<Buffer> => {
    const here = held.get(number) ?? coming.get(number)
    if (here) return here
    const loading = load(number)
    coming.set(number, loading)
    return loading
  }
  const partOf = (bytes: Buffer, number: number, start: number, end: number): Buffer =>
    bytes.subarray(Math.max(0, start - number * blockBytes), end - number * blockBytes)
  const across = async (first: number, last: number, start: number, end: number): Promise<Buffer> => {
    const [head, tail] = await Promise.all([block(first), block(last)])
    return Buffer.concat([partOf(head, first, start, end), partOf(tail, last, start, end)])
  }
  let [onThreads, wasSlow] = [0, false]
  const scratch = Buffer.allocUnsafeSlow(whole ? 0 : quickBytes)
  const alone = (start: number, end: number): Buffer | Promise<Buffer> => {
    if (end - start > quickBytes || onThreads-- > 0) {
      const bytes = Buffer.allocUnsafe(end - start)
      return readFully(file, bytes, start).then(() => bytes)
    }
    const began = now()
    if (readSync(file.fd, scratch, 0, end - start, start) < end - start) throw endsBefore(end)
    const isSlow = now() - began > slowMs
    onThreads = isSlow && wasSlow ? slowReads : 0
    wasSlow = isSlow
    return scratch.subarray(0, end - start)
  }
  let at = 0
  /** Whether the block is at hand, or the next of a reader who reads on. */
  const near = (number: number): boolean => {
    const before = at
    at = number
    return whole || held.has(number) || number === before || number === before + 1
  }
  return {
    read(start, end) {
      if (end > size) throw new RangeError(`${path} ends before byte ${end}`)
      const [first, last] = [Math.floor(start / blockBytes), Math.floor(Math.max(start, end - 1) / blockBytes)]
      if (last - first > 1 || !near(first)) return alone(start, end)
      if (first !== last) return across(first, last, start, end)
      const bytes = block(first)
      return Buffer.isBuffer(bytes) ? partOf(bytes, first, start, end) : bytes.then((come) => partOf(come, first, start, end))
    },
    close: () => file.close(),
  }
}

/** Fills `into` from byte `from` of the file on. Throws `RangeError` where the file ends before. */
export async function readFully(file: File, into: Buffer, from: number): Promise<void> {
  let have = 0
  while (have < into.length) {
    const { bytesRead } = await file.read(into, have, into.length - have, from + have)
    if (bytesRead === 0) throw endsBefore(from + into.length)
    have += bytesRead
  }
}

const endsBefore = (byte: number): RangeError => new RangeError(`the file ends before byte ${byte}`)
