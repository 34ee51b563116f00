import { expect, test } from 'vitest'
import type { RunHead, RunStatus } from '../contract/run.ts'
import { initialHead } from './apply.ts'
import { episodeEnd, taskStanding } from './task-standing.ts'
import { testSpec } from './testing/test-spec.ts'
import { archiveName, archiveNameOf, uploadData } from './upload-data.ts'

const head = (status: RunStatus, right = 0, wrong = 0, failed = 0, score_sum = right): RunHead => {
  const first = initialHead(testSpec())
  const tally = { ...Object.values(first.benchmarks)[0]!, right, wrong, failed, score_sum }
  const open = status === 'running' || status === 'queued' || status === 'paused'
  const completed_at = open ? null : '2026-01-02T05:00:00.000Z'
  return { ...first, status, total: 10, benchmarks: { terminal_tasks: tally }, started_at: '2026-01-02T04:00:00.000Z', completed_at }
}

test('[TASK5] where a task stands is read off its runs: none, one that is open, else the end of the newest', () => {
  const status = (...heads: RunHead[]) => taskStanding(heads).status
  expect(status()).toBe('pending')
  expect(status(head('succeeded'), head('paused'))).toBe('running')
  expect([status(head('succeeded')), status(head('incomplete')), status(head('failed')), status(head('canceled'))]).toEqual([
    'completed',
    'completed',
    'failed',
    'cancelled',
  ])
  expect(status(head('failed'), head('succeeded'))).toBe('failed')
  expect(taskStanding([head('running', 1, 1, 1, 1.5), head('succeeded', 6, 4)])).toMatchObject({
    ...{ total: 20, passed: 7, failed: 5, errors: 1, mean_reward: 7.5 / 12, completed_at: null, started_at: '2026-01-02T04:00:00.000Z' },
  })
  expect(taskStanding([head('succeeded')])).toMatchObject({ mean_reward: null, completed_at: '2026-01-02T05:00:00.000Z' })
})

test('[TASK9] how an episode ended: passed, failed, out of time, or not graded', () => {
  const end = (outcome: 'right' | 'wrong' | 'failed', flags: string[] = [], reason: 'timeout' | 'build-failed' = 'build-failed') =>
    episodeEnd({
      outcome,
      flags,
      failure: outcome === 'failed' ? { at: 'sandbox', reason, retryable: true, status: null, detail: '' } : null,
    })
  expect([end('right'), end('right', ['agent_timeout']), end('wrong'), end('wrong', ['agent_timeout'])]).toEqual([
    'passed',
    'passed',
    'failed',
    'timeout',
  ])
  expect([end('wrong', ['verifier_timeout']), end('failed'), end('failed', [], 'timeout')]).toEqual(['timeout', 'error', 'timeout'])
})

test('[TASK6] data of an uploaded task are named by their bytes; the name of a file is letters that are a name anywhere', () => {
  const sha256 = 'c'.repeat(64)
  expect(uploadData('a-task', sha256)).toEqual({
    ...{ source: 'upload', repo: 'upload', revision: 'c'.repeat(40) },
    files: [{ role: 'test', path: 'a-task.zip', sha256, rows: 1 }],
  })
  expect(archiveNameOf('a-task.zip')).toBe('a-task')
  expect([
    archiveName('my task!', 'x.zip'),
    archiveName(null, '../../etc/Pass wd.ZIP'),
    archiveName(null, '..'),
    archiveName(null, ''),
  ]).toEqual(['my-task', 'Pass-wd', 'task', 'task'])
})
