export { QueueFullError } from './errors.js'

/**
 * A pool that runs a limited number of tasks at a time.
 *
 * @param {{ concurrency: number, perKey?: number, maxQueue?: number }} options
 */
export function createPool(options) {
  throw new Error(`not written yet: ${JSON.stringify(options)}`)
}
