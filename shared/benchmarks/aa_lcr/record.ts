import * as z from 'zod'

/** A whole number, as JSON has it or as text of a CSV cell. */
const WholeNumber = z.union([z.int(), z.string().regex(/^\d+$/).transform(Number)])

/** The columns that are used. File names are taken as they stand between semicolons, without trimming; their order is that of the prompt. */
export const LcrRecord = z
  .object({
    document_category: z.string().min(1),
    document_set_id: z.string().min(1),
    question_id: WholeNumber,
    question: z.string().min(1),
    answer: z.string().min(1),
    data_source_filenames: z.string().min(1),
    /** Tokens of the finished prompt by cl100k_base, as the authors counted them; for information only, so any cell will do. */
    input_tokens: z
      .union([WholeNumber, z.unknown().transform(() => null)])
      .optional()
      .transform((count) => count ?? null),
  })
  .transform((row) => ({ ...row, data_source_filenames: row.data_source_filenames.split(';') }))
export type LcrRecord = z.infer<typeof LcrRecord>

/** A file of the archive; `text` is null for one that is no UTF-8. */
export const LcrDocument = z.object({ name: z.string(), text: z.string().nullable() })
export type LcrDocument = z.infer<typeof LcrDocument>
