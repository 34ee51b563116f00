import { expect, test } from 'vitest'
import { Run } from '#shared/contract/api.ts'
import type { ProblemBody } from '#shared/contract/problem.ts'
import { RegradeComparison, RegradeList, RegradeStarted } from '#shared/contract/regrade.ts'
import { type TaskExecuted, UploadedTask } from '#shared/contract/task-upload.ts'
import { rewardEvidence } from '#shared/episode/testing/evidence.ts'
import { readReplay } from '#shared/run/replay.ts'
import { keyOf } from '../artifacts/bucket.ts'
import { sha256Hex } from '../auth/secret.ts'
import { asAdmin, bearer, giveKey } from '../testing/call-app.ts'
import { exampleTrial } from '../testing/example-records.ts'
import { exampleFiles, formOf, zipOf } from '../testing/example-task.ts'
import { taskStage, turn } from '../testing/task-stage.ts'

const apart = 'version = "1.0"\n[verifier]\nenvironment_mode = "separate"\n'
const handed = new TextEncoder().encode('an archive')
const sha256 = await sha256Hex('an archive')

/** A run of three episodes of an uploaded task that has ended: 0 and 1, and one that broke. */
async function ended(toml = apart) {
  const stage = await taskStage()
  const send = async (files = exampleFiles(toml)) =>
    UploadedTask.parse(await (await stage.upload(formOf(await zipOf(files), { agent: 'nop', num_runs: '3' }))).json())
  const task = await send()
  const { run_id } = (await stage.ask('POST', `/api/tasks/${task.id}/execute-async`)).answer as TaskExecuted
  const record = (epoch: number, score: number | null) =>
    exampleTrial({
      ...{ ordinal: epoch, benchmark: 'terminal_tasks', item_id: '0', source_id: task.name, epoch, score },
      ...{ outcome: score === null ? ('failed' as const) : score === 1 ? ('right' as const) : ('wrong' as const) },
      evidence: score === null ? null : rewardEvidence([{ rewards: { reward: score } }]),
      artifacts: [{ name: 'artifacts.zip', kind: 'file', media_type: 'application/zip', bytes: handed.length, sha256 }],
    })
  stage.record.trials.set(run_id, [record(0, 0), record(1, 1), record(2, null)])
  await stage.deps.artifacts!.put(keyOf(run_id, sha256), new Response(handed).body, { sha256, media_type: 'application/zip' })
  turn(stage, run_id, { status: 'succeeded', completed_at: '2026-01-02T03:04:05.000Z', done: 3 })
  const regrade = async (body?: object, headers: Record<string, string> = stage.headers, run = run_id) => {
    const response = await stage.call('POST', `/api/runs/${run}/regrade`, { headers, ...(body && { body }) })
    return { status: response.status, headers: response.headers, answer: (await response.json()) as ProblemBody & RegradeStarted }
  }
  return { ...stage, send, task, run_id, regrade }
}

test('[API200] graded episodes of an ended run are graded again by a new run with the newest tests of the task; the old one stays as it is', async () => {
  const { send, run_id, regrade, record, ask } = await ended()
  const newest = await send([...exampleFiles(apart), { path: 'tests/more.txt', mode: 0o644, bytes: new TextEncoder().encode('x') }])
  const before = structuredClone(record.runs.get(run_id))
  const { status, answer, headers } = await regrade()
  expect([status, answer.regrades, answer.episodes, headers.get('location')]).toEqual([202, run_id, 2, `/api/runs/${answer.run_id}`])
  const seen = Run.parse((await ask('GET', `/api/runs/${answer.run_id}`)).answer)
  expect(seen.spec.regrade).toEqual({ run_id, provider: 'replay', trials: 2 })
  expect(RegradeStarted.parse(answer).message).toBe('2 episodes are graded again; 1 of the run cannot be')
  const { spec } = record.runs.get(answer.run_id)!
  expect(spec).toMatchObject({
    ...{ owner_id: 'owner', visibility: 'private', regrade: { run_id, provider: 'replay', trials: 2 } },
    benchmarks: [{ profile: 'nop', epochs: 3, items: [0], data: { files: [{ path: 'write-word.zip', sha256: newest.sha256 }] } }],
  })
  expect(readReplay(spec.replay!, record.replays.get(answer.run_id)!)).toMatchObject({ ok: true })
  expect(record.runs.get(run_id)).toEqual(before)
  expect([...record.taskRuns.keys()]).toEqual([run_id])
  expect((await ask('GET', `/api/runs/${answer.run_id}`)).answer).toMatchObject({ labels: ['regrade', 'upload'] })
  const listed = RegradeList.parse((await ask('GET', `/api/runs/${run_id}/regrades`)).answer)
  expect(listed.regrades.map(({ run_id: id, episodes }) => [id, episodes])).toEqual([[answer.run_id, 2]])
})

