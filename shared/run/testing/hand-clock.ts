import type { Clock } from '../clock.ts'

/** A clock whose timers run when the test moves it; `to` also lets what waits for promises go on between them. */
export function handClock(startMs = 0): Clock & { advance(ms: number): void; to(ms: number): Promise<void>; timers(): number } {
  let now = startMs
  let timers: { at: number; run: () => void }[] = []
  const due = (ms: number) => {
    const next = timers.filter((timer) => timer.at <= ms).sort((a, b) => a.at - b.at)[0]
    timers = timers.filter((timer) => timer !== next)
    if (next) now = Math.max(now, next.at)
    return next
  }
  return {
    now: () => now,
    after(ms, run) {
      const timer = { at: now + ms, run }
      timers.push(timer)
      return () => {
        timers = timers.filter((other) => other !== timer)
      }
    },
    advance(ms) {
      const end = now + ms
      for (let next = due(end); next; next = due(end)) next.run()
      now = end
    },
    async to(ms) {
      await settled()
      for (let next = due(ms); next; next = due(ms)) {
        next.run()
        await settled()
      }
      now = ms
      await settled()
    },
    timers: () => timers.length,
  }
}

export const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 6; turn += 1) await Promise.resolve()
}
