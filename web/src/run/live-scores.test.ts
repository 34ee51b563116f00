import { expect, test } from 'vitest'
import type { Run } from '#shared/contract/api.ts'
import { overallEstimate, tallyEstimate } from '#shared/metrics/estimate.ts'
import { brief, results, startHistory } from '#shared/run/testing/history.ts'
import { testSpec } from '#shared/run/testing/test-spec.ts'
import { scoresAt } from './live-scores.ts'

const recorded = { value: 0.9, low: 0.8, high: 0.95, n: 10, method: 'recorded' }

/** A run of ten trials, three of them done, and the API's answer from before the first. */
function runUnderWay() {
  const history = startHistory(testSpec())
  const before = history.head()
  history.run({ type: 'hello', agent_id: 'a', session: 'session-1', holding: [] }, 1000)
  history.run({ type: 'claim', session: 'session-1', count: 3 }, 1000)
  history.run({ type: 'report', session: 'session-1', results: results(brief(0, 1), brief(1, 1, 'wrong'), brief(2, 1)) }, 2000)
  const benchmarks = [{ benchmark_name: 'alpha', estimate: recorded, groups: [] as Run['benchmarks'][number]['groups'] }]
  const answer = { spec: history.spec, head: before, estimate: recorded, benchmarks } as unknown as Run // the fields that are read
  return { history, answer }
}

test('[UI22] a later state than the answered one is scored from its counts, as the API does it, groups too', () => {
  const { history, answer } = runUnderWay()
  const head = history.head()
  const planned = history.spec.benchmarks[0]!
  const scores = scoresAt(answer, head)
  const estimate = tallyEstimate({ right: 2, wrong: 1, score_sum: 2 }, planned)
  expect(scores.benchmarks.alpha!.estimate).toEqual(estimate)
  expect(scores.overall).toEqual(overallEstimate([estimate]))
  expect(scores.benchmarks.alpha!.groups.map(({ name, estimate: { n, value } }) => [name, n, value]).toSorted()).toEqual([
    ['even', 2, 1],
    ['odd', 1, 0],
  ])
})

test('[UI22] for the answered state or an earlier one the answer’s own scores stand', () => {
  const { history, answer } = runUnderWay()
  const later = { ...answer, head: history.head() }
  expect(scoresAt(later, answer.head).overall).toEqual(recorded)
  expect(scoresAt(later, later.head).benchmarks).toEqual({ alpha: { estimate: recorded, groups: [], warning: null } })
})

test('[UI24] categories come by name, whatever order the answer has them in', () => {
  const { history, answer } = runUnderWay()
  const group = (name: string) => ({ name, right: 1, wrong: 0, failed: 0, total: 1, estimate: recorded })
  const groups = ['law', 'math 10', 'math 9', 'biology'].map(group)
  const given = { ...answer, benchmarks: [{ ...answer.benchmarks[0]!, groups }] }
  const names = (scores: ReturnType<typeof scoresAt>) => scores.benchmarks.alpha!.groups.map(({ name }) => name)
  expect(names(scoresAt(given, answer.head))).toEqual(['biology', 'law', 'math 9', 'math 10'])
  expect(names(scoresAt(given, history.head()))).toEqual(['even', 'odd'])
})
