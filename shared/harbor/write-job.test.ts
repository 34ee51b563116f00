import fc from 'fast-check'
import { expect, test } from 'vitest'
import { draws } from '../testing/draws.ts'
import { readJobFolder } from './read-job.ts'
import { job } from './testing/job.ts'
import { tree } from './testing/task-files.ts'
import { jobResult, writeJobFolder } from './write-job.ts'

const written = () => Object.fromEntries([...writeJobFolder(job)].map(({ path, text }) => [path.slice('job/'.length), text]))
const read = (files: Readonly<Record<string, string>>) => readJobFolder('job', tree(files))

test('[HARB18] a job is a folder of config, lock and result, and so is every episode in it', () => {
  const names = ['config.json', 'lock.json', 'result.json']
  expect(Object.keys(written())).toEqual([...names, ...job.episodes.flatMap(({ name }) => names.map((file) => `${name}/${file}`))])
  expect(JSON.parse(written()['task__1/result.json'] ?? '')).toMatchObject({
    task_name: 'org/task',
    trial_name: 'task__1',
    task_id: { path: '/tasks/task' },
    source: 'set',
    task_checksum: 'c'.repeat(64),
    config: {
      task: { path: '/tasks/task', source: 'set' },
      agent: { name: 'terminus-2', model_name: 'maker/model' },
      timeout_multiplier: 1.5,
      job_id: job.id,
    },
    agent_info: { name: 'terminus-2', version: '2.0.0', model_info: { name: 'model', provider: 'maker' } },
    agent_result: { n_input_tokens: 100, n_cache_tokens: 20, n_output_tokens: 10, cost_usd: 0.25 },
    verifier_result: { rewards: { reward: 1 } },
    exception_info: null,
    step_results: null,
  })
  expect(JSON.parse(written()['lock.json'] ?? '')).toMatchObject({
    schema_version: 3,
    trials: [{ schema_version: 2, task: { type: 'local', digest: `sha256:${'d'.repeat(64)}` } }, {}, {}, {}],
  })
})

test('[HARB18] the result of a job counts as Harbor counts', () => {
  expect(jobResult(job)).toMatchObject({
    n_total_trials: 6,
    stats: {
      n_completed_trials: 4,
      n_errored_trials: 1,
      n_pending_trials: 2,
      n_cancelled_trials: 0,
      n_retries: 1,
      n_input_tokens: 151,
      n_cache_tokens: 20,
      n_output_tokens: 16,
      cost_usd: 0.25,
      evals: {
        'terminus-2__model__set': {
          n_trials: 2,
          n_errors: 1,
          metrics: [{ mean: 1 / 3 }],
          pass_at_k: { 2: 2 / 3 },
          reward_stats: { reward: { 1: ['task__1'], 0: ['task__2'] } },
          exception_stats: { AgentTimeoutError: ['task__3'] },
        },
        'terminus-2__set': { n_trials: 1, n_errors: 0, metrics: [{ reward: 0.5, style: 1 }], pass_at_k: {} },
      },
    },
  })
})

test('[HARB19] what was written is read back as it was', () => {
  const told = {
    'terminus-2__model__set': { trials: 2, errors: 1, metrics: [{ mean: 1 / 3 }] },
    'terminus-2__set': { trials: 1, errors: 0, metrics: [{ reward: 0.5, style: 1 }] },
  }
  expect(read(written())).toEqual({ ok: true, job: { ...job, told }, problems: [] })
})

test("[HARB19] an episode that cannot be read is named and left out; without the job's own result there is no job", () => {
  const files = written()
  const damaged = read({ ...files, 'task__2/result.json': '{', 'task__3/result.json': '{"id": 5}' })
  expect(damaged.ok && damaged.job.episodes.map(({ name }) => name)).toEqual(['task__1', 'task__4'])
  expect(damaged.problems.map(({ entry }) => entry)).toEqual(['task__2/result.json', 'task__3/result.json'])
  expect(read({ 'task__1/result.json': files['task__1/result.json'] ?? '' })).toMatchObject({
    ok: false,
    problems: [{ entry: 'result.json', text: 'it is missing' }],
  })
  const { 'config.json': _, 'task__1/lock.json': __, ...bare } = files
  expect(read(bare)).toMatchObject({
    ok: true,
    problems: [],
    job: { attempts: 1, width: 4, timeout_multiplier: 1, episodes: [{ task: { digest: '' } }, {}, {}, {}] },
  })
})

test('[HARB19] times without a zone and keys of other versions are taken', () => {
  const files = written()
  const old = (files['task__1/result.json'] ?? '').replaceAll('.500Z', '.500123').replace('"source"', '"new_key": 1, "source"')
  expect(read({ ...files, 'task__1/result.json': old })).toMatchObject({ ok: true, problems: [] })
})

test('[HARB19] any files give a job or problems', () => {
  const file = fc.oneof(fc.json(), fc.string())
  fc.assert(
    fc.property(
      fc.record({ 'result.json': file, 'config.json': file, 'a/result.json': file }),
      (files) => typeof read(files).ok === 'boolean',
    ),
    draws(300),
  )
  fc.assert(
    fc.property(file, (text) => read({ ...written(), 'task__1/lock.json': text }).ok),
    draws(100),
  )
})
