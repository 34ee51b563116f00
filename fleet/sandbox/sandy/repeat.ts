import type { Clock } from '#shared/run/clock.ts'
import { pause } from '../../pause.ts'

/** How often something is asked at most, how long it waits for one answer, and how long it waits before it asks again, in milliseconds. */
export type Patience = { tries: number; answer_ms: number; first_ms: number; longest_ms: number }

/** What one try came to: an end, or a reason to try again; the last one's `otherwise` is the end of all. */
export type Tried<T> = { type: 'end'; value: T } | { type: 'again'; otherwise: T }

export type Pace = { clock: Clock; random(): number; signal: AbortSignal }

/** Tries until something is an end, the tries are used up, or the signal aborts; waits longer from one to the next, each a little by chance. */
export async function repeat<T>(patience: Patience, { clock, random, signal }: Pace, attempt: () => Promise<Tried<T>>): Promise<T> {
  for (let count = 1; ; count++) {
    const tried = await attempt()
    if (tried.type === 'end') return tried.value
    if (count >= patience.tries || signal.aborted) return tried.otherwise
    const wait = Math.min(patience.longest_ms, patience.first_ms * 2 ** (count - 1))
    await pause(clock, wait * (0.5 + random() / 2), signal)
    if (signal.aborted) return tried.otherwise
  }
}
