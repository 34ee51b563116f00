import { expect, test } from 'vitest'
import { mostEpochs } from '../contract/epochs.ts'
import { RunSpec } from '../contract/run.ts'
import { TrialRecord } from '../contract/trial.ts'
import type { EpisodeReport, JobReport } from '../harbor/episode-report.ts'
import { episode, job } from '../harbor/testing/job.ts'
import { importEpisode, importJob, NotImportable } from './import-job.ts'
import { scoreEpisode } from './score-episode.ts'

const importing = { sha256: 'a'.repeat(64), now: new Date('2026-11-24T18:00:00Z'), newId: () => '0b7c2d4e-1f3a-4b5c-8d6e-7f8091a2b3c4' }
const lease = { ordinal: 0, attempt: 1, benchmark: 'terminal_tasks', item_id: '0', epoch: 0 }
const recordOf = (changes: Partial<EpisodeReport>) => TrialRecord.parse(importEpisode(episode('1', changes), lease, 'Do it.'))
const error = (type: string) => ({ type, message: 'why', traceback: '', occurred_at: '2026-11-24T10:00:05Z' })

test('[HARB25] a job becomes a run for each agent and model, of its tasks and their attempts, that says whose numbers it has', () => {
  const at = (name: string, started_at: string, task: string) =>
    episode(name, { times: { started_at, finished_at: null }, task: { ...episode('1').task, name: task } })
  const two: JobReport = {
    ...job,
    episodes: [
      at('2', '2026-11-24T11:00:00Z', 'b'),
      at('1', '2026-11-24T10:00:00Z', 'b'),
      at('3', '2026-11-24T10:00:00Z', 'a'),
      ...job.episodes.slice(3),
    ],
  }
  const [run, other] = importJob(two, importing)
  expect(RunSpec.parse(run!.spec)).toMatchObject({
    model: { id: 'model', slug: 'maker/model', provider: 'harbor' },
    benchmarks: [
      {
        name: 'terminal_tasks',
        profile: 'terminus-2',
        epochs: 2,
        total_items: 2,
        sampled_items: 2,
        data: { source: 'override', repo: 'Harbor job' },
      },
    ],
    imported: {
      from: 'harbor',
      job: 'job',
      job_id: job.id,
      agent: 'terminus-2 2.0.0',
      sha256: importing.sha256,
      at: '2026-11-24T18:00:00.000Z',
    },
    created_at: '2026-11-24T10:00:00.000Z',
  })
  expect([...run!.episodes].map(([key, { name }]) => [key, name])).toEqual([
    ['0/0', 'task__3'],
    ['1/0', 'task__1'],
    ['1/1', 'task__2'],
  ])
  expect(other?.spec.model).toMatchObject({ slug: 'terminus-2', provider: 'harbor' })
  expect(() => importJob({ ...job, episodes: [] }, importing)).toThrow(NotImportable)
  expect(() => importJob({ ...job, episodes: Array.from({ length: mostEpochs + 1 }, () => episode('1')) }, importing)).toThrow(
    NotImportable,
  )
})

const told: [string, Partial<EpisodeReport>, Partial<TrialRecord>][] = [
  [
    'a reward',
    {},
    {
      outcome: 'right',
      score: 1,
      flags: [],
      usage: { input_tokens: 100, output_tokens: 10, cached_tokens: 20, reasoning_tokens: 0 },
      cost_usd: null,
      item_metadata: expect.objectContaining({ told_cost_usd: 0.25 }) as never, // a matcher
    },
  ],
  ['part of one', { rewards: { reward: 0.5 } }, { outcome: 'wrong', score: 0.5, flags: ['partial_reward'] }],
  ['time that was over', { error: error('AgentTimeoutError') }, { score: 1, flags: ['agent_timeout'] }],
  ['more than everything', { rewards: { reward: 1.5 } }, { score: 0, flags: ['no_reward'] }],
  ['no reward file', { rewards: null, error: error('RewardFileNotFoundError') }, { score: 0, flags: ['no_reward'], failure: null }],
  ['a verifier out of time', { rewards: null, error: error('VerifierTimeoutError') }, { score: 0, flags: ['verifier_timeout'] }],
]
test.each(told)('[HARB26] %s scores by our own rule, and the evidence gives the score again', (_, changes, expected) => {
  const record = recordOf(changes)
  expect(record).toMatchObject({ ...expected, source_id: 'org/task', messages: [{ content: 'Do it.' }] })
  const { evidence } = record
  if (evidence?.kind !== 'reward') throw new Error('it was verified')
  expect(scoreEpisode(evidence).value).toBe(record.score)
})

const failed: [string | null, object][] = [
  ['HealthcheckError', { at: 'sandbox', reason: 'unhealthy' }],
  ['RuntimeError', { at: 'sandbox', reason: 'unavailable' }],
  ['SomethingElse', { at: 'solver', reason: 'error' }],
  [null, { at: 'solver', reason: 'error' }],
]
test.each(failed)('[HARB26] %s without a reward is a failure and no score', (type, failure) => {
  const record = recordOf({ rewards: null, error: type === null ? null : error(type) })
  expect(record).toMatchObject({ outcome: 'failed', score: null, evidence: null, failure })
})

test('[HARB26] steps stand where they come to the rewards of the whole, by mean or by the last; else the whole alone', () => {
  const step = (name: string, reward: number) => ({ ...job.episodes[3]!.steps![0]!, name, rewards: { reward }, error: null })
  const strategies = ([0.5, 1, 0.2] as const).map((reward) => {
    const record = recordOf({ rewards: { reward }, steps: [step('one', 0), step('two', 1)] })
    if (record.evidence?.kind !== 'reward') throw new Error('it was verified')
    return [record.score, record.evidence.strategy, record.evidence.steps.map(({ name }) => name)]
  })
  expect(strategies).toEqual([
    [0.5, 'mean', ['one', 'two']],
    [1, 'final', ['one', 'two']],
    [0.2, 'mean', ['']],
  ])
})
