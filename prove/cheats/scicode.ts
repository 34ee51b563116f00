import { ScicodeRecord } from '#shared/benchmarks/scicode/record.ts'
import type { CheatBook, CheatCase } from './cheat-book.ts'
import { sampleRows } from './sample-rows.ts'
import { type ScicodeCheat, scicodeCheats } from './scicode-cheats.ts'

/** Problems of the sample: numbers and a tuple, sparse matrices and dictionaries, and one of two plain functions. */
const indices = [0, 1, 2]

const fenced = (code: string): string => `Here it is.\n\`\`\`python\n${code}\n\`\`\`\n`

/** What is tried at SciCode: a cheat that works passes the whole problem. */
export const scicodeBook: CheatBook = {
  benchmark: 'scicode',
  profile: 'builtin',
  rows: async () => ({ test: sampleRows('scicode'), targets: sampleRows('scicode', 'sample.targets.jsonl') }),
  async cases(opened, rows) {
    const cases: CheatCase[] = []
    for (const index of indices) {
      const record = ScicodeRecord.parse(await rows.test!.read(index))
      const steps = record.sub_steps.filter(({ given_code }) => !given_code)
      const at = { index, item: (await opened.item(index, 0)).source_id ?? '' }
      cases.push({ ...at, cheat: 'reference', answers: steps.map(({ ground_truth_code }) => fenced(ground_truth_code ?? '')), want: 1 })
      cases.push({ ...at, cheat: 'no answer', answers: steps.map(() => ''), want: 0 })
      cases.push({ ...at, cheat: 'an answer without code', answers: steps.map(() => 'The function follows from the one before.'), want: 0 })
      for (const one of scicodeCheats.filter(({ problems }) => problems.includes(index)))
        cases.push({ ...at, cheat: one.cheat, answers: steps.map((step, place) => fenced(cheatingStep(one, step, place))), want: one.want })
    }
    return cases
  },
}

/** What a cheat says to the step at a place: its code, and the function that is right or returns the cheat's value for everything. */
function cheatingStep({ steps, code, returns }: ScicodeCheat, step: ScicodeRecord['sub_steps'][number], place: number): string {
  const name = /^def (\w+)/.exec(step.function_header)?.[1]
  if (name === undefined) throw new Error(`no function begins with ${step.function_header}`)
  const wrong = `def ${name}(*_, **__):\n    return ${returns}\n`
  if (steps === 'each') return `${code}\n${wrong}`
  return place === 0 ? `${code}\n${step.ground_truth_code}` : wrong
}
