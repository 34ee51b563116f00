import * as z from 'zod'
import { Snapshot } from '#shared/contract/api.ts'
import { StreamedEvent } from '#shared/contract/event.ts'
import { isTerminal, RunStatus } from '#shared/contract/run.ts'
import type { Client } from './client.ts'
import { CommandError, type Io } from './io.ts'
import { sseMessages } from './sse.ts'

/** Where a run stands, as far as its events have told. */
export type Standing = {
  status: RunStatus
  done: number
  total: number
  right: number
  wrong: number
  failed: number
  waiting: string | null
}

const Progress = z.object({ results: z.array(z.object({ outcome: z.enum(['right', 'wrong', 'failed']) })) })
const Requeued = z.object({ retried: z.array(z.unknown()) })
const Ended = z.object({ status: RunStatus })
const Parked = z.object({ detail: z.string() })
const reconnects = 30

type Follower = { event?(event: StreamedEvent): void; standing(standing: Standing): void }

/**
 * Follows a run's stream until the run has ended, over broken connections: it goes on after the last number it saw. Gives up after thirty
 * connections in a row that delivered nothing.
 */
export async function followRun(client: Client, io: Io, runId: string, follower: Follower): Promise<void> {
  const fold = startFold(follower)
  for (let failures = 0; !fold.ended(); ) {
    const before = fold.last()
    try {
      const path = `/api/runs/${runId}/events${before > 0 ? `?after=${before}` : ''}`
      const response = await client.open(path, { accept: 'text/event-stream' })
      for await (const message of sseMessages(response)) {
        if (message.event === 'done') return
        fold.take(message.data)
        if (fold.ended()) break
      }
    } catch (error) {
      const refused = error instanceof CommandError && error.status !== null && error.status < 500
      if (io.signal.aborted || refused) throw error instanceof CommandError ? error : interrupted(error)
      if (failures >= reconnects) throw error
    }
    failures = fold.last() > before ? 0 : failures + 1
    if (!fold.ended()) await io.pause(Math.min(5_000, 200 * 2 ** failures))
    if (io.signal.aborted) throw interrupted(undefined)
  }
}

const interrupted = (cause: unknown) => new CommandError('interrupted', 'interrupted', null, { cause })

function startFold(follower: Follower) {
  let last = 0
  let ended = false
  let standing: Standing | undefined
  const onSnapshot = ({ head }: Snapshot) => {
    const tallies = Object.values(head.benchmarks)
    const sum = (key: 'right' | 'wrong' | 'failed') => tallies.reduce((total, tally) => total + tally[key], 0)
    const counts = { right: sum('right'), wrong: sum('wrong'), failed: sum('failed') }
    standing = { status: head.status, done: head.done, total: head.total, ...counts, waiting: head.parked?.detail ?? null }
    last = Math.max(last, head.seq)
    ended = isTerminal(head.status)
  }
  const onEvent = (event: StreamedEvent) => {
    if (event.id <= last) return
    last = event.id
    follower.event?.(event)
    standing = standing && applied(standing, event)
    ended = standing !== undefined && isTerminal(standing.status)
  }
  return {
    last: () => last,
    ended: () => ended,
    take: (data: string) => {
      const json: unknown = JSON.parse(data)
      const snapshot = Snapshot.safeParse(json)
      if (snapshot.success) onSnapshot(snapshot.data)
      else onEvent(StreamedEvent.parse(json))
      if (standing) follower.standing(standing)
    },
  }
}

/** A standing after one more event. */
export function applied(before: Standing, event: Pick<StreamedEvent, 'event_type'> & { data: unknown }): Standing {
  switch (event.event_type) {
    case 'benchmark_progress':
      return counted(before, Progress.parse(event.data).results)
    case 'run_requeued': {
      const { length } = Requeued.parse(event.data).retried
      return { ...before, status: 'queued', done: before.done - length, failed: before.failed - length }
    }
    case 'run_started':
    case 'run_resumed':
      return { ...before, status: 'running', waiting: null }
    case 'run_paused':
      return { ...before, status: 'paused' }
    case 'run_parked':
      return { ...before, waiting: Parked.parse(event.data).detail }
    case 'run_canceled':
      return { ...before, status: 'canceled' }
    case 'run_completed':
    case 'run_failed':
      return { ...before, status: Ended.parse(event.data).status }
    default:
      return before
  }
}

function counted(before: Standing, results: { outcome: 'right' | 'wrong' | 'failed' }[]): Standing {
  const after = { ...before, done: before.done + results.length }
  for (const { outcome } of results) after[outcome] += 1
  return after
}
