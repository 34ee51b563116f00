import type { Clock } from '#shared/run/clock.ts'

const everyMs = 1000
/** After a calm so many changes in a row are taken up at once. */
const atOnce = 5

/** Does `work` after something has changed: once a second as long as changes come, at once after a calm. */
export function createPace(clock: Clock, work: () => void) {
  let spare = atOnce
  let countedMs = clock.now()
  let waiting = false
  const count = (): void => {
    const nowMs = clock.now()
    spare = Math.min(atOnce, spare + Math.max(0, nowMs - countedMs) / everyMs)
    countedMs = nowMs
  }
  const begin = (): void => {
    waiting = false
    count()
    spare--
    work()
  }
  return {
    changed(): void {
      if (waiting) return
      count()
      if (spare >= 1) return begin()
      waiting = true
      clock.after(Math.ceil((1 - spare) * everyMs), begin)
    },
  }
}
