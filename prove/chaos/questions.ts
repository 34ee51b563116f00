import { hash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { builtinPrompt } from '#shared/benchmarks/mmlu_pro/prompt.ts'
import { letters, MmluProRecord } from '#shared/benchmarks/mmlu_pro/record.ts'
import { createRandom } from '../sim/random.ts'

/** What the undisturbed run must give for an item; `prompt_sha256` is how the provider's ledger names its question. */
export type Expectation = { prompt_sha256: string; outcome: 'right' | 'wrong'; answer: string | null; target: string }

export type Questions = {
  /** By item id. */
  expected: Map<string, Expectation>
  /** Value for BENCH_DATA_OVERRIDES. */
  overrides: string
  /** File for `prove/provider/main.ts --replies`. */
  replies: string
}

const render = builtinPrompt()
const promptOf = (record: MmluProRecord): string => {
  const { opening, rest } = render(record)
  return opening + rest
}

/**
 * Writes `count` invented questions in the schema of MMLU-Pro, and what the simulated model says to each: of ten prompts about seven get the right
 * letter, two a wrong one and one no letter at all. The answer belongs to the prompt, so asking again gives it again.
 */
export function writeQuestions(dir: string, count: number, seed: number): Questions {
  const random = createRandom(seed)
  const expected = new Map<string, Expectation>()
  const rows: string[] = []
  const replies: string[] = []
  for (let index = 0; index < count; index++) {
    const row = question(index, random.int(2, 900), random.int(3, letters.length))
    const prompt_sha256 = hash('sha256', promptOf(MmluProRecord.parse(row)))
    const answer = said(row.answer, row.options.length, random.next())
    const reasoning = 'The crates are counted row by row. '.repeat(random.int(1, 6))
    rows.push(JSON.stringify(row))
    replies.push(
      JSON.stringify({ prompt_sha256, text: answer ? `${reasoning}The answer is (${answer}).` : `${reasoning}None of the choices fits.` }),
    )
    expected.set(String(index), { prompt_sha256, outcome: answer === row.answer ? 'right' : 'wrong', answer, target: row.answer })
  }
  const files = { test: join(dir, 'questions.jsonl'), replies: join(dir, 'replies.jsonl'), overrides: join(dir, 'overrides.json') }
  writeFileSync(files.test, `${rows.join('\n')}\n`)
  writeFileSync(files.replies, `${replies.join('\n')}\n`)
  writeFileSync(files.overrides, JSON.stringify({ mmlu_pro: { files: [{ role: 'test', path: files.test }] } }))
  return { expected, overrides: files.overrides, replies: files.replies }
}

function question(index: number, crates: number, choices: number) {
  const place = (index * 7) % choices
  const options = Array.from({ length: choices }, (_, n) => String(crates * 12 + (n - place) * 5))
  return {
    question_id: 100_000 + index,
    question: `Store ${index} holds ${crates} rows of 12 crates each. How many crates are there?`,
    options,
    answer: letters[place]!,
    cot_content: '',
    category: ['math', 'physics', 'business', 'other'][index % 4]!,
    src: 'invented',
  }
}

/** The letter the model names: a draw under 0.7 is right, under 0.9 the one after it, above that none. */
function said(right: string, choices: number, draw: number): string | null {
  if (draw < 0.7) return right
  return draw < 0.9 ? letters[(letters.indexOf(right) + 1) % choices]! : null
}
