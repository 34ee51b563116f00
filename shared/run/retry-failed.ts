import { mayStillSucceed } from '../contract/failure.ts'
import { benchmarkAt } from './apply.ts'
import { doneOf } from './settle.ts'
import type { Turn } from './turn.ts'

/** Largest number of trials one event names, so that an event row stays far below the object's 2 MB limit. */
const maxPerEvent = 5000

/** Opens the failed trials that may still succeed again: all of them, or only those of these ordinals. */
export function retryFailed(turn: Turn, only?: readonly number[]): void {
  const failed = turn.trials
    .failed()
    .flatMap((trial) =>
      trial.state === 'done' && trial.failure && mayStillSucceed(trial.failure) && (only?.includes(trial.ordinal) ?? true)
        ? [{ ordinal: trial.ordinal, failure: trial.failure, group: trial.group }]
        : [],
    )
  for (let from = 0; from < failed.length; from += maxPerEvent) {
    turn.emit('run_requeued', { retried: failed.slice(from, from + maxPerEvent) })
  }
  const names = new Set(failed.map(({ ordinal }) => benchmarkAt(turn.head, ordinal)))
  for (const name of names) {
    const tally = turn.head.benchmarks[name]!
    turn.emit('benchmark_resumed', { completed: doneOf(tally), total: tally.total }, name)
  }
}
