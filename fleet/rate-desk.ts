import type { FleetDown, FleetUp } from '#shared/contract/frame.ts'
import { type Clock, every } from '#shared/run/clock.ts'
import { rateAskMs } from '#shared/run/rate-share.ts'
import { createRateGate, type RateControl, type RateGate } from './model/rate-gate.ts'
import { processClock } from './process-clock.ts'

type Grant = Extract<FleetDown, { type: 'rate' }>

/**
 * Asks the fleet for this agent's part of every key's rate limit, and asks again as long as somebody sends or waits. A question whose answer
 * was lost is simply followed by the next; an answer counts from when its question was asked.
 */
export function createRateDesk(say: (frame: FleetUp) => void, clock: Clock = processClock) {
  const controls = new Map<string, RateControl>()
  const asked = new Map<number, { provider: string; askedMs: number }>()
  let nextAsk = 1

  const ask = (provider: string): void => {
    const want = Math.max(1, controls.get(provider)!.wanted(clock.now()))
    asked.set(nextAsk, { provider, askedMs: clock.now() })
    say({ type: 'rate', ask: nextAsk++, provider, want })
  }
  const stop = every(clock, rateAskMs, () => {
    for (const [provider, control] of controls) if (control.wanted(clock.now()) > 0) ask(provider)
  })

  return {
    gate(provider: string): RateGate {
      const known = controls.get(provider)
      if (known) return known.gate
      const control = createRateGate(() => ask(provider))
      controls.set(provider, control)
      ask(provider)
      return control.gate
    },
    onGrant({ ask: id, permits }: Grant): void {
      const question = asked.get(id)
      if (!question) return
      for (const earlier of asked.keys()) if (earlier <= id) asked.delete(earlier) // answers come in order
      const control = controls.get(question.provider)!
      if (permits === null) control.free()
      else control.grant(permits, question.askedMs)
    },
    /** A new connection: what was asked over the old one is not answered any more. */
    onOpen(): void {
      asked.clear()
      for (const provider of controls.keys()) ask(provider)
    },
    stop,
  }
}
