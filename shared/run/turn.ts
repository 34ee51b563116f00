import type { EventOf, RunEvent, RunEventType } from '../contract/event.ts'
import type { RunHead } from '../contract/run.ts'
import { apply } from './apply.ts'
import type { TrialView } from './trial-store.ts'

/** One decision in the making: the events so far and the state they lead to, so that later steps see what earlier ones did. */
export type Turn = ReturnType<typeof createTurn>

export function createTurn(start: RunHead, trials: TrialView, nowMs: number) {
  const at = new Date(nowMs).toISOString()
  const events: RunEvent[] = []
  const turn = {
    trials,
    nowMs,
    events,
    head: start,
    emit<T extends RunEventType>(event_type: T, data: EventOf<T>['data'], benchmark_name: string | null = null): void {
      const event = { event_type, benchmark_name, at, data } as RunEvent // the union member named by T, built from its own data
      events.push(event)
      turn.head = apply(turn.head, event)
    },
  }
  return turn
}
