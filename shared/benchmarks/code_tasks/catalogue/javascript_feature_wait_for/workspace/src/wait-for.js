import { systemClock } from './clock.js'

export { TimeoutError } from './errors.js'

/**
 * The first truthy value of `check`.
 *
 * @template T
 * @param {(state: { attempt: number, elapsed: number }) => T | Promise<T>} check
 * @param {object} [options]
 * @returns {Promise<T>}
 */
export function waitFor(check, { clock = systemClock } = {}) {
  return Promise.reject(new Error(`not written yet, asked at ${clock.now()} about ${check}`))
}
