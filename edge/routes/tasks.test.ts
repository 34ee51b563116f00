import { expect, test } from 'vitest'
import { card } from '#shared/benchmarks/terminal_tasks/card.ts'
import type { Run } from '#shared/contract/api.ts'
import type { ProblemBody } from '#shared/contract/problem.ts'
import { type TaskExecuted, UploadedTask, UploadedTaskDetail } from '#shared/contract/task-upload.ts'
import { keyOfArchive } from '../tasks/task-archive.ts'
import { asAdmin, bearer, giveKey, openApp } from '../testing/call-app.ts'
import { exampleFiles, exampleTask, formOf, zipOf } from '../testing/example-task.ts'
import { formBytes } from '../testing/form-bytes.ts'
import { taskStage, turn } from '../testing/task-stage.ts'

test('[TASK1] an archive is read, shown and kept once under its hash, whoever uploads it; fields stand in the form or in the query', async () => {
  const { upload, bucket, record, deps, call } = await taskStage()
  const zip = await zipOf(exampleFiles())
  const made = await upload(formOf(zip, { name: 'A word', num_runs: '3' }, '../../etc/word.zip'), '?agent=oracle&num_runs=7&model=org/one')
  const task = UploadedTask.parse(await made.json())
  expect([made.status, made.headers.get('location')]).toEqual([200, `/api/tasks/${task.id}`])
  expect(task).toMatchObject({
    ...{
      name: 'A word',
      original_filename: 'word.zip',
      file_size: zip.length,
      agent: 'oracle',
      harness: 'harbor',
      num_runs: 3,
      model: 'org/one',
    },
    ...{
      status: 'pending',
      total_runs: 0,
      runnable: true,
      opening: 'Write the word `done` to /app/word.txt.\n',
      mean_reward: null,
      latest: null,
    },
  })
  expect([...bucket.objects.keys()]).toEqual([keyOfArchive(task.sha256)])
  const other = bearer(await giveKey({ record }, 'other'))
  bucket.objects.get(keyOfArchive(task.sha256))!.uploaded_at = new Date(0)
  const second = await upload(formOf(zip), '', other)
  expect(await second.json()).toMatchObject({ name: 'write-word', sha256: task.sha256, num_runs: 10, agent: 'terminus-2' })
  expect([bucket.objects.size, bucket.objects.get(keyOfArchive(task.sha256))!.uploaded_at]).toEqual([1, new Date(0)])
  const detail = UploadedTaskDetail.parse(await (await call('GET', `/api/tasks/${task.id}`, { headers: asAdmin })).json())
  expect(detail.facts).toMatchObject({
    ...{ harbor_name: 'write-word', files: 5, network: 'public', instruction: 'Write the word `done` to /app/word.txt.\n', image: null },
    steps: [{ name: null, agent_timeout_s: 120, verifier_timeout_s: 60, has_solution: true, verifier: 'shared' }],
  })
  expect(detail.checksum).toBe(exampleTask().checksum)
  expect(deps.artifacts).not.toBeNull()
})

test('[TASK2] what cannot be taken is refused with the entry that is wrong, and nothing is kept', async () => {
  const { upload, bucket, record, headers, app } = await taskStage()
  const good = exampleFiles()
  const without = (path: string) => good.filter((one) => one.path !== path)
  const two = await zipOf(
    [...good.map((one) => ({ ...one, path: `a/${one.path}` })), ...good.map((one) => ({ ...one, path: `b/${one.path}` }))],
    'both',
  )
  const evil = await zipOf(good)
  // The name of the first entry, in its header and in the directory, leads out of the archive.
  const out = Buffer.from(evil.map((byte) => byte))
  for (let at = out.indexOf('write-word/env'); at >= 0; at = out.indexOf('write-word/env', at + 1)) out.write('../../../../..', at)
  const cases: [string, Uint8Array<ArrayBuffer>, string][] = [
    ['no zip', new Uint8Array(Buffer.from('not a zip')), ''],
    ['traversal', new Uint8Array(out), '../../../../..'],
    ['two tasks', two, 'both/b/task.toml: there is another one in both/a/'],
    ['no task', await zipOf(without('task.toml')), 'task.toml: '],
    ['bad TOML', await zipOf(exampleFiles('version = ')), 'task.toml'],
    ['bad value', await zipOf(exampleFiles('version = "1.0"\n[agent]\ntimeout_sec = "long"\n')), 'task.toml agent.timeout_sec: '],
    ['no instruction', await zipOf(without('instruction.md')), 'instruction.md: '],
    ['no tests', await zipOf(without('tests/test.sh')), 'tests/test.sh: '],
    ['no environment', await zipOf(without('environment/Dockerfile')), 'environment/Dockerfile'],
  ]
  for (const [name, zip, entry] of cases) {
    const response = await upload(formOf(zip))
    const { code, errors } = (await response.json()) as ProblemBody
    expect([name, response.status, code, errors?.[0]?.pointer], name).toEqual([name, 422, 'validation', '/file'])
    expect(errors![0]!.message.startsWith(entry), `${name}: ${errors![0]!.message}`).toBe(true)
  }
  const twice = formOf(await zipOf(good))
  twice.append('file', new File([await zipOf(good)], 'second.zip'))
  const fields = async (given: Record<string, string>, query = '') => (await upload(formOf(await zipOf(good), given), query)).status
  expect([(await upload(twice)).status, (await upload(formOf(null))).status]).toEqual([422, 422])
  expect([
    await fields({ num_runs: '0' }),
    await fields({ num_runs: '101' }),
    await fields({ agent: 'nobody' }),
    await fields({ odd: 'x' }),
  ]).toEqual([422, 422, 422, 422])
  expect([await fields({ harness: 'other' }), await fields({ name: ' ' }), await fields({}, '?num_runs=x')]).toEqual([422, 422, 422])
  const raw = (type: string, body: string) =>
    app.request('https://bench.example/api/tasks', {
      method: 'POST',
      headers: { ...headers, 'cf-connecting-ip': '127.0.0.1', 'content-type': type },
      body,
    })
  expect([(await raw('application/zip', 'PK')).status, (await raw('multipart/form-data; boundary=x', 'nothing')).status]).toEqual([
    415, 400,
  ])
  const large = await app.request('https://bench.example/api/tasks', {
    ...{ method: 'POST', body: '--x' },
    headers: {
      ...headers,
      'cf-connecting-ip': '127.0.0.1',
      'content-type': 'multipart/form-data; boundary=x',
      'content-length': String(2 ** 28),
    },
  })
  expect(large.status).toBe(413)
  expect([bucket.objects.size, record.tasks.size]).toEqual([0, 0])
})

