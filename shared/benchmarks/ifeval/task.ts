import { ifevalChecks } from '../../scorers/ifeval/ifeval-checks.ts'
import { ifevalKwargs } from '../../scorers/ifeval/kwargs.ts'
import { constraintTask } from '../constraint-task.ts'
import { instructionRecord } from '../instruction-record.ts'
import { card } from './card.ts'
import { brokenAnswer, followingAnswer } from './demo-answer.ts'
import { faults } from './faults.ts'

export default constraintTask({
  card,
  record: instructionRecord(ifevalKwargs),
  checks: ifevalChecks,
  headline: 'strict',
  groupOf: (ids) => (ids.length === 1 ? '1 constraint' : `${ids.length} constraints`),
  facts(key) {
    const fault = faults.get(key)
    return fault === undefined ? undefined : { fault }
  },
  report: (score, { fault }) => (fault === undefined ? score : { ...score, flags: [...score.flags, 'faulty_item'] }),
  demo: { following: followingAnswer, broken: brokenAnswer },
})
