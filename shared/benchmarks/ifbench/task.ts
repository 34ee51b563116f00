import { ifbenchChecks } from '../../scorers/ifbench/ifbench-checks.ts'
import { ifbenchKwargs } from '../../scorers/ifbench/kwargs.ts'
import { constraintTask } from '../constraint-task.ts'
import { instructionRecord } from '../instruction-record.ts'
import { card } from './card.ts'
import { brokenAnswer, followingAnswer } from './demo-answer.ts'

/** The family of the constraints, or `mixed` for two of different families. */
function family(ids: readonly string[]): string {
  const families = new Set(ids.map((id) => id.split(':')[0]!))
  return families.size === 1 ? [...families][0]! : 'mixed'
}

export default constraintTask({
  card,
  record: instructionRecord(ifbenchKwargs),
  checks: ifbenchChecks,
  headline: 'loose',
  groupOf: family,
  demo: { following: followingAnswer, broken: brokenAnswer },
})
