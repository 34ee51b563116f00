import type { StreamedEvent } from '#shared/contract/event.ts'
import { isTerminal, type RunHead } from '#shared/contract/run.ts'
import { initialHead } from '#shared/run/apply.ts'
import { applyStreamed } from '#shared/run/stream.ts'
import type { VirtualClock } from './clock.ts'
import type { Random } from './random.ts'
import type { RunHost } from './run-host.ts'
import type { VirtualStore } from './virtual-store.ts'

type Told = { event_type: 'snapshot'; head: RunHead } | StreamedEvent

/**
 * Somebody who watches a run as a page does: follows the stream, folds what comes, comes again with the last number when it breaks, and reads
 * an ended run from the record. `onRead` is called after each message with what was folded.
 */
export function createViewer(
  clock: VirtualClock,
  random: Random,
  run: RunHost,
  { runs }: VirtualStore,
  run_id: string,
  onRead: (head: RunHead) => void,
) {
  const { spec } = runs.get(run_id)!
  let head = initialHead(spec)
  let cursor: string | null = null
  let visit = 0

  const take = (told: Told): void => {
    head = told.event_type === 'snapshot' && 'head' in told ? (told.head as RunHead) : applyStreamed(head, told as StreamedEvent)
    cursor = String(head.seq)
  }
  const read = (text: string): void => {
    for (const message of text.split('\n\n')) {
      const data = /^data: (.*)$/m.exec(message)?.[1]
      if (data && !message.startsWith('event: ')) take(JSON.parse(data))
    }
    onRead(head)
  }
  const come = (): void => {
    const mine = ++visit
    const again = (): void => {
      if (mine === visit) clock.after(random.int(200, 2000), () => mine === visit && come())
    }
    const recorded = runs.get(run_id)!
    if (isTerminal(recorded.head.status)) {
      for (let id = head.seq + 1; id <= recorded.head.seq; id++) {
        const event = recorded.events.get(id)
        if (event) take(event)
      }
      onRead(head)
      return again()
    }
    if (random.chance(0.05)) cursor = random.pick([null, 'latest'])
    const pipe = {
      write: (bytes: Uint8Array): Promise<void> =>
        new Promise((resolve, reject) => {
          clock.after(random.int(0, 300), () => {
            if (mine !== visit) return reject(new Error('gone'))
            read(new TextDecoder().decode(bytes))
            resolve()
          })
        }),
      close: async () => again(),
    }
    if (cursor === null) head = initialHead(spec)
    if (!run.follow(pipe, cursor)) again()
  }
  come()
  return {
    /** The stream breaks; the viewer comes again. */
    cut(): void {
      visit++
      const mine = visit
      clock.after(random.int(200, 2000), () => mine === visit && come())
    },
    head: () => head,
  }
}
export type Viewer = ReturnType<typeof createViewer>
