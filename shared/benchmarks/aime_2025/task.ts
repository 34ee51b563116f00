import * as z from 'zod'
import { contestTask } from '../contest-task.ts'
import { IntegerCell } from '../parse-rows.ts'
import { card } from './card.ts'

const ContestRecord = z
  .object({
    problem_idx: IntegerCell,
    problem: z.string().min(1),
    answer: IntegerCell.refine((value) => value >= 0 && value <= 999, 'is not from 0 to 999'),
    problem_type: z.array(z.string()).nullish(),
  })
  .transform((row) => ({
    source_id: String(row.problem_idx),
    problem: row.problem,
    answer: String(row.answer),
    // Problems 1 to 15 are those of contest I, the others those of contest II.
    group: Number(row.problem_idx) <= 15 ? 'I' : 'II',
    metadata: { problem_type: row.problem_type ?? [] },
  }))

export default contestTask(card, ContestRecord, 'problem_idx')
