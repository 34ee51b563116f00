import { StreamedEvent } from '#shared/contract/event.ts'
import { PulseMessage, type RunPulse } from '#shared/contract/pulse.ts'
import { isTerminal, type RunHead } from '#shared/contract/run.ts'
import { Snapshot } from '#shared/contract/snapshot.ts'
import { applyStreamed } from '#shared/run/stream.ts'
import type { Client } from './client.ts'
import { CommandError, type Io } from './io.ts'
import { sseMessages } from './sse.ts'

const reconnects = 30

type Follower = {
  event?(event: StreamedEvent): void
  pulse?(pulse: RunPulse): void
  head(head: RunHead): void
  /** The service does not answer any more, and why; told once until it answers again. */
  away?(why: CommandError): void
  back?(): void
}

/**
 * Follows a run's stream until the run has ended, over broken connections: it goes on after the last number it saw. Gives up after thirty
 * connections in a row that delivered nothing.
 */
export async function followRun(client: Client, io: Io, runId: string, follower: Follower): Promise<void> {
  const fold = startFold(follower)
  let away = false
  for (let failures = 0; !fold.ended(); ) {
    const before = fold.last()
    try {
      const path = `/api/runs/${runId}/events?pulse=1${before > 0 ? `&after=${before}` : ''}`
      const response = await client.open(path, { accept: 'text/event-stream' })
      if (away) follower.back?.()
      away = false
      for await (const message of sseMessages(response)) {
        if (message.event === 'done') return
        if (message.event === 'pulse') fold.pulse(message.data)
        else if (message.event !== 'heartbeat') fold.take(message.data)
        if (fold.ended()) break
      }
    } catch (error) {
      const refused = error instanceof CommandError && error.status !== null && error.status < 500
      if (io.signal.aborted || refused) throw error instanceof CommandError ? error : interrupted(error)
      if (failures >= reconnects) throw error
      if (!away && error instanceof CommandError) follower.away?.(error)
      away ||= error instanceof CommandError
    }
    failures = fold.last() > before ? 0 : failures + 1
    if (!fold.ended()) await io.pause(Math.min(5_000, 200 * 2 ** failures))
    if (io.signal.aborted) throw interrupted(undefined)
  }
}

const interrupted = (cause: unknown) => new CommandError('interrupted', 'interrupted', null, { cause })

function startFold(follower: Follower) {
  let head: RunHead | undefined
  const last = () => head?.seq ?? 0
  const onEvent = (event: StreamedEvent) => {
    if (!head || event.id <= head.seq) return
    follower.event?.(event)
    head = applyStreamed(head, event)
  }
  return {
    last,
    ended: () => head !== undefined && isTerminal(head.status),
    pulse: (data: string) => follower.pulse?.(PulseMessage.parse(JSON.parse(data)).pulse),
    take: (data: string) => {
      const json: unknown = JSON.parse(data)
      const snapshot = Snapshot.safeParse(json)
      if (!snapshot.success) onEvent(StreamedEvent.parse(json))
      else if (snapshot.data.head.seq >= last()) head = snapshot.data.head
      if (head) follower.head(head)
    },
  }
}
