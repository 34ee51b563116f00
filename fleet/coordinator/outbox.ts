import type { Openings, PackedRecord } from '#shared/contract/packed.ts'
import type { TrialRecord } from '#shared/contract/trial.ts'
import type { Clock } from '#shared/run/clock.ts'
import { createPacker } from '#shared/run/openings.ts'
import { unpackStream } from '#shared/stream/packed-stream.ts'
import { processClock } from '../process-clock.ts'

/** Half as many cost everybody behind them 7 % more processor time a trial, twice as many nothing less. */
const flushCount = 128
const flushMs = 100
const flushBytes = 256 * 1024

/** Services of earlier protocols read a stream by its names only. */
const firstWithPackedStreams = 6

/**
 * Finished trials on their way to the run: joined into frames of at most 128 trials, 100 ms or 256 KiB, kept until acknowledged and sent again
 * after every reconnect. Each record is turned into JSON once; an opening of its prompt travels until a frame with it was acknowledged.
 */
export function createOutbox(send: (frame: string) => boolean, clock: Clock = processClock) {
  const unacknowledged = new Map<number, { frame: string; held: [number, number][]; openings: Openings }>()
  let byNames = false
  const pack = createPacker()
  const known = new Set<string>()
  let openings: Openings = {}
  let waiting: string[] = []
  let held: [number, number][] = []
  let bytes = 0
  let nextId = 1
  let timer: (() => void) | undefined
  let idle: (() => void)[] = []

  const flush = (): void => {
    timer?.()
    timer = undefined
    if (waiting.length === 0) return
    const id = nextId++
    const frame = `{"type":"report","id":${id},"openings":${JSON.stringify(openings)},"results":[${waiting.join(',')}]}`
    unacknowledged.set(id, { frame, held, openings })
    waiting = []
    held = []
    openings = {}
    bytes = 0
    send(frame)
  }

  return {
    flush,
    /** The protocol of the service that was reached, whenever one is: what waits is told as it reads it. */
    speak(protocol: number): void {
      byNames = protocol < firstWithPackedStreams
      if (!byNames) return
      waiting = waiting.map((text) => JSON.stringify(withNames(JSON.parse(text))))
      for (const each of unacknowledged.values()) {
        const frame = JSON.parse(each.frame)
        each.frame = JSON.stringify({ ...frame, results: frame.results.map(withNames) })
      }
    },
    add(record: TrialRecord): void {
      const packed = pack(record)
      for (const [hash, opening] of Object.entries(packed.openings)) {
        if (known.has(hash) || hash in openings) continue
        openings[hash] = opening
        bytes += opening.length
      }
      const text = JSON.stringify(byNames ? withNames(packed.record) : packed.record)
      waiting.push(text)
      held.push([record.ordinal, record.attempt])
      bytes += text.length
      if (waiting.length >= flushCount || bytes >= flushBytes) flush()
      else timer ??= clock.after(flushMs, flush)
    },
    acknowledge(id: number): void {
      for (const hash of Object.keys(unacknowledged.get(id)?.openings ?? {})) known.add(hash)
      unacknowledged.delete(id)
      if (unacknowledged.size + waiting.length > 0) return
      for (const resolve of idle) resolve()
      idle = []
    },
    resend(): void {
      for (const { frame } of unacknowledged.values()) send(frame)
    },
    /** Trials that are finished here but not yet acknowledged there: they are still ours. */
    held: (): [number, number][] => [...[...unacknowledged.values()].flatMap((each) => each.held), ...held],
    /** Trials, not frames: what bounds it counts trials. */
    size: () => [...unacknowledged.values()].reduce((sum, each) => sum + each.held.length, waiting.length),
    drained: (): Promise<void> =>
      unacknowledged.size + waiting.length === 0 ? Promise.resolve() : new Promise((resolve) => idle.push(resolve)),
    stop: () => timer?.(),
  }
}

function withNames(record: PackedRecord): PackedRecord {
  return record.stream ? { ...record, stream: unpackStream(record.stream) } : record
}
export type Outbox = ReturnType<typeof createOutbox>
