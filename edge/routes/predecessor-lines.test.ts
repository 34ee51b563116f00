import { expect, test } from 'vitest'
import type { ProblemBody } from '#shared/contract/problem.ts'
import type { TaskExecuted } from '#shared/contract/task-upload.ts'
import { asAdmin, bearer, giveKey, openApp } from '../testing/call-app.ts'
import { exampleEnded, exampleModel, exampleSpec } from '../testing/example-records.ts'
import { exampleFiles, formOf, zipOf } from '../testing/example-task.ts'
import { taskStage } from '../testing/task-stage.ts'

/** What aiohttp sends for `session.post(url)`. */
const emptyOctets = { 'content-type': 'application/octet-stream', 'content-length': '0' }

test('[LINE4] upload, execution and retry of a task answer 200, and location names what was made', async () => {
  const { upload, app, headers, ask } = await taskStage()
  const made = await upload(formOf(await zipOf(exampleFiles()), { agent: 'oracle' }))
  const { id } = (await made.json()) as { id: string }
  expect([made.status, made.headers.get('location')]).toEqual([200, `/api/tasks/${id}`])
  const executed = await app.request(`https://bench.example/api/tasks/${id}/execute-async`, { method: 'POST', headers })
  const { run_id } = (await executed.json()) as TaskExecuted
  expect([executed.status, executed.headers.get('location')]).toEqual([200, `/api/runs/${run_id}`])
  expect((await ask('POST', `/api/tasks/${id}/retry`)).status).toBe(400)
})

test('[LINE5] an empty body of any type is an empty object', async () => {
  const { app, headers, uploaded } = await taskStage()
  const { id } = await uploaded({ agent: 'oracle' })
  const post = (path: string, type: Record<string, string>, body?: string) =>
    app.request(`https://bench.example${path}`, { method: 'POST', headers: { ...headers, ...type }, ...(body !== undefined && { body }) })
  const types: Record<string, string>[] = [
    emptyOctets,
    { 'content-type': 'application/json' },
    { 'content-type': 'application/x-www-form-urlencoded' },
    {},
  ]
  for (const type of types) {
    expect([type, (await post(`/api/tasks/${id}/execute-async`, type)).status]).toEqual([type, 200])
    expect([type, (await post(`/api/tasks/${id}/execute-async`, type, '')).status]).toEqual([type, 200])
  }
  const refused = await post('/api/runs', emptyOctets)
  expect(refused.status).toBe(422)
  expect(((await refused.json()) as ProblemBody).errors!.map(({ pointer }) => pointer)).toContain('/model_id')
  expect((await post(`/api/tasks/${id}/execute-async`, { 'content-type': 'text/plain' }, 'x')).status).toBe(415)
})

test('[LINE6] an admin requeues a canceled run; nobody else does', async () => {
  const app = openApp()
  const spec = exampleSpec({ owner_id: 'anna' })
  const ended = exampleEnded(spec)
  const head = { ...ended.head, status: 'canceled' as const, failures: {}, done: ended.head.total - 2 }
  app.record.runs.set(spec.run_id, { ...ended, head })
  app.living.set(spec.run_id, { spec, head })
  const anna = bearer(await giveKey(app, 'anna'))
  const requeue = (headers: Record<string, string>) => app.call('POST', `/api/admin/runs/${spec.run_id}/requeue`, { headers })
  expect((await requeue(anna)).status).toBe(403)
  const answer = await requeue(asAdmin)
  expect([answer.status, await answer.json()]).toEqual([
    200,
    { success: true, message: 'The run goes on with 2 trials that have no result.' },
  ])
  expect(app.commands.at(-1)?.command).toEqual({ type: 'requeue' })
})

test('[LINE7] a price needs no rate for cached tokens', async () => {
  const app = openApp()
  app.record.models.set(exampleModel().id, exampleModel())
  const headers = bearer(await giveKey(app, 'anna'))
  const price = { input_per_million_usd: 0.1, output_per_million_usd: 0.4 }
  const body = { model_id: exampleModel().id, selected_benchmarks: ['mmlu_pro'], price }
  const answer = await app.call('POST', '/api/runs', { headers, body })
  expect(answer.status).toBe(201)
  expect(await answer.json()).toMatchObject({ spec: { price: { ...price, cached_input_per_million_usd: null } } })
})

test('[LINE9] a refused archive is told in one sentence', async () => {
  const { upload } = await taskStage()
  const form = new FormData()
  form.set('file', new Blob(['no archive']), 'task.zip')
  const answer = await upload(form)
  expect(answer.status).toBe(422)
  expect(await answer.json()).toMatchObject({ detail: 'The archive holds no task that can be taken: it is no ZIP archive' })
})
