import * as z from 'zod'
import { contestTask } from '../contest-task.ts'
import { IntegerCell } from '../parse-rows.ts'
import { card } from './card.ts'

const ContestRecord = z
  .object({
    id: IntegerCell,
    problem: z.string().min(1),
    solution: z.string(),
    answer: z
      .union([z.string(), IntegerCell])
      .transform(String)
      .pipe(z.string().regex(/^\d{1,3}$/)),
    url: z.string(),
  })
  .transform((row) => ({
    source_id: String(row.id),
    problem: row.problem,
    answer: String(Number(row.answer)),
    group: /\b(20\d\d)_/.exec(row.url)?.[1] ?? 'unknown',
    metadata: { url: row.url },
  }))

export default contestTask(card, ContestRecord, 'id')
