import type { Composite } from '../contract/composite.ts'
import type { TrialRecord } from '../contract/trial.ts'

/** Takes the records of a run that count in a composite, one by one, and tells the composite of those it was given. */
export type Gathering = { add(record: TrialRecord): void; composite(): Omit<Composite, 'name'> }
