/** A clock that moves only when it is told to. */
export function createClock() {
  let time = 1000
  let next = 1
  const timers = new Map()
  const turn = () => new Promise((resolve) => setImmediate(resolve))
  const clock = {
    now: () => time,
    setTimer(callback, delay) {
      timers.set(next, { at: time + Math.max(0, delay), callback })
      return next++
    },
    clearTimer: (handle) => void timers.delete(handle),
    pending: () => timers.size,
    /** Lets time pass, timers run in their order, and promises settle. */
    async pass(milliseconds) {
      const end = time + milliseconds
      await turn()
      for (;;) {
        const due = [...timers].filter(([, timer]) => timer.at <= end).sort((a, b) => a[1].at - b[1].at || a[0] - b[0])[0]
        if (!due) break
        timers.delete(due[0])
        time = Math.max(time, due[1].at)
        due[1].callback()
        await turn()
      }
      time = end
    },
  }
  return clock
}
