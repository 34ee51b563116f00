import { expect, test } from 'vitest'
import type { GradedStep } from '../contract/evidence/reward.ts'
import type { Failure } from '../contract/failure.ts'
import { Step } from '../contract/transcript.ts'
import { noUsage } from '../contract/usage.ts'
import { writeTrajectory } from '../harbor/write-trajectory.ts'
import { episodeTrajectory } from './episode-trajectory.ts'
import { reportEpisode } from './report-episode.ts'
import { endedEpisode } from './testing/ended-episode.ts'
import { rewardEvidence } from './testing/evidence.ts'

const reported = (steps: readonly Partial<GradedStep>[], changes: Parameters<typeof rewardEvidence>[1] = {}) =>
  reportEpisode(endedEpisode({ evidence: rewardEvidence(steps, changes) }))

test('[HARB22] an episode is told with its task, agent, model, tokens and the times of its phases, counted back from its end', () => {
  const phases = [
    { name: 'start', step: null, began_ms: 1000, took_ms: 500 },
    { name: 'agent', step: null, began_ms: 1500, took_ms: 2000 },
    { name: 'verifier', step: null, began_ms: 3500, took_ms: 500 },
  ] as const
  expect(
    reportEpisode(
      endedEpisode({ evidence: rewardEvidence([{}], { phases: [...phases], agent: { name: 'terminus-2', version: '2.0.0' } }) }),
    ),
  ).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/),
    name: 'write-hello__0',
    task: {
      name: 'org/write-hello',
      path: 'tasks/write-hello',
      version: null,
      source: 'terminal_tasks',
      checksum: 'c'.repeat(64),
      digest: `sha256:${'d'.repeat(64)}`,
    },
    agent: { name: 'terminus-2', version: '2.0.0' },
    model: { name: 'maker/model', provider: 'chutes' },
    rewards: { reward: 1 },
    verifier_mode: 'shared',
    error: null,
    spent: { input_tokens: 100, cached_tokens: 10, output_tokens: 20, cost_usd: 0.5 },
    times: { started_at: '2026-11-24T11:59:56.000Z', finished_at: '2026-11-24T12:00:00.000Z' },
    phases: {
      environment_setup: { started_at: '2026-11-24T11:59:57.000Z', finished_at: '2026-11-24T11:59:57.500Z' },
      agent_setup: null,
      agent_execution: { started_at: '2026-11-24T11:59:57.500Z', finished_at: '2026-11-24T11:59:59.500Z' },
      verifier: { started_at: '2026-11-24T11:59:59.500Z', finished_at: '2026-11-24T12:00:00.000Z' },
    },
    steps: null,
  })
  expect(reportEpisode(endedEpisode({ calls: 0, usage: noUsage }, 'oracle')).spent).toBeNull()
  expect(reported([{}], { room: 'clean', agent: { name: 'oracle', version: '1' } })).toMatchObject({
    verifier_mode: 'separate',
    model: null,
  })
  expect(reportEpisode(endedEpisode()).id).not.toBe(reportEpisode(endedEpisode({ ordinal: 1 })).id)
})

const named: [Partial<GradedStep>, string][] = [
  [{ agent: { end: 'timeout', turns: 1, detail: '' } }, 'AgentTimeoutError'],
  [{ rewards: null, problem: 'missing' }, 'RewardFileNotFoundError'],
  [{ rewards: null, problem: 'empty' }, 'RewardFileEmptyError'],
  [{ rewards: null, problem: 'unreadable' }, 'VerifierOutputParseError'],
  [{ rewards: null, problem: 'out-of-range' }, 'VerifierOutputParseError'],
  [{ rewards: null, problem: 'folder' }, 'IsADirectoryError'],
  [{ rewards: null, problem: 'special' }, 'RewardFileEmptyError'],
  [{ rewards: null, problem: 'link' }, 'RewardFileNotFoundError'],
  [{ rewards: null, problem: 'timeout' }, 'VerifierTimeoutError'],
]
test.each(named)('[HARB22] what went wrong has Harbor’s class of error: %j', (step, type) => {
  expect(reported([step]).error).toMatchObject({ type, occurred_at: '2026-11-24T12:00:00.000Z' })
})

test('[HARB520] a reward file without a reward is told as it is, and signs of tampering make its rewards 0', () => {
  for (const strategy of ['mean', 'final'] as const) {
    const { rewards, error } = reported([{ rewards: {} }], { strategy })
    expect([rewards, error]).toEqual([{}, null])
  }
  expect(reported([{ rewards: { a: 1 }, tampering: ['tests-changed'] }]).rewards).toEqual({ a: 0 })
})

