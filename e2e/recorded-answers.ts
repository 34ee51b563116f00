import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import * as z from 'zod'
import { card } from '#shared/benchmarks/mmlu_pro/card.ts'
import task from '#shared/benchmarks/mmlu_pro/task.ts'
import { itemsOf, openLists } from '#shared/benchmarks/testing/open-lists.ts'
import { root } from './stack.ts'

const folder = join(process.env.BENCH_SHARED ?? join(root, '..', 'shared'), 'data', 'mmlu_pro')
export const testFile = join(folder, 'test.parquet')
export const recordedAnswersAreHere = existsSync(testFile)

const Row = z.object({
  question_id: z.coerce.number(),
  question: z.string(),
  options: z.array(z.string()),
  answer: z.string(),
  category: z.string(),
})
const Reply = z.object({ question_id: z.coerce.number(), reply: z.string(), official_pred: z.string().nullable() })

/** One real item with what Llama-3.1-70B-Instruct said to it, what the official script made of that, and our own reading of its rules. */
export type Recorded = z.infer<typeof Row> & z.infer<typeof Reply> & { prompt: string; letter: string | null }

/**
 * Reads every `stride`th item of MMLU-Pro in the order of the data set. Each item has its recorded answer
 * and the prompt that a run sends; `rows` holds the rows of the same items.
 */
export async function readRecordedAnswers(stride: number): Promise<{ items: Recorded[]; rows: Record<string, unknown>[] }> {
  const all = await parquetReadObjects({ file: await asyncBufferFromFile(testFile), compressors })
  const raw = all.filter((_, index) => index % stride === 0)
  const lines = gunzipSync(readFileSync(join(folder, 'replies_llama3_1_70b.jsonl.gz')))
    .toString('utf8')
    .trimEnd()
    .split('\n')
  const replies = new Map(lines.map((line) => Reply.parse(JSON.parse(line))).map((reply) => [reply.question_id, reply]))
  const profile = card.profiles.find((one) => one.id === 'builtin')!
  const items = await itemsOf(await openLists(task, { profile, texts: {}, rows: { test: raw } }))
  const recorded = raw.map((row, index) => {
    const item = Row.parse(row)
    const reply = replies.get(item.question_id)!
    return { ...item, ...reply, prompt: items[index]!.messages[0]!.content, letter: officialLetter(reply.reply) }
  })
  return { items: recorded, rows: raw }
}

/**
 * The API script's three patterns, written here once more so that the expectation does not rest on the scorer under test (the script's
 * random guess for answers without a letter left out). Python's `\b` knows letters of every language.
 */
function officialLetter(text: string): string | null {
  const stated = /answer is \(?([A-J])\)?/.exec(text)?.[1]
  if (stated) return stated
  const marked = /.*[aA]nswer:\s*([A-J])/.exec(text)?.[1]
  if (marked) return marked
  return [...text.matchAll(/(?<![\p{L}\p{N}_])[A-J](?![\p{L}\p{N}_])/gu)].at(-1)?.[0] ?? null
}
