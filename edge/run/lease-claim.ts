/** What an agent says outside its connection to a run: who it is, and that the fleet sent it there. */
export type PassClaim = { agent_id: string; session: string; pass: string }

/** The same of one who works on it: also which attempt at a trial is its own. */
export type LeaseClaim = PassClaim & { ordinal: number; attempt: number }