test('[API200] one episode is chosen by item and epoch; a key repeats its run; rewards are compared as they come', async () => {
  const { regrade, headers, record, ask, run_id } = await ended()
  const keyed = { ...headers, 'idempotency-key': 'once' }
  const first = (await regrade({ benchmark: 'terminal_tasks', item: '0', epoch: 0 }, keyed)).answer
  const again = await regrade({ benchmark: 'terminal_tasks', item: '0', epoch: 0 }, keyed)
  expect([again.answer.run_id, again.headers.get('idempotent-replayed')]).toEqual([first.run_id, 'true'])
  expect((await regrade({ epoch: 1 }, keyed)).status).toBe(409)
  const compared = async () => RegradeComparison.parse((await ask('GET', `/api/runs/${first.run_id}/regrade`)).answer)
  expect(await compared()).toMatchObject({ regrades: run_id, episodes: 1, graded: 0, listed: [{ before: 0, after: null, outcome: null }] })
  record.trials.set(first.run_id, [
    exampleTrial({ ordinal: 0, benchmark: 'terminal_tasks', item_id: '0', epoch: 0, score: 1, outcome: 'right' }),
  ])
  expect(await compared()).toMatchObject({
    graded: 1,
    changed: 1,
    better: 1,
    mean: { before: 0, after: 1 },
    listed: [{ before: 0, after: 1 }],
  })
  expect((await ask('GET', `/api/runs/${run_id}/regrade`)).status).toBe(404)
})

test('[API201] what cannot be graded again is refused with a sentence, and others do not find the run; an operator has it graded for its owner', async () => {
  const stage = await ended()
  const { regrade, run_id, headers } = stage
  const refused = async (body?: object, by: Record<string, string> = headers, run = run_id) => {
    const { status, answer } = await regrade(body, by, run)
    return [status, answer.code, answer.errors?.[0]?.pointer ?? null]
  }
  expect(await refused({ epoch: 2 })).toEqual([422, 'validation', '/item'])
  expect(await refused({ benchmark: 'mmlu_pro' })).toEqual([422, 'validation', '/item'])
  expect(await refused({ task_id: run_id })).toEqual([404, 'task-not-found', null])
  expect(await refused({ tests: 'mine' })).toEqual([422, 'validation', '/tests'])
  expect(await refused(undefined, bearer(await giveKey(stage, 'other')))).toEqual([404, 'run-not-found', null])
  const operated = await regrade(undefined, asAdmin)
  expect([operated.status, stage.record.runs.get(operated.answer.run_id)?.spec.owner_id]).toEqual([202, 'owner'])
  const started = (await regrade()).answer.run_id
  turn(stage, started, { status: 'succeeded', completed_at: '2026-01-02T03:04:05.000Z' })
  expect(await refused(undefined, headers, started)).toEqual([400, 'wrong-state', null])
  turn(stage, run_id, { status: 'running', completed_at: null })
  expect(await refused()).toEqual([400, 'wrong-state', null])
  const shared = await ended('version = "1.0"\n')
  expect([(await shared.regrade()).answer.detail, (await shared.regrade()).status]).toEqual([
    expect.stringContaining('environment_mode = "separate"'),
    422,
  ])
  const other = UploadedTask.parse(await (await shared.upload(formOf(await zipOf(exampleFiles(apart), 'another')))).json())
  expect((await shared.regrade({ task_id: other.id })).answer.detail).toContain('the task given is another')
  shared.record.tasks.clear()
  expect((await shared.regrade()).answer.detail).toContain('upload it again')
})

