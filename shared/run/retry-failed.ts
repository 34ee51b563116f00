import type { EventOf } from '../contract/event.ts'
import { mayStillSucceed } from '../contract/failure.ts'
import { benchmarkAt } from './apply.ts'
import { doneOf } from './settle.ts'
import type { Turn } from './turn.ts'

/** Largest number of trials one event names, so that an event row stays far below the object's 2 MB limit. */
const maxPerEvent = 5000

/** Opens the failed trials that may still succeed again: all of them, or only those of these ordinals. */
export function retryFailed(turn: Turn, only?: readonly number[]): void {
  requeue(
    turn,
    retriable(turn).filter(({ ordinal }) => only?.includes(ordinal) ?? true),
    [],
  )
}

/** Opens a canceled run again: its failed trials that may still succeed, and those that were never asked. */
export function reopenCanceled(turn: Turn): void {
  const broken = Object.entries(turn.head.benchmarks).flatMap(([name, { status, started_at }]) =>
    status === 'skipped' && started_at !== null ? [name] : [],
  )
  const failed = retriable(turn)
  if (failed.length === 0) turn.emit('run_requeued', { retried: [] })
  requeue(turn, failed, broken)
}

type Retried = EventOf<'run_requeued'>['data']['retried'][number]

function retriable(turn: Turn): Retried[] {
  return turn.trials
    .failed()
    .flatMap((trial) =>
      trial.state === 'done' && trial.failure && mayStillSucceed(trial.failure)
        ? [{ ordinal: trial.ordinal, failure: trial.failure, group: trial.group }]
        : [],
    )
}

function requeue(turn: Turn, failed: readonly Retried[], broken: readonly string[]): void {
  for (let from = 0; from < failed.length; from += maxPerEvent) {
    turn.emit('run_requeued', { retried: failed.slice(from, from + maxPerEvent) })
  }
  const names = new Set([...broken, ...failed.map(({ ordinal }) => benchmarkAt(turn.head, ordinal))])
  for (const name of names) {
    const tally = turn.head.benchmarks[name]!
    turn.emit('benchmark_resumed', { completed: doneOf(tally), total: tally.total }, name)
  }
}
