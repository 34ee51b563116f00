import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { findTask } from '#shared/benchmarks/tasks.ts'
import { answered as answer } from '#shared/run/testing/rescore-example.ts'
import { noTables } from '#shared/scorers/tables.ts'
import { datasetEnv } from '../dataset/dataset-env.ts'
import type { Heavy } from '../threads/heavy.ts'
import { openHeavyPool } from '../threads/heavy-pool.ts'
import { longAnswer, scoreApart } from './score-apart.ts'

const item = { target: 'C', metadata: { question: 'Which?', options: ['1', '2', '3', '4'] } }
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

test('[FLEET96] an answer whose scorer reads tables is scored on a thread however short it is, so that no table is parsed here', async () => {
  const task = await findTask('ifeval')
  if (!task) throw new Error('no task')
  const score = { value: 1, outcome: 'right', answer: null, explanation: 'from the thread', flags: [], detail: {} } as const
  const asked: unknown[] = []
  const heavy: Heavy = {
    run: async (name, input) => {
      asked.push([name, input])
      return score as never // what a job of this name gives
    },
  }
  const env = datasetEnv({ HF_TOKEN: 'hf_1' }, { cacheDir: '/nowhere', benchmarksDir: '/nowhere', heavy })
  const apart = scoreApart(task, ['punkt_english'], env)
  expect(await apart.score(item, answer('Yes.') as never, 'official', noTables)).toBe(score)
  const { signal: _signal, heavy: _heavy, ...place } = env
  expect(asked).toEqual([
    ['score', { benchmark: 'ifeval', profile: 'official', item, evidence: answer('Yes.'), tables: ['punkt_english'], place }],
  ])
})
