import type { TrialRecord } from '#shared/contract/trial.ts'

const flushCount = 64
const flushMs = 100
const flushBytes = 256 * 1024

/**
 * Finished trials on their way to the run: joined into frames of at most 64 trials, 100 ms or 256 KiB, kept until acknowledged and sent again
 * after every reconnect. Each record is turned into JSON once.
 */
export function createOutbox(send: (frame: string) => boolean) {
  const unacknowledged = new Map<number, { frame: string; held: [number, number][] }>()
  let waiting: string[] = []
  let held: [number, number][] = []
  let bytes = 0
  let nextId = 1
  let timer: ReturnType<typeof setTimeout> | undefined
  let idle: (() => void)[] = []

  const flush = (): void => {
    clearTimeout(timer)
    timer = undefined
    if (waiting.length === 0) return
    const id = nextId++
    const frame = `{"type":"report","id":${id},"results":[${waiting.join(',')}]}`
    unacknowledged.set(id, { frame, held })
    waiting = []
    held = []
    bytes = 0
    send(frame)
  }

  return {
    flush,
    add(record: TrialRecord): void {
      const text = JSON.stringify(record)
      waiting.push(text)
      held.push([record.ordinal, record.attempt])
      bytes += text.length
      if (waiting.length >= flushCount || bytes >= flushBytes) flush()
      else timer ??= setTimeout(flush, flushMs)
    },
    acknowledge(id: number): void {
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
    size: () => unacknowledged.size + waiting.length,
    drained: (): Promise<void> =>
      unacknowledged.size + waiting.length === 0 ? Promise.resolve() : new Promise((resolve) => idle.push(resolve)),
    stop: () => clearTimeout(timer),
  }
}
export type Outbox = ReturnType<typeof createOutbox>
