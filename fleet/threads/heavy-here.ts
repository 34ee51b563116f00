import type { Heavy } from './heavy.ts'
import { createHeavyJobs, inPlace } from './heavy-jobs.ts'

/** Heavy work in this thread: for commands that have nothing else to do, and for tests. */
export const heavyHere = (): Heavy => inPlace(createHeavyJobs())
