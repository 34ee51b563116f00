import { expect, test } from 'vitest'
import { CreateRun } from '#shared/contract/create-run.ts'
import { mostSwept, sweptRuns } from './sweep.ts'

const request = { model_id: 'org/a', provider: 'chutes', selected_benchmarks: ['mmlu_pro'], subset_pct: 5, reasoning_budget_tokens: 9 }

test('[ITEMS13] a sweep is a run for each model and level, alike in everything else and found by one tag', () => {
  const runs = sweptRuns(request, { also: ['org/b', 'org/a', 'org/b'], levels: ['low', 'high'] }, 'sweep-1')
  expect(runs.map(({ title }) => title)).toEqual(['org/a · low', 'org/a · high', 'org/b · low', 'org/b · high'])
  for (const { title, body } of runs) {
    const { model_id, provider, reasoning_effort, name, tags, ...same } = CreateRun.parse(body)
    expect([`${model_id} · ${reasoning_effort}`, name, tags, provider]).toEqual([
      title,
      title,
      ['sweep-1'],
      model_id === 'org/a' ? 'chutes' : null,
    ])
    expect(same).toMatchObject({ selected_benchmarks: ['mmlu_pro'], subset_pct: 5, reasoning_budget_tokens: null })
  }
})

test('[ITEMS13] without a sweep the request is the one run, as it stands', () => {
  expect(sweptRuns(request, { also: ['org/a'], levels: [] }, 'sweep-1')).toEqual([{ title: 'org/a', body: request }])
  expect(sweptRuns({ ...request, name: 'mine' }, { also: ['org/b'], levels: [] }, 't').map(({ body }) => body.name)).toEqual([
    'mine · org/a',
    'mine · org/b',
  ])
  const many = Array.from({ length: 40 }, (_, at) => `org/${at}`)
  expect(sweptRuns(request, { also: many, levels: ['none', 'low'] }, 't')).toHaveLength(mostSwept)
})