test('[TASK3] a key in an address or a field is refused and not repeated', async () => {
  const { upload, ask, uploaded, record } = await taskStage()
  const key = `sk-or-v1-${'a1'.repeat(32)}`
  const task = await uploaded()
  for (const response of [
    await upload(formOf(await zipOf(exampleFiles()), { name: key })),
    await upload(formOf(await zipOf(exampleFiles())), `?openrouter_api_key=${key}`),
    await upload(formOf(await zipOf(exampleFiles())), '?openrouter_api_key=x'),
  ]) {
    const text = await response.text()
    expect([response.status, text.includes(key), text.includes('looks like a key')]).toEqual([422, false, true])
  }
  const execute = await ask('POST', `/api/tasks/${task.id}/execute-async?openrouter_api_key=${key}`, { agent: 'nop' })
  expect([execute.status, JSON.stringify(execute.answer).includes(key)]).toEqual([422, false])
  expect([record.tasks.size, record.runs.size]).toEqual([1, 0])
})

test('[TASK4] a task is there for its owner and the operator; a service without a store keeps none', async () => {
  const { uploaded, call, record, deps, upload } = await taskStage()
  const task = await uploaded()
  const other = bearer(await giveKey({ record }, 'other'))
  for (const path of ['', '/runs', '/runs/x', '/runs/x/logs']) {
    const refused = await call('GET', `/api/tasks/${task.id}${path}`, { headers: other })
    expect([path, refused.status, ((await refused.json()) as ProblemBody).code]).toEqual([path, 404, 'task-not-found'])
  }
  const names = async (headers: Record<string, string>) =>
    ((await (await call('GET', '/api/tasks', { headers })).json()) as UploadedTask[]).length
  expect([await names(other), await names(asAdmin)]).toEqual([0, 1])
  Object.assign(deps, { artifacts: null })
  const reopened = openApp({ cards: [card] })
  Object.assign(reopened.deps, { artifacts: null })
  const form = new FormData()
  form.set('file', new File([await zipOf(exampleFiles())], 'x.zip'))
  const sent = await formBytes(form)
  const headers = { ...bearer(await giveKey(reopened, 'owner')), 'cf-connecting-ip': '127.0.0.1', ...sent.headers }
  expect((await reopened.app.request('https://bench.example/api/tasks', { method: 'POST', headers, body: sent.body })).status).toBe(501)
  expect((await upload(formOf(await zipOf(exampleFiles())), '', {})).status).toBe(401)
})

test('[TASK5] lists are newest first, by pages and by where tasks stand, and say how many there are', async () => {
  const { ask, uploaded } = await taskStage()
  const tasks = [await uploaded({ name: 'one', agent: 'nop' }), await uploaded({ name: 'two' }), await uploaded({ name: 'three' })]
  await ask('POST', `/api/tasks/${tasks[0]!.id}/execute-async`)
  const list = async (query: string) => {
    const { answer, headers } = await ask('GET', `/api/tasks${query}`)
    return [headers.get('x-total-count'), (answer as UploadedTask[]).map(({ name }) => name)]
  }
  expect(await list('')).toEqual(['3', ['three', 'two', 'one']])
  expect(await list('?skip=1&limit=1')).toEqual(['3', ['two']])
  expect([await list('?status=running'), await list('?status=completed')]).toEqual([
    ['1', ['one']],
    ['0', []],
  ])
})

test('[API203] with each task its newest run is told, with the limits and number that its own page has', async () => {
  const stage = await taskStage()
  const { ask, uploaded } = stage
  const task = await uploaded({ agent: 'nop', num_runs: '4' })
  const latest = async () => ((await ask('GET', '/api/tasks')).answer as UploadedTask[])[0]!.latest
  expect(await latest()).toBeNull()
  const started = async () => ((await ask('POST', `/api/tasks/${task.id}/execute-async`)).answer as TaskExecuted).run_id
  const [, newest] = [await started(), await started()]
  expect(await latest()).toMatchObject({ run_id: newest, status: 'queued', episodes: 4, estimate: { value: null, n: 0 } })
  const { head } = stage.record.runs.get(newest)!
  const tally = { ...head.benchmarks.terminal_tasks!, right: 1, wrong: 3, score_sum: 1, items: 1 }
  turn(stage, newest, { status: 'running', benchmarks: { terminal_tasks: tally } })
  const told = await latest()
  expect(told).toMatchObject({ passed: 1, failed: 3, mean_reward: 0.25, estimate: { value: 0.25 } })
  const run = (await ask('GET', `/api/runs/${newest}`)).answer as Run
  expect(told!.estimate).toEqual(run.benchmarks[0]!.estimate)
  expect((await ask('GET', `/api/tasks/${task.id}`)).answer).toMatchObject({ latest: told, executions: [told, {}] })
})
