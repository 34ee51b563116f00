import { expect, test } from 'vitest'
import { BenchmarkPage, Run, RunList } from '#shared/contract/api.ts'
import { openApp } from '../testing/call-app.ts'
import { exampleEnded, exampleSpec, exampleTrials } from '../testing/example-records.ts'

const accuracy = { value: 0.7, low: 0.6, high: 0.8, n: 3, method: 'clustered' }
const pass_at_k = { value: 0.9, low: 0.8, high: 1, n: 3, method: 'clustered' }
const unscored = { value: null, low: null, high: null, n: 0, method: 'wilson' }

test('[LINE1] the old routes give plain metrics under the old names and intervals beside them', async () => {
  const app = openApp()
  const spec = exampleSpec({ subset: { pct: 1, count: 10, seed: 's', sampling: 'sha256' } })
  const ended = exampleEnded(spec)
  app.record.runs.set(spec.run_id, { ...ended, metrics: { mmlu_pro: { accuracy, pass_at_k, flip_rate: unscored, timing: { n: 3 } } } })
  app.record.trials.set(spec.run_id, exampleTrials())
  const get = async (path: string) => (await app.call('GET', path)).json()
  const run = Run.parse(await get(`/api/runs/${spec.run_id}`))
  const [planned, tally] = [spec.benchmarks[0]!, ended.head.benchmarks.mmlu_pro!]
  const plain = {
    accuracy: tally.score_sum / (tally.right + tally.wrong),
    correct: tally.right,
    sampled_items: planned.sampled_items,
    sampled_pct: (planned.sampled_items / planned.total_items) * 100,
    score: 0.7,
    subset_count: 10,
    subset_seed: 's',
    total_items: planned.total_items,
    pass_at_k: 0.9,
  }
  expect(run.benchmarks[0]!.metrics).toEqual(plain)
  expect(run.benchmarks[0]!.estimates).toEqual({ accuracy, pass_at_k, flip_rate: unscored, timing: { n: 3 } })
  expect(BenchmarkPage.parse(await get(`/api/runs/${spec.run_id}/benchmarks/mmlu_pro`)).benchmark.metrics).toEqual(plain)
  expect(RunList.parse(await get('/api/runs')).runs[0]!.benchmarks[0]!.metrics).toEqual(plain)
})

test('[LINE1] a benchmark that goes on has no metrics yet', async () => {
  const app = openApp()
  const spec = exampleSpec()
  app.record.runs.set(spec.run_id, { ...exampleEnded(spec), metrics: {} })
  const run = Run.parse(await (await app.call('GET', `/api/runs/${spec.run_id}`)).json())
  expect(run.benchmarks[0]).toMatchObject({ metrics: {}, estimates: {} })
})
