import type { AgentPulse } from '#shared/contract/pulse.ts'
import { pulseAgainMs, pulseKey } from '#shared/run/pulse.ts'

/**
 * Tells what an agent does for a run: when it has changed, at most once in `everyMs`, and again every few seconds although it has not, for an
 * edge that has forgotten. It looks by a timer, so an agent that stands still says nothing.
 */
export function createPulseTeller(
  read: () => AgentPulse,
  tell: (pulse: AgentPulse) => void,
  everyMs: number,
  now: () => number = () => performance.now(),
) {
  let last: { key: string; atMs: number } | undefined
  const look = (): void => {
    const pulse = read()
    const atMs = now()
    const key = pulseKey(pulse, atMs)
    if (last?.key === key && atMs < last.atMs + pulseAgainMs) return
    last = { key, atMs }
    tell(pulse)
  }
  const timer = setInterval(look, everyMs)
  timer.unref()
  look()
  return { look, stop: () => clearInterval(timer) }
}
