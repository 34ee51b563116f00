import type * as z from 'zod'
import type { Card } from '../contract/card.ts'
import type { Item, Score } from '../contract/item.ts'
import type { Checks, Instruction } from '../scorers/instructions/check.ts'
import { allFollowed, instructionsOf, scoreInstructions, type Verdicts } from '../scorers/instructions/score-instructions.ts'
import { generate } from '../solvers/generate.ts'
import type { InstructionRecord } from './instruction-record.ts'
import { itemHash } from './item-hash.ts'
import { eachRecord, recordsOf } from './parse-rows.ts'
import { everyRow } from './survey.ts'
import type { Task } from './task.ts'

export type ConstraintBenchmark = {
  card: Card & { evidence: 'completion' }
  /** Schema of a row with its instructions; see `instructionRecord`. */
  record: z.ZodType<InstructionRecord>
  checks: Checks
  headline: keyof Verdicts
  /** The group of an item, from the ids of its instructions. */
  groupOf(ids: readonly string[]): string
  /** What else an item carries, by the key of its row. */
  facts?(key: string): Item['metadata'] | undefined
  /** The score as it is reported. */
  report?(score: Score, facts: Item['metadata']): Score
  demo: { following(instructions: readonly Instruction[]): string; broken(instructions: readonly Instruction[]): string }
}

/** A benchmark of prompts whose constraints a program checks: the prompt is the one message, every constraint has a verdict. */
export function constraintTask(benchmark: ConstraintBenchmark): Task<'completion'> {
  const { card, checks, headline, demo } = benchmark
  return {
    card,
    key: 'key',
    async survey({ rows }) {
      await eachRecord(recordsOf(rows, 'test', benchmark.record))
      return everyRow
    },
    open({ rows }) {
      const records = recordsOf(rows, 'test', benchmark.record)
      return { count: records.count, item: async (index) => toItem(await records.read(index), index, benchmark) }
    },
    solver: () => generate,
    score(item, evidence, _profile, tables) {
      const score = scoreInstructions(evidence, { instructions: instructionsOf(item.metadata), checks, headline, tables })
      return benchmark.report?.(score, item.metadata) ?? score
    },
    demo(item, right) {
      const instructions = instructionsOf(item.metadata)
      return right ? demo.following(instructions) : demo.broken(instructions)
    },
  }
}

function toItem({ key, prompt, instructions }: InstructionRecord, index: number, { groupOf, facts }: ConstraintBenchmark): Item {
  const messages = [{ role: 'user' as const, content: prompt }]
  const ids = instructions.map(({ id }) => id)
  const metadata = { instruction_id_list: ids, kwargs: instructions.map(({ kwargs }) => kwargs), ...facts?.(key) }
  return {
    item_id: String(index),
    source_id: key,
    item_hash: itemHash(messages),
    group: groupOf(ids),
    messages,
    target: allFollowed,
    metadata: metadata as Item['metadata'], // kwargs were parsed from JSON rows
  }
}
