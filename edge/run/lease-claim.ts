import type { Trial } from '#shared/run/trial-store.ts'

/** What an agent says outside its connection to a run: who it is, and that the fleet sent it there. */
export type PassClaim = { agent_id: string; session: string; pass: string }

/** The same of one who works on it: also which attempt at a trial is its own. */
export type LeaseClaim = PassClaim & { ordinal: number; attempt: number }

/** Whether a trial is in this attempt of the session that claims it. */
export function isLeasedTo({ session, attempt }: LeaseClaim, trial: Trial | undefined): boolean {
  return trial?.state === 'leased' && trial.session === session && trial.attempt === attempt
}
