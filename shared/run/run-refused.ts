/** A request that cannot become a run; the message says what to change, `pointer` where it stands in the body. */
export class RunRefused extends Error {
  readonly code: 'validation' | 'unknown-benchmark' | 'unknown-provider' | 'model-not-found'
  readonly pointer: string
  readonly issue: string
  constructor(code: RunRefused['code'], pointer: string, message: string, issue = message, options?: { cause?: unknown }) {
    super(message, options)
    this.code = code
    this.pointer = pointer
    this.issue = issue
  }
}
