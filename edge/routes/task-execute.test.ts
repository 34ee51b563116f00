import { expect, test } from 'vitest'
import { card } from '#shared/benchmarks/terminal_tasks/card.ts'
import type { Run } from '#shared/contract/api.ts'
import type { ProblemBody } from '#shared/contract/problem.ts'
import { holdsSandbox, provedPools, type Resources } from '#shared/contract/resources.ts'
import { TaskStats } from '#shared/contract/task-stats.ts'
import { type EpisodeLogs, type TaskAgent, type TaskEpisode, type TaskExecuted, UploadedTask } from '#shared/contract/task-upload.ts'
import { agentPresets } from '#shared/episode/agent-presets.ts'
import { rewardEvidence } from '#shared/episode/testing/evidence.ts'
import type { TreeFile } from '#shared/solvers/machine.ts'
import { keyOfArchive } from '../tasks/task-archive.ts'
import { bearer } from '../testing/call-app.ts'
import { exampleModel, exampleTrial } from '../testing/example-records.ts'
import { exampleFiles, formOf, zipOf } from '../testing/example-task.ts'
import { taskStage, turn } from '../testing/task-stage.ts'

test('[TASK6] an execution is a private run of terminal tasks whose data are the archive; oracle and nop ask no model', async () => {
  const { ask, uploaded, record } = await taskStage()
  const task = await uploaded({ agent: 'oracle', num_runs: '100' })
  const { status, answer } = await ask('POST', `/api/tasks/${task.id}/execute-async`)
  const executed = answer as TaskExecuted
  expect([status, executed]).toEqual([
    200,
    {
      ...{ message: '100 episodes queued', task_id: task.id, run_id: executed.run_id, runs_queued: 100, status: 'running' },
      poll_url: `/api/tasks/${task.id}`,
    },
  ])
  const { spec, label } = record.runs.get(executed.run_id)!
  expect(spec).toMatchObject({
    owner_id: 'owner',
    visibility: 'private',
    model: { id: 'oracle', provider: 'replay' },
    own_credential: false,
  })
  expect(spec.benchmarks).toMatchObject([
    {
      ...{ name: 'terminal_tasks', profile: 'oracle', epochs: 100, total_items: 1, sampled_items: 1 },
      data: { source: 'upload', repo: 'upload', files: [{ role: 'test', path: 'write-word.zip', sha256: task.sha256, rows: 1 }] },
    },
  ])
  expect([label?.name, record.taskRuns.get(executed.run_id)]).toEqual(['write-word', task.id])
  const run = (await ask('GET', `/api/runs/${executed.run_id}`)).answer as Run
  expect([run.labels, run.head.total]).toEqual([['replay', 'upload'], 100])
  expect((await ask('GET', `/api/tasks/${task.id}`)).answer).toMatchObject({
    status: 'running',
    total_runs: 100,
    executions: [{ agent: 'oracle', episodes: 100 }],
  })
})

test('[TASK6] whoever asks a model needs one, by the task or by the execution; what hinders him is said', async () => {
  const { ask, uploaded, record, upload } = await taskStage()
  const model = exampleModel()
  record.models.set(model.id, model)
  const task = await uploaded()
  const run = async (id: string, body: object) => {
    const { status, answer } = await ask('POST', `/api/tasks/${id}/execute-async`, body)
    return [status, (answer as ProblemBody).errors?.[0]?.pointer ?? null]
  }
  expect(await run(task.id, {})).toEqual([422, '/model'])
  expect(await run(task.id, { agent: 'nobody' })).toEqual([422, '/agent'])
  expect(await run(task.id, { model: 'no/such' })).toEqual([404, null])
  expect(await run(task.id, { num_runs: 101 })).toEqual([422, '/num_runs'])
  expect(await run(task.id, { timeout_seconds: 5 })).toEqual([422, '/timeout_seconds'])
  expect(await run(task.id, { agent: 'builtin', model: model.slug, num_runs: 2, visibility: 'link' })).toEqual([200, null])
  expect([...record.runs.values()].at(-1)!.spec).toMatchObject({
    ...{ visibility: 'link', model: { id: model.id }, preflight: true, benchmarks: [{ profile: 'builtin', epochs: 2 }] },
  })
  const uploadOf = async (files: readonly TreeFile[]) => UploadedTask.parse(await (await upload(formOf(await zipOf(files)))).json())
  const windows = await uploadOf(exampleFiles('version = "1.0"\n[environment]\ngpus = 1\n'))
  expect([windows.runnable, await run(windows.id, { agent: 'nop' })]).toEqual([false, [422, '/agent']])
  const unsolved = await uploadOf(exampleFiles().filter(({ path }) => path !== 'solution/solve.sh'))
  expect([await run(unsolved.id, { agent: 'oracle' }), await run(unsolved.id, { agent: 'nop' })]).toEqual([
    [422, '/agent'],
    [200, null],
  ])
  expect((await ask('POST', `/api/tasks/${unsolved.id}/execute-async`, { agent: 'nop' })).headers.get('idempotent-replayed')).toBeNull()
  const agents = (await ask('GET', '/api/tasks/agents')).answer as TaskAgent[]
  expect(agents.map(({ id, asks }) => [id, asks])).toEqual(
    [...card.profiles, ...agentPresets].map(({ id }) => [id, id !== 'oracle' && id !== 'nop']),
  )
})

