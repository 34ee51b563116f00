import type { HeavyJobs } from './heavy-jobs.ts'
import type { JobOptions } from './thread-pool.ts'

type Input<N extends keyof HeavyJobs> = Parameters<HeavyJobs[N]>[0]
type Output<N extends keyof HeavyJobs> = Awaited<ReturnType<HeavyJobs[N]>>

/** Does heavy work: on threads beside an agent's own, or at once where nothing else waits. Rejects with what the job threw, or `ThreadTrouble`. */
export type Heavy = { run<N extends keyof HeavyJobs>(name: N, input: Input<N>, options?: JobOptions): Promise<Output<N>> }