const failing: [Pick<Failure, 'at' | 'reason'>, string][] = [
  [{ at: 'sandbox', reason: 'build-failed' }, 'RuntimeError'],
  [{ at: 'sandbox', reason: 'unhealthy' }, 'HealthcheckError'],
  [{ at: 'provider', reason: 'overloaded' }, 'provider/overloaded'],
]
test.each(failing)('[HARB22] a failure has no reward, and the class of Harbor’s error or ours: %j', (failure, type) => {
  const told = { ...failure, retryable: false, status: null, detail: 'why' } as Failure // pairs of the table
  const episode = reportEpisode(endedEpisode({ outcome: 'failed', score: null, evidence: null, failure: told, item_metadata: {} }))
  expect(episode).toMatchObject({ rewards: null, error: { type, message: expect.stringContaining('why') }, task: { digest: '' } })
  expect(episode.agent).toEqual({ name: 'terminus-2', version: 'unknown' })
})

test('[HARB22] a sign of tampering makes the rewards 0, as it does the score, and the error says what was written', () => {
  const episode = reported([{ tampering: ['reward-before-tests'], rewards: { reward: 1 } }])
  expect(episode.rewards).toEqual({ reward: 0 })
  expect(episode.error).toMatchObject({
    type: 'RewardTamperingError',
    message: expect.stringMatching(/before the tests.*As written: reward 1/),
  })
})

test('[HARB22] named steps are told one by one with their own errors; those that were not begun are left out', () => {
  const skipped = { name: 'c', agent: { end: 'skipped' as const, turns: 0, detail: '' }, rewards: null }
  const episode = reported([{ name: 'a' }, { name: 'b', rewards: null, problem: 'empty' }, skipped])
  expect(episode).toMatchObject({ rewards: { reward: 1 }, error: null, verifier_mode: null })
  expect(episode.steps?.map(({ name, rewards, error }) => [name, rewards, error?.type])).toEqual([
    ['a', { reward: 1 }, undefined],
    ['b', null, 'RewardFileEmptyError'],
  ])
})

const call = (at_ms: number, known: number, messages: string[], reply: string | null, role = 'model') =>
  Step.parse({
    ...{ type: 'model_call', at_ms, took_ms: 100, role, known, messages: messages.map((content) => ({ role: 'user', content })) },
    reply: reply === null ? null : { text: reply, reasoning: 'hm', finish_reason: 'stop' },
    ...{ ttft_ms: 1, usage: { input_tokens: 5, output_tokens: 2, cached_tokens: 0, reasoning_tokens: 0 }, failure: null },
  })

test('[HARB23] a trajectory has what the model was told first, its replies, and what the terminal showed after each', () => {
  const { record, ...of } = endedEpisode()
  const episode = reportEpisode({ record, ...of })
  const steps = [
    call(0, 0, ['All of the task'], 'ls'),
    call(50, 0, ['look'], 'yes', 'judge'),
    call(200, 2, ['file.txt'], 'done'),
    call(400, 4, ['bye'], null),
  ]
  const written = JSON.parse(writeTrajectory(episodeTrajectory(record, steps, episode)!))
  expect(written).toMatchObject({
    schema_version: 'ATIF-v1.7',
    session_id: episode.id,
    agent: { name: 'terminus-2', model_name: 'maker/model' },
  })
  expect(written.notes).toContain('2 calls')
  expect(written.steps).toEqual([
    { step_id: 1, timestamp: '2026-11-24T12:00:00.000Z', source: 'user', message: 'All of the task' },
    {
      ...{ step_id: 2, timestamp: '2026-11-24T12:00:00.100Z', source: 'agent', message: 'ls', reasoning_content: 'hm', llm_call_count: 1 },
      observation: { results: [{ content: 'file.txt' }] },
      metrics: { prompt_tokens: 5, completion_tokens: 2, cached_tokens: 0 },
    },
    {
      ...{
        step_id: 3,
        timestamp: '2026-11-24T12:00:00.300Z',
        source: 'agent',
        message: 'done',
        reasoning_content: 'hm',
        llm_call_count: 1,
      },
      metrics: { prompt_tokens: 5, completion_tokens: 2, cached_tokens: 0 },
    },
  ])
})

test('[HARB23] where one answer tells all, it follows the item’s own messages; where no model was asked there is no trajectory', () => {
  const { record, ...of } = endedEpisode()
  const episode = reportEpisode({ record, ...of })
  expect(episodeTrajectory(record, [], episode)?.steps).toMatchObject([
    { source: 'user', message: 'Write hello.' },
    { source: 'agent', message: 'Done.' },
  ])
  expect(episodeTrajectory({ ...record, evidence: rewardEvidence([{}]) }, [], episode)).toBeNull()
})
