import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Run, RunItemDetail } from '#shared/contract/api.ts'
import { Evidence, responseOf } from '#shared/contract/evidence/evidence.ts'
import type { Rescore } from '#shared/contract/rescore.ts'
import { type Provider, startProvider } from '../prove/provider/provider.ts'
import { call, createRun, untilEnded, untilRecorded } from './call-api.ts'
import { type SharedStack, simulatedStack } from './shared-stack.ts'
import { newDataDir, root } from './stack.ts'

/** Three megabytes that say what they come to at their very end. */
const answer = `${'It may be one, or another one. '.repeat(100_000)}So the answer is (A).`
const dir = newDataDir()
let provider: Provider
let stack: SharedStack
let run: Run

afterAll(dir.remove)
beforeAll(async () => {
  const shared = await simulatedStack('large')
  stack = shared
  provider = await startProvider({ port: shared.port, answer: () => ({ text: answer }), chunk_chars: 20_000 })
  const body = {
    model_id: 'sim',
    provider: 'large',
    selected_benchmarks: ['mmlu_pro'],
    profile: 'builtin',
    data: 'sample',
    subset_count: 3,
  }
  const created = await createRun(stack.url, body)
  run = await untilRecorded(stack.url, (await untilEnded(stack.url, created.id)).id)
})
afterAll(async () => {
  await provider?.close()
})

function bench(...args: string[]): Promise<{ code: number; output: string }> {
  return new Promise((done) => {
    const env = { ...process.env, BENCH_URL: stack.url, NO_COLOR: '1' }
    execFile(process.execPath, [join(root, 'fleet', 'cli', 'bench.mjs'), ...args], { env }, (error, stdout, stderr) => {
      done({ code: error === null ? 0 : Number(error.code), output: stdout + stderr })
    })
  })
}

test('[END75] answers of 3 MB are scored by their last words; the record has their beginning, and a file has them whole', async () => {
  const { right, wrong, failed } = run.head.benchmarks.mmlu_pro!
  expect([right + wrong, failed]).toEqual([3, 0])
  const page = (await (await call(stack.url, 'GET', `/api/runs/${run.id}/benchmarks/mmlu_pro?limit=3`)).json()) as {
    items: { items: { item_id: string }[] }
  }
  const { item_id } = page.items.items[0]!
  const shown = await call(stack.url, 'GET', `/api/runs/${run.id}/items/mmlu_pro/${item_id}?epoch=0`)
  const { record, artifacts } = (await shown.json()) as RunItemDetail
  expect([record.answer, record.flags.includes('answer_cut')]).toEqual(['A', true])
  expect(responseOf(record.evidence)).toBe(answer.slice(0, 100_000))
  const file = await call(stack.url, 'GET', artifacts.find(({ name }) => name === 'evidence.json')!.url!)
  expect(responseOf(Evidence.parse(await file.json()))).toBe(answer)
})

test('[END75] such answers come out again: at the service, at the command line, and from the signed archive, which verifies', async () => {
  const { rescores } = (await (await call(stack.url, 'POST', `/api/runs/${run.id}/rescore`, { body: {} })).json()) as {
    rescores: Rescore[]
  }
  expect(rescores[0]!.counts).toEqual({ trials: 3, failed: 0, unchanged: 3, changed: 0, not_recomputed: {} })
  expect(await bench('rescore', run.id)).toMatchObject({ code: 0 })
  const path = join(dir.path, 'large.zip')
  writeFileSync(path, new Uint8Array(await (await call(stack.url, 'GET', `/api/runs/${run.id}/export?format=zip`)).arrayBuffer()))
  const { public_key } = (await (await call(stack.url, 'GET', '/api/exports/public-key')).json()) as { public_key: string }
  const verified = await bench('verify', path, '--key', public_key)
  expect([verified.code, verified.output]).toEqual([0, expect.stringContaining('3 of 3 scores computed anew')])
  expect(await bench('rescore', path)).toMatchObject({ code: 0 })
})
