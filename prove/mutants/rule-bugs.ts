import { janusBugs } from './janus-bugs.ts'
import type { RuleBug } from './rule-bug.ts'
import { streamBugs } from './stream-bugs.ts'
import { tauBugs } from './tau-bugs.ts'

/** All bugs that are planted by the rule whose line they break. */
export const ruleBugs: readonly RuleBug[] = [...janusBugs, ...tauBugs, ...streamBugs]
