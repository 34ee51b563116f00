import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { memoryDeps } from '../testing/memory-deps.ts'
import { holdBody } from './hold-body.ts'

const partBytes = 8 * 2 ** 20
const bytesOf = (size: number) => new Uint8Array(size).map((_, at) => (at * 31) % 251)

async function* pieces(bytes: Uint8Array, step: number) {
  for (let at = 0; at < bytes.length; at += step) yield bytes.subarray(at, at + step)
}

test('[TASK1] a small body stays in memory; of a large one no more than a part does, and it is read at any place', async () => {
  const { deps, bucket } = memoryDeps()
  const needs = { ...deps, artifacts: deps.artifacts! }
  const small = (await holdBody(pieces(bytesOf(1000), 7), 2000, needs))!
  expect([small.size, bucket.objects.size, await small.read(3, 10)]).toEqual([1000, 0, bytesOf(1000).subarray(3, 10)])

  const bytes = bytesOf(2 * partBytes + 5000)
  const held = (await holdBody(pieces(bytes, 1_000_003), bytes.length, needs))!
  expect(held).toMatchObject({ size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') })
  expect([...bucket.objects.values()].map((one) => one.bytes.length)).toEqual([partBytes, partBytes])
  for (const [from, to] of [
    [0, 10],
    [partBytes - 5, partBytes + 5],
    [partBytes, 2 * partBytes + 5000],
    [2 * partBytes - 1, 2 * partBytes],
    [2 * partBytes + 4990, 2 * partBytes + 5000],
  ] as const)
    expect(Buffer.from(await held.read(from, to)).equals(bytes.subarray(from, to)), `${from}`).toBe(true)
  expect(Buffer.from(await new Response(held.stream()).arrayBuffer()).equals(bytes)).toBe(true)
  await held.drop()
  expect(bucket.objects.size).toBe(0)
})

test('[TASK2] a body that is too large, or that breaks off, leaves nothing', async () => {
  const { deps, bucket } = memoryDeps()
  const needs = { ...deps, artifacts: deps.artifacts! }
  const bytes = bytesOf(partBytes + 10)
  expect(await holdBody(pieces(bytes, 2 ** 20), partBytes + 9, needs)).toBeUndefined()
  async function* broken() {
    yield* pieces(bytes, 2 ** 20)
    throw new TypeError('gone')
  }
  await expect(holdBody(broken(), 2 ** 30, needs)).rejects.toThrow('gone')
  expect(bucket.objects.size).toBe(0)
})

test('[TASK430] a body is taken in, read and sent on in slices: between two turns of others no more than 1 MiB is worked on', async () => {
  const { deps } = memoryDeps()
  const bytes = new Uint8Array(2 * partBytes + 5000)
  let [worked, most] = [0, 0]
  let watching = true
  const turn = (): void => {
    worked = 0
    if (watching) setTimeout(turn)
  }
  turn()
  const count = (length: number): void => {
    worked += length
    most = Math.max(most, worked)
  }
  async function* sent() {
    for await (const piece of pieces(bytes, 65_536)) {
      count(piece.length)
      yield piece
    }
  }
  const held = (await holdBody(sent(), bytes.length, { ...deps, artifacts: deps.artifacts! }))!
  for await (const piece of held.stream() as unknown as AsyncIterable<Uint8Array>) count(piece.length)
  watching = false
  expect(most).toBeLessThanOrEqual(2 ** 20)
})
