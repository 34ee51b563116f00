/** What `waitFor` rejects with when its time is over. */
export class TimeoutError extends Error {
  /**
   * @param {string} message
   * @param {{ attempts: number, elapsed: number, cause?: unknown }} facts
   */
  constructor(message, { attempts, elapsed, cause }) {
    super(message, { cause })
    this.name = 'TimeoutError'
    this.attempts = attempts
    this.elapsed = elapsed
  }
}
