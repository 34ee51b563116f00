import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { openLoopbackServer } from '#fleet/dataset/loopback-server.ts'
import { RunId } from '#shared/contract/ids.ts'
import type { TaskRun, UploadedTask } from '#shared/contract/task-upload.ts'
import { runBench } from './fixture-api.ts'

const run_id = RunId.parse('11111111-1111-4111-8111-111111111111')
const at = '2026-01-02T03:04:05.000Z'
const latest: TaskRun = {
  ...{ run_id, status: 'succeeded', agent: 'terminus-2', model: 'org/one', provider: 'p', episodes: 10, passed: 6, failed: 4, errors: 0 },
  ...{ mean_reward: 0.6, created_at: at, started_at: at, completed_at: at },
  estimate: { value: 0.6, low: 0.31, high: 0.83, n: 10, method: 'Wilson', target: 'expected' },
}
const taskOf = (id: string, name: string, newest: TaskRun | null): UploadedTask => ({
  ...{ id, name, description: '', original_filename: 'x.zip', file_size: 1, model: null, agent: 'oracle', harness: 'harbor', num_runs: 3 },
  ...{ status: 'completed', created_at: at, started_at: at, completed_at: at, total_runs: 10, passed_runs: 6, failed_runs: 4 },
  ...{ provider: null, mean_reward: 0.6, sha256: 'a'.repeat(64), checksum: 'b', opening: '', runnable: true, team: null, latest: newest },
})

/** A service with these tasks, newest first, that starts each. */
async function startService(tasks: readonly UploadedTask[]) {
  const asked: { path: string; body: unknown }[] = []
  const reply = (response: ServerResponse, body: unknown) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  const server = await openLoopbackServer(async (path, response, request) => {
    if (request.method !== 'POST') {
      const query = new URL(path, 'http://x').searchParams
      const skip = Number(query.get('skip'))
      return path.startsWith('/api/tasks')
        ? reply(response, tasks.slice(skip, skip + Number(query.get('limit'))))
        : reply(response, { agents: [] })
    }
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    asked.push({ path, body: JSON.parse(Buffer.concat(pieces).toString() || 'null') })
    reply(response, { message: '2 episodes queued', task_id: 'id', run_id, runs_queued: 2, status: 'running', poll_url: '/api/tasks/id' })
  })
  return { ...server, asked, bench: (...args: string[]) => runBench(args, { BENCH_URL: server.origin }) }
}
const many = Array.from({ length: 120 }, (_, index) => taskOf(`id-${index}`, `task ${index}`, null))

test('[CLI221] `bench run --task` starts an uploaded task by its id or the newest of its name, with what the options say and nothing else', async () => {
  await using service = await startService([taskOf('id-new', 'word', null), ...many, taskOf('id-old', 'word', null)])
  const started = await service.bench('run', '--task', 'word')
  expect([started.code, started.out]).toEqual([0, [run_id]])
  const told = await service.bench(
    'run',
    '--task',
    'ID-OLD',
    '-m',
    'org/one',
    '--profile',
    'terminus-2',
    '-k',
    '2',
    '--visibility',
    'link',
    '--json',
  )
  expect(told.out.map((line) => JSON.parse(line))).toMatchObject([{ type: 'executed', run_id, runs_queued: 2 }])
  expect(service.asked).toEqual([
    { path: '/api/tasks/id-new/execute-async', body: {} },
    { path: '/api/tasks/id-old/execute-async', body: { model: 'org/one', agent: 'terminus-2', num_runs: 2, visibility: 'link' } },
  ])
  const absent = await service.bench('run', '--task', 'nothing')
  expect([absent.code, absent.err.join()]).toEqual([1, expect.stringContaining('"bench tasks" lists them')])
  for (const more of [['-b', 'mmlu_pro'], ['--local'], ['--dry-run'], ['-m', 'a/b', '-m', 'c/d']])
    expect((await service.bench('run', '--task', 'word', ...more)).code).toBe(2)
  expect(service.asked.length).toBe(2)
})

test('[CLI222] `bench tasks` lists uploaded tasks, all pages of them, with the mean reward of the newest run, its limits and number', async () => {
  await using service = await startService([taskOf('id-new', 'word', latest), ...many])
  const listed = await service.bench('tasks')
  expect(listed.code).toBe(0)
  expect(listed.out.length).toBe(122)
  expect(listed.out[1]).toMatch(/id-new +word +completed +10 +0\.6 \(.*31.*83.*\) n = 10 +terminus-2/)
  const json = await service.bench('tasks', 'list', '--json')
  expect(json.out.map((line) => JSON.parse(line))).toMatchObject([
    { type: 'task', task: { id: 'id-new' } },
    ...many.map(({ id }) => ({ task: { id } })),
  ])
  await using empty = await startService([])
  expect((await empty.bench('tasks')).out).toEqual(['No task was uploaded yet: bench upload PATH brings one.'])
  expect((await empty.bench('tasks', 'check')).code).toBe(2)
})
