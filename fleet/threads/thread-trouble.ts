/** Why a thread gave no result: its time or its memory ran out, it died, or its job threw. */
export type TroubleReason = 'deadline' | 'memory' | 'died' | 'thrown'

/** A job came to nothing. The next one gets a thread that works. */
export class ThreadTrouble extends Error {
  readonly reason: TroubleReason
  constructor(reason: TroubleReason, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'ThreadTrouble'
    this.reason = reason
  }
}
