import { expect, test } from 'vitest'
import type { EpisodeReport, JobReport } from '../harbor/episode-report.ts'
import { readJobFolder } from '../harbor/read-job.ts'
import { episode, job } from '../harbor/testing/job.ts'
import { tree } from '../harbor/testing/task-files.ts'
import { writeJobFolder } from '../harbor/write-job.ts'
import { compareMeans, meansLines } from './compare-means.ts'
import { importJob } from './import-job.ts'

const importing = { sha256: 'a'.repeat(64), now: new Date('2026-11-24T18:00:00Z'), newId: () => '0b7c2d4e-1f3a-4b5c-8d6e-7f8091a2b3c4' }
const error = (type: string) => ({ type, message: 'why', traceback: '', occurred_at: '2026-11-24T10:00:05Z' })

/** What Harbor 0.26.0 writes of these episodes: only trials with a valid reward count, and with several names each has its own mean, a missing one as 0. */
const episodes: EpisodeReport[] = [
  episode('1'),
  episode('2', { rewards: { reward: 0 } }),
  episode('3', { rewards: { a: 1 } }),
  episode('4', { rewards: null, error: error('VerifierOutputParseError') }),
  episode('5', { rewards: null, error: error('RewardFileNotFoundError') }),
  episode('6', { rewards: null, error: error('CancelledError') }),
]
const evals = (stats: object): object => ({ 'terminus-2__model__set': stats })
const ofHarbor = evals({ n_trials: 3, n_errors: 3, metrics: [{ a: 1 / 3, reward: 1 / 3 }], reward_stats: {}, exception_stats: {} })

/** The job folder with these `stats.evals` in its result, as it is read. */
function readJob(told: unknown): JobReport {
  const files = Object.fromEntries([...writeJobFolder({ ...job, episodes })].map(({ path, text }) => [path.slice('job/'.length), text]))
  const result = JSON.parse(files['result.json']!)
  const read = readJobFolder(
    'job',
    tree({ ...files, 'result.json': JSON.stringify({ ...result, stats: { ...result.stats, evals: told } }) }),
  )
  if (!read.ok) throw new Error(JSON.stringify(read.problems))
  return read.job
}
const compared = (told: unknown) => {
  const read = readJob(told)
  return compareMeans(importJob(read, importing)[0]!, read)
}

test('[HARB510] the mean of an imported run stands beside the one that Harbor computed of the same trials', () => {
  const means = compared(ofHarbor)
  expect(means).toEqual({
    mean: 2 / 5, // `{"a":1}` is 1 by our rule, and the two verifiers without a reward are 0
    scored: 5,
    no_reward: 2,
    failed: 1,
    harbor: [{ data_set: 'set', metrics: [{ name: 'a', value: 1 / 3 }, { name: 'reward', value: 1 / 3 }], trials: 3, errors: 3 }], // biome-ignore format: one answer
  })
  expect(meansLines(means)).toEqual([
    'Harbor: a 0.333, reward 0.333 (3 trials with a reward, 3 with an error)',
    'Here: mean 0.400 over 5 trials, 2 of them 0 for a missing reward; 1 failed',
  ])
})

test.each([
  ['no metrics', {}],
  ['the metrics of another agent', { oracle__model__set: { n_trials: 1, n_errors: 0, metrics: [{ mean: 1 }] } }],
  ['counts that are none', evals({ n_trials: -1, n_errors: 0, metrics: [{ mean: 1 }] })],
  ['something else', 'metrics'],
])('[HARB510] a job with %s tells nothing of Harbor’s mean, and no number stands in for it', (_, told) => {
  const means = compared(told)
  expect([means.harbor, meansLines(means), means.scored]).toEqual([[], [], 5])
})

test('[HARB510] a metric of a job’s own is told by its numbers alone, and each data set has a line', () => {
  const own = compared(evals({ n_trials: 0, n_errors: 1, metrics: [{ rank: 'gold', best: 1 }, {}] }))
  expect(own.harbor[0]?.metrics).toEqual([{ name: 'best', value: 1 }])
  const two = { ...own, harbor: ['one', 'two'].map((data_set) => ({ data_set, metrics: [], trials: 1, errors: 0 })) }
  expect(meansLines(two).slice(0, 2)).toEqual([
    'Harbor (one): no metric (1 trial with a reward)',
    'Harbor (two): no metric (1 trial with a reward)',
  ])
})