test('[API202] an agent that the fleet sent there gets what the trials of the graded run handed over, and nothing else', async () => {
  const { regrade, call, leases, run_id, deps, record } = await ended()
  const started = (await regrade()).answer.run_id
  const said = { ...bearer('agent-token-1'), 'x-bench-agent': 'agent', 'x-bench-session': 'session-1', 'x-bench-pass': 'pass' }
  const get = (run: string, hash = sha256, ordinal = 0, name = 'artifacts.zip', headers: Record<string, string> = said) =>
    call('GET', `/api/runs/${run}/handed-over/${ordinal}/${name}?sha256=${hash}`, { headers })
  expect((await get(started)).status).toBe(403)
  leases.add(['agent', 'session-1', 'pass', 0, 1].join())
  expect(await (await get(started)).text()).toBe('an archive')
  expect([(await get(started, 'a'.repeat(64))).status, (await get(started, sha256, 9)).status, (await get(run_id)).status]).toEqual([
    404, 404, 404,
  ])
  // What another trial handed over is of the same run, and kept, but not what this trial handed over.
  const others = await sha256Hex('another archive')
  await deps.artifacts!.put(keyOf(run_id, others), new Response('another archive').body, { sha256: others, media_type: 'application/zip' })
  const [first, second, ...rest] = record.trials.get(run_id)!
  const artifacts = second!.record.artifacts!.map((one) => ({ ...one, bytes: 'another archive'.length, sha256: others }))
  record.trials.set(run_id, [first!, { ...second!, record: { ...second!.record, artifacts } }, ...rest])
  expect([
    await (await get(started, others, 1)).text(),
    (await get(started, others)).status,
    (await get(started, sha256, 1)).status,
  ]).toEqual(['another archive', 404, 404])
  expect((await get(started, sha256, 0, 'artifacts.zip', { ...said, authorization: '' })).status).toBe(401)
  await deps.artifacts!.delete([keyOf(run_id, sha256)])
  expect((await get(started)).status).toBe(404)
})

test('[API204] an episode that failed after its hand-over is graded for the first time; what handed nothing over is named with the reason', async () => {
  const { regrade, record, run_id, deps, headers, ask } = await ended()
  const [first, second, third] = record.trials.get(run_id)!
  const agent = { end: 'completed', turns: 4, detail: '' } as const
  const facts = { agent: { name: 'terminus-2', version: '2.0.0' }, image: { name: 'i', digest: 'd' }, steps: [{ name: '', agent }] }
  const text = JSON.stringify(facts)
  const kept = {
    name: 'hand-over.json',
    kind: 'file' as const,
    media_type: 'application/json',
    bytes: text.length,
    sha256: await sha256Hex(text),
  }
  await deps.artifacts!.put(keyOf(run_id, kept.sha256), new Response(text).body, { sha256: kept.sha256, media_type: kept.media_type })
  const failure = { at: 'sandbox', reason: 'unavailable', retryable: true, status: null, detail: 'words of a machine' } as const
  const broken = { ...third!, record: { ...third!.record, failure, artifacts: [...third!.record.artifacts!, kept] } }
  const nothing = { ...first!, record: { ...first!.record, outcome: 'failed' as const, score: null, evidence: null, failure } }
  record.trials.set(run_id, [nothing, second!, broken])
  const keyed = { ...headers, 'idempotency-key': 'once' }
  const { answer } = await regrade(undefined, keyed)
  const left = { benchmark: 'terminal_tasks', item_id: '0', source_id: expect.any(String), epoch: 0 }
  const left_out = [{ ...left, why: 'nothing was handed over: it failed before as sandbox/unavailable' }]
  expect(answer).toMatchObject({ episodes: 2, left_out, message: '2 episodes are graded again; 1 of the run cannot be' })
  expect((await regrade(undefined, keyed)).answer).toEqual(answer)
  expect(
    record.replays.get(answer.run_id)!.map(({ handed_over }) => [handed_over!.ordinal, handed_over!.score, handed_over!.agent.name]),
  ).toEqual([
    [1, 1, expect.any(String)],
    [2, null, 'terminus-2'],
  ])
  record.trials.set(
    answer.run_id,
    [1, 2].map((epoch) => exampleTrial({ ordinal: epoch, benchmark: 'terminal_tasks', item_id: '0', epoch, score: 0.5, outcome: 'wrong' })),
  )
  expect(RegradeComparison.parse((await ask('GET', `/api/runs/${answer.run_id}/regrade`)).answer)).toMatchObject({
    ...{ graded: 1, first: 1, changed: 1, better: 0, worse: 1, mean: { before: 1, after: 0.5 } },
    listed: [{ changed: true }, { before: null, after: 0.5, changed: false }],
  })
  await deps.artifacts!.delete([keyOf(run_id, kept.sha256)])
  record.trials.set(run_id, [nothing, broken])
  expect((await regrade()).answer.detail).toMatch(
    /handed something over\. 1: nothing was handed over: .+ 1: what it handed over \(hand-over\.json\) is not kept/,
  )
})
