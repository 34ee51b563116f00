import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { findTask } from '#shared/benchmarks/tasks.ts'
import type { Evidence } from '#shared/contract/evidence/evidence.ts'
import { noTables } from '#shared/scorers/tables.ts'
import { datasetEnv } from '../dataset/dataset-env.ts'
import type { Heavy } from '../threads/heavy.ts'
import { openHeavyPool } from '../threads/heavy-pool.ts'
import { longAnswer, scoreApart } from './score-apart.ts'

const item = { target: 'C', metadata: { question: 'Which?', options: ['1', '2', '3', '4'] } }
const answer = (text: string): Evidence => ({
  kind: 'completion',
  text,
  reasoning: null,
  finish_reason: 'stop',
  scoring_input: null,
  truncated_reasoning: false,
})
const filler = 'I compared the choices one by one. '.repeat(1000)

async function scorerWith(heavy: Heavy) {
  const task = await findTask('mmlu_pro')
  if (!task) throw new Error('no task')
  const env = datasetEnv({}, { cacheDir: '/nowhere', benchmarksDir: join(import.meta.dirname, '../../shared/benchmarks'), heavy })
  const apart = scoreApart(task, [], env)
  const score = (scorer: typeof apart, text: string) => scorer.score(item, answer(text) as never, 'builtin', noTables)
  return { apart: (text: string) => score(apart, text), here: (text: string) => score(task, text) }
}

test('[FLEET96] a long answer is scored on a thread as it would be here, a short one at once', async () => {
  const pool = openHeavyPool()
  onTestFinished(() => pool.close())
  const asked: string[] = []
  const { apart, here } = await scorerWith({
    run: (name, input, options) => {
      asked.push(`${name} within ${options?.deadlineMs} ms`)
      return pool.run(name, input, options)
    },
  })
  const short = `${filler.slice(0, longAnswer - 40)} The answer is (C).`
  expect(apart(short)).toEqual(here(short))
  expect(asked).toEqual([])
  for (const text of [`${filler} The answer is (C).`, `${filler} The answer is (A).`, filler]) expect(await apart(text)).toEqual(here(text))
  expect(here(`${filler} The answer is (C).`)).toMatchObject({ outcome: 'right', answer: 'C' })
  expect(asked).toEqual(Array.from({ length: 3 }, () => 'score within 60000 ms'))
})
