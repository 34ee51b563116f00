import type { Item } from '../../contract/item.ts'
import { ifevalChecks } from '../../scorers/ifeval/ifeval-checks.ts'
import { ifevalKwargs } from '../../scorers/ifeval/kwargs.ts'
import { allFollowed, instructionsOf, scoreInstructions } from '../../scorers/instructions/score-instructions.ts'
import { generate } from '../../solvers/generate.ts'
import { type InstructionRecord, instructionRecord } from '../instruction-record.ts'
import { itemHash } from '../item-hash.ts'
import { parseRows } from '../parse-rows.ts'
import type { Task } from '../task.ts'
import { card } from './card.ts'
import { brokenAnswer, followingAnswer } from './demo-answer.ts'
import { faults } from './faults.ts'

const IfevalRecord = instructionRecord(ifevalKwargs)

function toItem({ key, prompt, instructions }: InstructionRecord, index: number): Item {
  const messages = [{ role: 'user' as const, content: prompt }]
  const fault = faults.get(key)
  const facts = {
    instruction_id_list: instructions.map(({ id }) => id),
    kwargs: instructions.map(({ kwargs }) => kwargs),
    ...(fault === undefined ? {} : { fault }),
  }
  return {
    item_id: String(index),
    source_id: key,
    item_hash: itemHash(messages),
    group: instructions.length === 1 ? '1 constraint' : `${instructions.length} constraints`,
    messages,
    target: allFollowed,
    metadata: facts as Item['metadata'], // parsed from JSON rows by `ifevalKwargs`
  }
}

const task: Task<'completion'> = {
  card,
  open({ rows }) {
    const records = parseRows(rows, 'test', IfevalRecord)
    return { count: records.length, item: (index) => toItem(records[index]!, index) }
  },
  solver: () => generate,
  score(item, evidence, _profile, tables) {
    const instructions = instructionsOf(item.metadata)
    const score = scoreInstructions(evidence, { instructions, checks: ifevalChecks, headline: 'strict', tables })
    return item.metadata.fault === undefined ? score : { ...score, flags: [...score.flags, 'faulty_item'] }
  },
  demo(item, right) {
    const instructions = instructionsOf(item.metadata)
    return right ? followingAnswer(instructions) : brokenAnswer(instructions)
  },
}

export default task