test('[TASK7] a run of an uploaded task needs a machine, so that no agent without one is sent to it', async () => {
  const { ask, uploaded, record } = await taskStage()
  const task = await uploaded({ agent: 'nop' })
  const { run_id } = (await ask('POST', `/api/tasks/${task.id}/execute-async`)).answer as TaskExecuted
  const needs = record.runs.get(run_id)!.spec.benchmarks[0]!.needs!.sandbox!
  const size = { cpus: 64, memory_mb: 65_536, disk_mb: 1_000_000 }
  const kinds = ['bwrap', 'docker', 'sandy', 'machine'] as const
  const proofs = kinds.map((kind) => ({ kind, ok: true, probed: '', detail: '', at: '2026-01-02T03:04:05.000Z' }))
  const resources: Resources = { machine: size, sandboxes: [{ ...size, kinds: [...kinds] }], proofs }
  const withoutMachines = { ...resources, proofs: proofs.filter(({ kind }) => kind !== 'machine') }
  expect([holdsSandbox(provedPools(resources), needs), holdsSandbox(provedPools(withoutMachines), needs)]).toEqual([true, false])
})

test('[TASK7] an agent that the fleet sent to the run gets the archive, nobody else, and nothing but what the plan names', async () => {
  const { ask, uploaded, upload, call, leases, bucket, deps } = await taskStage()
  const task = await uploaded({ agent: 'nop' })
  const { run_id } = (await ask('POST', `/api/tasks/${task.id}/execute-async`)).answer as TaskExecuted
  const said = { 'x-bench-agent': 'agent', 'x-bench-session': 'session-1', 'x-bench-pass': 'pass' }
  const get = (run: string, sha256 = task.sha256, headers: Record<string, string> = { ...bearer('agent-token-1'), ...said }) =>
    call('GET', `/api/runs/${run}/uploads/${sha256}`, { headers })
  expect((await get(run_id)).status).toBe(403)
  leases.add(['agent', 'session-1', 'pass', 0, 1].join())
  const given = await get(run_id)
  expect([given.status, given.headers.get('content-type')]).toEqual([200, 'application/zip'])
  expect(Buffer.from(await given.arrayBuffer()).equals(bucket.objects.get(keyOfArchive(task.sha256))!.bytes)).toBe(true)
  const foreign = UploadedTask.parse(await (await upload(formOf(await zipOf(exampleFiles(), 'another')))).json())
  expect(bucket.objects.has(keyOfArchive(foreign.sha256))).toBe(true)
  expect([(await get(run_id, foreign.sha256)).status, (await get(run_id, 'a'.repeat(64))).status]).toEqual([404, 404])
  expect((await get('11111111-1111-4111-8111-111111111111')).status).toBe(404)
  expect((await get(run_id, task.sha256, said)).status).toBe(401)
  await deps.artifacts!.delete([keyOfArchive(task.sha256)])
  expect((await get(run_id)).status).toBe(404)
})

test('[TASK8] a task with an open run is not deleted; else it goes with its bytes and its runs stay', async () => {
  const stand = await taskStage()
  const { ask, uploaded, bucket, record } = stand
  const task = await uploaded({ agent: 'nop', num_runs: '1' })
  const twin = await uploaded()
  const { run_id } = (await ask('POST', `/api/tasks/${task.id}/execute-async`)).answer as TaskExecuted
  const busy = await ask('DELETE', `/api/tasks/${task.id}`)
  expect([busy.status, (busy.answer as ProblemBody).code]).toEqual([409, 'task-busy'])
  turn(stand, run_id, { status: 'canceled', completed_at: '2026-01-02T04:00:00.000Z' })
  expect((await ask('DELETE', `/api/tasks/${task.id}`)).status).toBe(200)
  expect([record.runs.has(run_id), bucket.objects.size, (await ask('GET', `/api/tasks/${task.id}`)).status]).toEqual([true, 1, 404])
  expect((await ask('DELETE', `/api/tasks/${twin.id}`)).status).toBe(200)
  expect(bucket.objects.size).toBe(0)
})

