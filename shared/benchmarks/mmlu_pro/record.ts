import * as z from 'zod'
import { IntegerCell } from '../parse-rows.ts'

export const letters = 'ABCDEFGHIJ'

/** One row of the test or validation file, with the options that a question does not really have ("N/A") removed. */
export const MmluProRecord = z
  .object({
    question_id: IntegerCell,
    question: z.string(),
    options: z.array(z.string()).min(2).max(letters.length),
    answer: z.string().regex(/^[A-J]$/),
    cot_content: z.string(),
    category: z.string(),
    src: z.string(),
  })
  .transform((row) => ({ ...row, options: row.options.filter((option) => option !== 'N/A') }))
export type MmluProRecord = z.infer<typeof MmluProRecord>
