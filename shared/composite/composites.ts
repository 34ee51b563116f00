import type { CompositeName } from '../contract/composite-name.ts'
import { gatherJanus } from '../janus/gather-composite.ts'
import type { Gathering } from './gathering.ts'

/** How each composite is computed from records; `profiles` are those its benchmarks were asked in. Cards name theirs, nothing else does. */
export const composites: Readonly<Record<CompositeName, (profiles: readonly string[]) => Gathering>> = { janus: gatherJanus }
