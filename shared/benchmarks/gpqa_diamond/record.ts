import * as z from 'zod'

/** The columns that are used of the sixty or so; cells are kept byte for byte. The canary column is never read. */
export const GpqaRecord = z
  .object({
    'Record ID': z.string(),
    Question: z.string().min(1),
    'Correct Answer': z.string().min(1),
    'Incorrect Answer 1': z.string().min(1),
    'Incorrect Answer 2': z.string().min(1),
    'Incorrect Answer 3': z.string().min(1),
    'High-level domain': z.string(),
    Subdomain: z.string(),
  })
  .transform((row) => ({
    record_id: row['Record ID'],
    question: row.Question,
    correct: row['Correct Answer'],
    incorrect: [row['Incorrect Answer 1'], row['Incorrect Answer 2'], row['Incorrect Answer 3']] as const,
    domain: row['High-level domain'],
    subdomain: row.Subdomain,
  }))
export type GpqaRecord = z.infer<typeof GpqaRecord>
