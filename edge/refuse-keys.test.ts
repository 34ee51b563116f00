import { expect, test } from 'vitest'
import * as z from 'zod'
import { ProblemBody } from '#shared/contract/problem.ts'
import { holdsKey } from '#shared/secrets/redactor.ts'
import { newKey } from './auth/key-format.ts'
import { asAdmin, bearer, giveKey, openApp } from './testing/call-app.ts'
import { exampleEnded, exampleSpec } from './testing/example-records.ts'

const pasted = `cpk_${'p4sted'.repeat(8)}.k3y`
const body = { model_id: 'example/model-70b', selected_benchmarks: ['mmlu_pro'] }
const spec = exampleSpec({ owner_id: 'anna' })

test('[SEC30] a key is known from a name', () => {
  for (const key of [
    pasted,
    newKey(),
    'sk-proj-Ab3dEf6hAb3dEf6h_x',
    'hf_AbCdEf0123456789AbCdEf',
    'sk-or-v1-0a1b2c3d4e5f60718293',
    `see ${pasted}.`,
  ])
    expect([key, holdsKey(key)]).toEqual([key, true])
  for (const name of [
    'sk-learn-7b-instruct',
    'hf-internal-testing/tiny-llama-3',
    'task-cpk_short1',
    'sk-averylongwordwithoutnumber',
    'Nightly 2026-11-22',
  ])
    expect([name, holdsKey(name)]).toEqual([name, false])
  expect(holdsKey('sk-'.repeat(300_000))).toBe(false)
})

test('[SEC30] a key in a field, in its name or in the Idempotency-Key is 422 with its place, and is not repeated or kept', async () => {
  const app = openApp()
  app.record.runs.set(spec.run_id, exampleEnded(spec))
  const anna = bearer(await giveKey(app, 'anna'))
  const before = JSON.stringify([[...app.record.runs.values()], [...app.record.keys.values()]])
  const refused = async (method: string, path: string, sent: unknown, headers: Record<string, string> = {}) => {
    const response = await app.call(method, path, { body: sent, headers: { ...anna, ...headers } })
    const text = await response.text()
    expect([path, response.status, text.includes('p4sted')]).toEqual([path, 422, false])
    return ProblemBody.parse(JSON.parse(text)).errors?.[0]?.pointer
  }
  for (const path of ['/api/runs', '/api/runs/plan', '/api/runs/api']) {
    for (const field of ['model_id', 'provider', 'profile', 'subset_seed', 'name', 'suite'])
      expect(await refused('POST', path, { ...body, [field]: pasted })).toBe(`/${field}`)
    expect(await refused('POST', path, { ...body, tags: ['cold', pasted] })).toBe('/tags/1')
    expect(await refused('POST', path, { ...body, config: { 'a/b': { api_key: pasted } } })).toBe('/config/a~1b/api_key')
    expect(await refused('POST', path, { ...body, [pasted]: 1 })).toBe('')
    expect(await refused('POST', path, JSON.stringify({ ...body, name: pasted }).replace('cpk_', 'cpk\\u005f'))).toBe('/name')
  }
  expect(await refused('POST', '/api/runs', body, { 'idempotency-key': pasted })).toBe('/header/idempotency-key')
  expect(await refused('PATCH', `/api/runs/${spec.run_id}`, { name: pasted })).toBe('/name')
  expect(await refused('POST', '/api/keys', { name: pasted })).toBe('/name')
  expect(await refused('POST', '/api/admin/maintenance', { enabled: true, message: pasted }, asAdmin)).toBe('/message')
  expect(JSON.stringify([[...app.record.runs.values()], [...app.record.keys.values()]])).toBe(before)
})

test('[SEC30] no error repeats a key that stood in the address', async () => {
  const app = openApp()
  app.record.runs.set(spec.run_id, exampleEnded(spec))
  const own = `/api/runs/${spec.run_id}`
  for (const path of [
    `/api/${pasted}`,
    `/api/runs/${pasted}`,
    `${own}/benchmarks/${pasted}`,
    `${own}/items/mmlu_pro/${pasted}`,
    `/api/runs?status=${pasted}`,
    `/api/runs?limit=${pasted}`,
  ]) {
    const response = await app.call('GET', path)
    const told = z.looseObject({ status: z.int().min(400).max(499), detail: z.string() }).parse(await response.json())
    expect([path, JSON.stringify(told).includes('p4sted')]).toEqual([path, false])
  }
})
