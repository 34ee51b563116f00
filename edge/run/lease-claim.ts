/** What an agent says outside its connection to a run: who it is, that the fleet sent it there, and which attempt at a trial is its own. */
export type LeaseClaim = { agent_id: string; session: string; pass: string; ordinal: number; attempt: number }
