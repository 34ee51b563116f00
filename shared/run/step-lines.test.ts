import { expect, test } from 'vitest'
import type { Step } from '../contract/transcript.ts'
import { openStepLines } from './step-lines.ts'

const note = (at_ms: number, text: string): Step => ({ type: 'note', at_ms, text })
const steps = Array.from({ length: 500 }, (_, at) => note(at, `Schritt ${at} – äöü 🙂`))
const fileOf = (all: readonly unknown[]) => new TextEncoder().encode(`${all.map((one) => JSON.stringify(one)).join('\n')}\n`)

/** A reader over a file, and how much of it was read. */
function open(file: Uint8Array, stretch?: number) {
  const read = { bytes: 0, fails: 0 }
  const from = async (first: number, last: number) => {
    if (read.fails-- > 0) throw new Error('away')
    read.bytes += last - first
    return file.subarray(first, last)
  }
  return { read, lines: openStepLines(from, file.length, stretch) }
}

test.each([7, 100, 1 << 20])(
  '[KIT21] a kept transcript is read step by step, whole characters of it, in stretches of %i bytes',
  async (stretch) => {
    const file = fileOf(steps)
    const { read, lines } = open(file, stretch)
    const found = [...(await lines.next(2)), ...(await lines.next(300)), ...(await lines.next(300))]
    expect(found).toEqual(steps)
    expect([lines.ended(), await lines.next(10), read.bytes]).toEqual([true, [], file.length])
  },
)

test('[KIT21] no more of a kept transcript is read than what is shown of it', async () => {
  const { read, lines } = open(fileOf(steps), 1000)
  expect(await lines.next(10)).toEqual(steps.slice(0, 10))
  expect([read.bytes, lines.ended()]).toEqual([1000, false])
})

test('[KIT21] a step of a later version stands in its place as one that cannot be read', async () => {
  const { lines } = open(fileOf([note(5, 'one'), { type: 'teleport', at_ms: 6 }, 'two', note(9, 'three')]))
  const cannot = note(5, 'A step that this version cannot read')
  expect(await lines.next(9)).toEqual([note(5, 'one'), cannot, cannot, note(9, 'three')])
})

test('[KIT21] a reading that failed goes on where it was, and a file that is shorter than told ends in an error', async () => {
  const { read, lines } = open(fileOf(steps), 1000)
  await lines.next(10)
  read.fails = 1
  await expect(lines.next(400)).rejects.toThrow('away')
  expect(await lines.next(500)).toEqual(steps.slice(10))
  const short = openStepLines(async () => new Uint8Array(), 10)
  await expect(short.next(1)).rejects.toThrow('ends after 0 of 10 bytes')
})
