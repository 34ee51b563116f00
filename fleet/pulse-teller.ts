import type { AgentPulse } from '#shared/contract/pulse.ts'
import { type Clock, every } from '#shared/run/clock.ts'
import { pulseAgainMs, pulseKey } from '#shared/run/pulse.ts'
import { processClock } from './process-clock.ts'

/**
 * Tells what an agent does for a run: when it has changed, at most once in `everyMs`, and again every few seconds although it has not, for an
 * edge that has forgotten. It looks by a timer, so an agent that stands still says nothing.
 */
export function createPulseTeller(read: () => AgentPulse, tell: (pulse: AgentPulse) => void, everyMs: number, clock: Clock = processClock) {
  let last: { key: string; atMs: number } | undefined
  const look = (): void => {
    const pulse = read()
    const atMs = clock.now()
    const key = pulseKey(pulse, atMs)
    if (last?.key === key && atMs < last.atMs + pulseAgainMs) return
    last = { key, atMs }
    tell(pulse)
  }
  const stop = every(clock, everyMs, look)
  look()
  return { stop }
}
