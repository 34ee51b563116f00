import { createHeavyJobs } from './heavy-jobs.ts'
import { serveJobs } from './serve-jobs.ts'

/** Entry of a thread that does heavy work. */
serveJobs(createHeavyJobs())
