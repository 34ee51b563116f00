import type { Item } from '../../contract/item.ts'
import { ifbenchChecks } from '../../scorers/ifbench/ifbench-checks.ts'
import { ifbenchKwargs } from '../../scorers/ifbench/kwargs.ts'
import { allFollowed, instructionsOf, scoreInstructions } from '../../scorers/instructions/score-instructions.ts'
import { generate } from '../../solvers/generate.ts'
import { type InstructionRecord, instructionRecord } from '../instruction-record.ts'
import { itemHash } from '../item-hash.ts'
import { parseRows } from '../parse-rows.ts'
import type { Task } from '../task.ts'
import { card } from './card.ts'
import { brokenAnswer, followingAnswer } from './demo-answer.ts'

const IfbenchRecord = instructionRecord(ifbenchKwargs)

/** The family of the constraints, or `mixed` for two of different families. */
function family(ids: readonly string[]): string {
  const families = new Set(ids.map((id) => id.split(':')[0]!))
  return families.size === 1 ? [...families][0]! : 'mixed'
}

function toItem({ key, prompt, instructions }: InstructionRecord, index: number): Item {
  const messages = [{ role: 'user' as const, content: prompt }]
  const ids = instructions.map(({ id }) => id)
  const facts = { instruction_id_list: ids, kwargs: instructions.map(({ kwargs }) => kwargs) }
  return {
    item_id: String(index),
    source_id: key,
    item_hash: itemHash(messages),
    group: family(ids),
    messages,
    target: allFollowed,
    metadata: facts as Item['metadata'], // parsed from JSON rows by `ifbenchKwargs`
  }
}

const task: Task<'completion'> = {
  card,
  open({ rows }) {
    const records = parseRows(rows, 'test', IfbenchRecord)
    return { count: records.length, item: (index) => toItem(records[index]!, index) }
  },
  solver: () => generate,
  score(item, evidence, _profile, tables) {
    return scoreInstructions(evidence, { instructions: instructionsOf(item.metadata), checks: ifbenchChecks, headline: 'loose', tables })
  },
  demo(item, right) {
    const instructions = instructionsOf(item.metadata)
    return right ? followingAnswer(instructions) : brokenAnswer(instructions)
  },
}

export default task
