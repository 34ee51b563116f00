import { systemClock } from './clock.js'
import { TimeoutError } from './errors.js'

export { TimeoutError }

/**
 * The first truthy value of `check`.
 *
 * @template T
 * @param {(state: { attempt: number, elapsed: number }) => T | Promise<T>} check
 * @param {object} [options]
 * @returns {Promise<T>}
 */
export function waitFor(check, options = {}) {
  return new Promise((resolve, reject) => {
    const settings = readOptions(check, options)
    const { timeout, factor, maxInterval, signal, onAttempt, rethrow, clock } = settings
    if (signal?.aborted) throw signal.reason
    const start = clock.now()
    const elapsed = () => clock.now() - start
    let attempt = 0
    let pause = Math.min(settings.interval, maxInterval)
    let cause
    let done = false
    let deadline = null
    let wake = null

    const settle = (finish, value) => {
      if (done) return
      done = true
      if (deadline !== null) clock.clearTimer(deadline)
      if (wake !== null) clock.clearTimer(wake)
      signal?.removeEventListener('abort', onAbort)
      finish(value)
    }
    const onAbort = () => settle(reject, signal.reason)
    const giveUp = () => {
      const counted = `${attempt} attempt${attempt === 1 ? '' : 's'}`
      settle(reject, new TimeoutError(`condition not met within ${timeout} ms (${counted})`, { attempts: attempt, elapsed: elapsed(), cause }))
    }
    const clearDeadline = () => {
      if (deadline !== null) clock.clearTimer(deadline)
      deadline = null
    }
    const finishAttempt = ({ value, error, threw }, last) => {
      if (done) return
      clearDeadline()
      const ok = !threw && Boolean(value)
      try {
        onAttempt?.({ attempt, elapsed: elapsed(), ok, value, error })
      } catch (failure) {
        settle(reject, failure)
      }
      if (done) return
      if (ok) return settle(resolve, value)
      if (threw && rethrow) return settle(reject, error)
      cause = error
      const left = timeout - elapsed()
      if (last || left <= 0) return giveUp()
      const delay = Math.min(pause, left)
      pause = Math.min(pause * factor, maxInterval)
      wake = clock.setTimer(() => {
        wake = null
        begin(delay === left)
      }, delay)
    }
    const begin = (last) => {
      attempt++
      let given
      try {
        given = check({ attempt, elapsed: elapsed() })
      } catch (error) {
        return finishAttempt({ error, threw: true }, last)
      }
      if (typeof given?.then !== 'function') return finishAttempt({ value: given }, last)
      const left = timeout - elapsed()
      if (left < Infinity && !done) deadline = clock.setTimer(giveUp, Math.max(left, 0))
      Promise.resolve(given).then(
        (value) => finishAttempt({ value }, last),
        (error) => finishAttempt({ error, threw: true }, last),
      )
    }
    signal?.addEventListener('abort', onAbort)
    begin(timeout === 0)
  })
}

function readOptions(check, options) {
  const { timeout = 1000, interval = 50, factor = 1, maxInterval = Infinity, rethrow = false, clock = systemClock, signal, onAttempt } = options
  const require = (holds, message) => {
    if (!holds) throw new TypeError(message)
  }
  require(typeof check === 'function', 'check must be a function')
  require(typeof timeout === 'number' && timeout >= 0, 'timeout must be a number of at least 0')
  require(Number.isFinite(interval) && interval >= 0, 'interval must be a finite number of at least 0')
  require(Number.isFinite(factor) && factor >= 1, 'factor must be a finite number of at least 1')
  require(typeof maxInterval === 'number' && maxInterval >= 0, 'maxInterval must be a number of at least 0')
  return { timeout, interval, factor, maxInterval, rethrow, clock, signal, onAttempt }
}
