import { expect, test } from 'vitest'
import { RunId } from '#shared/contract/ids.ts'
import type { TaskEpisode } from '#shared/contract/task-upload.ts'
import { noUsage } from '#shared/contract/usage.ts'
import type { FeedRow } from '../live-state.ts'
import { episodesNow, rewardText } from './episode-line.ts'

const run_id = RunId.parse('8c5b0f2e-3d51-4a3e-9a6d-0d7c5b8a1f00')
const episode = (epoch: number, status: TaskEpisode['status'] = 'pending'): TaskEpisode => ({
  ...{ id: `${run_id}.${epoch}`, task_id: 't', run_number: epoch + 1, run_id, benchmark: 'terminal_tasks', item: '0', epoch, status },
  ...{
    started_at: null,
    completed_at: null,
    duration_seconds: null,
    reward: null,
    tests_total: null,
    tests_passed: null,
    tests_failed: null,
  },
  ...{ error_message: null, agent: 'nop', model: 'nop' },
})
const told = (epoch: number, row: Partial<FeedRow>): FeedRow => ({
  ...{
    ordinal: epoch,
    attempt: 1,
    item_id: '0',
    epoch,
    group: null,
    outcome: 'wrong',
    score: 0,
    answer: null,
    expected: null,
    failure: null,
  },
  ...{ retryable: false, flags: [], latency_ms: 1500, ttft_ms: null, usage: noUsage, cost_usd: null },
  ...{ benchmark: 'terminal_tasks', at: '2026-11-24T00:00:00Z', seq: 1, ...row },
})
const shown = (episodes: TaskEpisode[]) => episodes.map(({ status, reward, error_message }) => [status, reward, error_message])

test('[UI136] episodes take their results from the stream of their run, and what agents have is at work', () => {
  const read = [0, 1, 2, 3, 4, 5].map((epoch) => episode(epoch))
  const feed = [
    told(0, { outcome: 'right', score: 1 }),
    told(1, { score: 0.25 }),
    told(2, { flags: ['agent_timeout'] }),
    told(3, { outcome: 'failed', score: null, failure: 'sandbox/build-failed' }),
  ]
  expect(shown(episodesNow(read, feed, new Set([4])))).toEqual([
    ['passed', 1, null],
    ['failed', 0.25, null],
    ['timeout', 0, null],
    ['error', null, 'sandbox/build-failed'],
    ['running', null, null],
    ['pending', null, null],
  ])
  expect(episodesNow(read, feed, new Set())[0]!.duration_seconds).toBe(1.5)
})

test('[UI136] how the record says an episode ended stands, and of several results of the stream the newest', () => {
  const read = [{ ...episode(0, 'passed'), reward: 1 }, episode(1, 'running')]
  const feed = [told(1, { outcome: 'right', score: 1, seq: 9 }), told(1, { outcome: 'failed', score: null, seq: 3 }), told(0, {})]
  expect(shown(episodesNow(read, feed, new Set([0])))).toEqual([
    ['passed', 1, null],
    ['passed', 1, null],
  ])
})

test('[UI135] a reward has two digits at most, and none is a dash', () => {
  expect([1, 0, 0.5, 0.3333, null].map(rewardText)).toEqual(['1', '0', '0.5', '0.33', '–'])
})
