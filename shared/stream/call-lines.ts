import type { Role } from '../contract/role.ts'
import type { StreamFacts } from '../contract/stream.ts'
import type { Step } from '../contract/transcript.ts'
import { timelineOf } from './stream-timeline.ts'

/** One call of a trial with several: which it was, whom it asked, when, and how its answer came in; null where that was not measured. */
export type CallLine = { number: number; role: Role; at_ms: number; took_ms: number; failed: boolean; stream: StreamFacts | null }

/** The calls among these steps in their order. `longest_ms`: the longest course of all, the scale on which they can be compared. */
export function callLinesOf(steps: readonly Step[]): { calls: CallLine[]; longest_ms: number } {
  const calls = steps
    .filter((step) => step.type === 'model_call')
    .map(({ role, at_ms, took_ms, failure, stream = null }, index) => ({
      ...{ number: index + 1, role, at_ms, took_ms, failed: failure !== null, stream },
    }))
  const longest_ms = calls.reduce((most, { stream }) => (stream ? Math.max(most, timelineOf(stream).total_ms) : most), 0)
  return { calls, longest_ms }
}
