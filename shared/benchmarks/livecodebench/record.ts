import * as z from 'zod'

/** A test as the data set has it: what a program reads and what it is to write, or the arguments and the value of a function, as text. */
export const LcbTest = z.object({ input: z.string(), output: z.string(), testtype: z.enum(['stdin', 'functional']) })
export const LcbTests = z.array(LcbTest)

const JsonText = z.string().transform((text, context): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    context.addIssue('is no JSON')
    return z.NEVER
  }
})

/** A point in time as `datetime.fromisoformat` takes it, without a zone, in milliseconds as if it were UTC. */
const ContestDate = z.string().transform((text, context) => {
  const found = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?))?$/.exec(text)
  const time = Date.parse(`${found?.[1]}T${found?.[2] ?? '00:00'}Z`)
  if (!Number.isNaN(time)) return time
  context.addIssue('is no date and time')
  return z.NEVER
})

/** A problem of a release file. Its private tests stay packed as they came: only those of the row that is tested are ever decoded. */
export const LcbRecord = z.object({
  question_title: z.string(),
  question_content: z.string().min(1),
  platform: z.enum(['leetcode', 'codeforces', 'atcoder']),
  question_id: z.string().min(1),
  contest_id: z.string(),
  contest_date: ContestDate,
  starter_code: z.string(),
  difficulty: z.enum(['easy', 'medium', 'hard']),
  public_test_cases: JsonText.pipe(LcbTests),
  private_test_cases: z.string(),
  metadata: JsonText.pipe(z.object({ func_name: z.string().nullish() })),
})
export type LcbRecord = z.infer<typeof LcbRecord>

export const lcbColumns = Object.keys(LcbRecord.shape)
