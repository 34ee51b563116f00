import { afterEach, expect, test, vi } from 'vitest'
import { exampleTrial } from '#db/example-run.ts'
import { RunUp } from '#shared/contract/frame.ts'
import { openingHash } from '#shared/run/openings.ts'
import { packStream } from '#shared/stream/packed-stream.ts'
import { exampleStream } from '#shared/stream/testing/example-stream.ts'
import { createOutbox } from './outbox.ts'

afterEach(() => vi.useRealTimers())
const record = (ordinal: number) => exampleTrial(ordinal).record

function open() {
  const frames: Extract<RunUp, { type: 'report' }>[] = []
  const outbox = createOutbox((bytes) => {
    const frame = RunUp.parse(JSON.parse(bytes.toString()))
    if (frame.type === 'report') frames.push(frame)
    return true
  })
  return { outbox, frames }
}

test('[AGENT4] reports leave in frames of at most 128 trials and are kept, and named as held, until acknowledged', () => {
  const { outbox, frames } = open()
  for (let ordinal = 0; ordinal < 258; ordinal++) outbox.add(record(ordinal))
  expect(frames.map((frame) => frame.results.length)).toEqual([128, 128])
  outbox.flush()
  expect(frames.map((frame) => frame.results.length)).toEqual([128, 128, 2])
  expect(outbox.size()).toBe(258)
  expect(outbox.held()).toHaveLength(258)
  outbox.acknowledge(frames[0]!.id)
  expect(outbox.held().map(([ordinal]) => ordinal)).toEqual(Array.from({ length: 130 }, (_, n) => n + 128))
  outbox.stop()
})

test('[AGENT5] after a reconnect everything unacknowledged is sent again, unchanged and in order', () => {
  const { outbox, frames } = open()
  for (let ordinal = 0; ordinal < 256; ordinal++) outbox.add(record(ordinal))
  outbox.acknowledge(1)
  frames.length = 0
  outbox.resend()
  expect(frames.map((frame) => [frame.id, frame.results[0]!.ordinal])).toEqual([[2, 128]])
  outbox.stop()
})

test('[STREAM12] a record is told with its stream packed, and one without a stream without', () => {
  const { outbox, frames } = open()
  outbox.add({ ...record(0), stream: exampleStream() })
  outbox.add(record(1))
  outbox.flush()
  expect(frames.flatMap(({ results }) => results.map(({ stream }) => stream))).toEqual([packStream(exampleStream()), undefined])
  outbox.stop()
})

test('[AGENT6] a large record leaves at once, and drained resolves with the last acknowledgement', async () => {
  const { outbox, frames } = open()
  outbox.add({ ...record(0), explanation: 'x'.repeat(300 * 1024) })
  expect(frames).toHaveLength(1)
  let done = false
  const drained = outbox.drained().then(() => {
    done = true
  })
  await Promise.resolve()
  expect(done).toBe(false)
  outbox.acknowledge(frames[0]!.id)
  await drained
  expect(done).toBe(true)
  await outbox.drained()
})

test('[AGENT13] an opening travels with every frame that needs it until one is acknowledged, and never again', () => {
  const { outbox, frames } = open()
  const add = (ordinal: number, opening: string) => {
    const content = `${opening} question ${ordinal}`
    outbox.add({ ...record(ordinal), messages: [{ role: 'user', content, opening: opening.length }] })
    outbox.flush()
    const { openings, results } = frames.at(-1)!
    const [message] = results[0]!.messages
    return { texts: Object.values(openings), message: message! }
  }
  const first = add(0, 'maths')
  expect(first).toEqual({ texts: ['maths'], message: { role: 'user', content: ' question 0', opening: openingHash('maths') } })
  expect(add(1, 'maths').texts).toEqual(['maths'])
  outbox.acknowledge(frames[1]!.id)
  expect(add(2, 'maths').texts).toEqual([])
  expect(add(3, 'law').texts).toEqual(['law'])
  outbox.stop()
})

test('[AGENT6] drained means the last acknowledgement, not the first, and one for nothing that was sent changes nothing', async () => {
  const { outbox, frames } = open()
  for (let ordinal = 0; ordinal < 129; ordinal++) outbox.add(record(ordinal))
  let done = false
  const drained = outbox.drained().then(() => {
    done = true
  })
  for (const id of [99, 1]) outbox.acknowledge(id) // the last record has not even left
  await Promise.resolve()
  expect([done, outbox.size(), frames.length]).toEqual([false, 1, 1])
  outbox.flush()
  outbox.acknowledge(2)
  await drained
  expect(outbox.held()).toEqual([])
})

test('[AGENT4] a trial that stays alone leaves after a tenth of a second, with what came meanwhile', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { outbox, frames } = open()
  outbox.add(record(0))
  vi.advanceTimersByTime(60)
  outbox.add(record(1))
  vi.advanceTimersByTime(39)
  expect(frames).toEqual([])
  vi.advanceTimersByTime(1)
  expect(frames.map(({ results }) => results.map(({ ordinal }) => ordinal))).toEqual([[0, 1]])
  outbox.acknowledge(1)
  expect(vi.getTimerCount()).toBe(0)
})
