import type { Openings } from '#shared/contract/packed.ts'
import type { TrialRecord } from '#shared/contract/trial.ts'
import type { Clock } from '#shared/run/clock.ts'
import { createPacker } from '#shared/run/openings.ts'
import { processClock } from '../process-clock.ts'
import { beginReport, giveBack, type ReportText, type SpareBytes } from './report-text.ts'

/** Half as many cost everybody behind them 7 % more processor time a trial, twice as many nothing less. */
const flushCount = 128
const flushMs = 100
const flushBytes = 256 * 1024

type Sent = { frame: Buffer; held: [number, number][]; openings: Openings; times: number }

/**
 * Finished trials on their way to the run: joined into frames of at most 128 trials, 100 ms or 256 KiB, kept until acknowledged and sent again
 * after every reconnect. Each record is turned into JSON once; an opening of its prompt travels until a frame with it was acknowledged. A frame's bytes
 * are used again after its acknowledgement: whoever keeps one must copy it.
 */
export function createOutbox(send: (frame: Buffer) => boolean, clock: Clock = processClock) {
  const unacknowledged = new Map<number, Sent>()
  const pack = createPacker()
  const known = new Set<string>()
  const spare: SpareBytes = []
  let openings: Openings = {}
  let openingChars = 0
  let report: ReportText | undefined
  let held: [number, number][] = []
  let nextId = 1
  let timer: (() => void) | undefined
  let idle: (() => void)[] = []

  const sendOut = (sent: Sent): void => {
    sent.times++
    send(sent.frame)
  }
  /** Ends the report that grows, if one does. */
  const close = (): Sent | undefined => {
    timer?.()
    timer = undefined
    if (!report) return undefined
    const closed = { frame: report.end(openings), held, openings, times: 0 }
    unacknowledged.set(nextId++, closed)
    report = undefined
    held = []
    openings = {}
    openingChars = 0
    return closed
  }
  const flush = (): void => {
    const closed = close()
    if (closed) sendOut(closed)
  }

  return {
    flush,
    add(record: TrialRecord): void {
      const packed = pack(record)
      for (const [hash, opening] of Object.entries(packed.openings)) {
        if (known.has(hash) || hash in openings) continue
        openings[hash] = opening
        openingChars += opening.length
      }
      report ??= beginReport(nextId, spare)
      report.add(JSON.stringify(packed.record))
      held.push([record.ordinal, record.attempt])
      if (held.length >= flushCount || report.bytes() + openingChars >= flushBytes) flush()
      else timer ??= clock.after(flushMs, flush)
    },
    acknowledge(id: number): void {
      const sent = unacknowledged.get(id)
      for (const hash of Object.keys(sent?.openings ?? {})) known.add(hash)
      unacknowledged.delete(id)
      if (sent?.times === 1) giveBack(spare, sent.frame) // of one that was sent again a connection may still hold the first
      if (unacknowledged.size + held.length > 0) return
      for (const resolve of idle) resolve()
      idle = []
    },
    resend(): void {
      for (const sent of unacknowledged.values()) sendOut(sent)
    },
    /** Trials that are finished here but not yet acknowledged there: they are still ours. */
    held: (): [number, number][] => [...[...unacknowledged.values()].flatMap((each) => each.held), ...held],
    /** Trials, not frames: what bounds it counts trials. */
    size: () => [...unacknowledged.values()].reduce((sum, each) => sum + each.held.length, held.length),
    drained: (): Promise<void> =>
      unacknowledged.size + held.length === 0 ? Promise.resolve() : new Promise((resolve) => idle.push(resolve)),
    stop: () => timer?.(),
  }
}
export type Outbox = ReturnType<typeof createOutbox>