test('[TASK9] episodes of all runs have numbers, stand as their trials do, and only broken ones are tried again', async () => {
  const stand = await taskStage()
  const { ask, uploaded, record, commands } = stand
  const task = await uploaded({ agent: 'nop', num_runs: '2' })
  const first = ((await ask('POST', `/api/tasks/${task.id}/execute-async`)).answer as TaskExecuted).run_id
  const second = ((await ask('POST', `/api/tasks/${task.id}/execute-async`, { num_runs: 3 })).answer as TaskExecuted).run_id
  const evidence = rewardEvidence([{ verifier: { exit_code: 1, output: '1 failed, 2 passed in 0.5s\n' }, rewards: { reward: 0.5 } }], {
    phases: [{ name: 'agent', step: null, began_ms: 500, took_ms: 2000 }],
  })
  const failure = { at: 'sandbox', reason: 'build-failed', retryable: true, status: null, detail: 'no such image' } as const
  const trial = (epoch: number, more: object) => exampleTrial({ ordinal: epoch, benchmark: 'terminal_tasks', item_id: '0', epoch, ...more })
  record.trials.set(first, [
    trial(0, { outcome: 'wrong', score: 0.5, evidence, failure: null }),
    trial(1, { outcome: 'failed', score: null, evidence: null, failure }),
  ])
  const counts = { right: 0, wrong: 1, failed: 1, score_sum: 0.5 }
  const tally = { ...record.runs.get(first)!.head.benchmarks.terminal_tasks!, ...counts }
  expect((await ask('POST', `/api/tasks/${task.id}/retry`)).status).toBe(400)
  turn(stand, first, { status: 'incomplete', completed_at: '2026-01-02T04:00:00.000Z', benchmarks: { terminal_tasks: tally }, done: 2 })
  const { answer } = await ask('GET', `/api/tasks/${task.id}/runs`)
  const episodes = answer as TaskEpisode[]
  expect(episodes.map(({ run_number, run_id, epoch, status }) => [run_number, run_id, epoch, status])).toEqual([
    [1, first, 0, 'failed'],
    [2, first, 1, 'error'],
    [3, second, 0, 'pending'],
    [4, second, 1, 'pending'],
    [5, second, 2, 'pending'],
  ])
  const at = record.trials.get(first)![0]!.finished_at
  expect(episodes[0]).toMatchObject({
    ...{ reward: 0.5, tests_total: 3, tests_passed: 2, tests_failed: 1, duration_seconds: 2.5, completed_at: at, agent: 'nop' },
    started_at: new Date(Date.parse(at) - 2500).toISOString(),
  })
  expect(episodes[1]).toMatchObject({ reward: null, tests_total: null, error_message: 'no such image' })
  expect((await ask('GET', `/api/tasks/${task.id}/runs?run_id=${second}`)).answer).toHaveLength(3)
  expect((await ask('GET', `/api/tasks/${task.id}/runs/${first}.1`)).answer).toEqual(episodes[1])
  expect((await ask('GET', `/api/tasks/${task.id}/runs/${first}.2`)).status).toBe(404)
  const stats = TaskStats.parse((await ask('GET', '/api/stats')).answer)
  expect(stats).toEqual({ tasks: { total: 1, pending: 0, running: 1, completed: 0, failed: 0 }, runs: { total: 5, passed: 0, failed: 2 } })
  const retried = await ask('POST', `/api/tasks/${task.id}/retry`)
  expect([retried.status, (retried.answer as { run_ids: string[] }).run_ids]).toEqual([200, [first]])
  expect(commands).toEqual([{ run_id: first, command: { type: 'retry_failed' } }])
  expect(record.trials.get(first)).toHaveLength(2)
})

test('[TASK10] logs of an episode are what its verifiers wrote, with the addresses of all it left behind', async () => {
  const stand = await taskStage()
  const { ask, uploaded, record } = stand
  const task = await uploaded({ agent: 'nop', num_runs: '1' })
  const { run_id } = (await ask('POST', `/api/tasks/${task.id}/execute-async`)).answer as TaskExecuted
  const logs = async () => (await ask('GET', `/api/tasks/${task.id}/runs/${run_id}.0/logs`)).answer as EpisodeLogs
  expect(await logs()).toMatchObject({
    id: `${run_id}.0`,
    task_id: task.id,
    run_id,
    run_number: 1,
    status: 'pending',
    logs: null,
    artifacts: [],
  })
  const output = (text: string) => ({ exit_code: 0, output: text })
  const evidence = rewardEvidence([
    { name: 'one', verifier: output('first') },
    { name: 'two', verifier: output('second') },
  ])
  const artifact = { name: 'verifier/test-stdout.txt', kind: 'log', media_type: 'text/plain', bytes: 5, sha256: 'a'.repeat(64) } as const
  record.trials.set(run_id, [
    exampleTrial({
      ordinal: 0,
      benchmark: 'terminal_tasks',
      item_id: '0',
      epoch: 0,
      outcome: 'right',
      score: 1,
      evidence,
      artifacts: [artifact],
    }),
  ])
  expect(await logs()).toMatchObject({
    ...{ status: 'passed', logs: '== one ==\nfirst\n== two ==\nsecond', error_message: null },
    artifacts: [{ ...artifact, url: `/api/runs/${run_id}/artifacts/0/verifier%2Ftest-stdout.txt?sha256=${'a'.repeat(64)}` }],
  })
})
