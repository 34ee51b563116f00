import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { sandboxHosts } from '#fleet/sandbox/sandbox-hosts.ts'
import type { Run, RunItemDetail } from '#shared/contract/api.ts'
import { call, createRun, untilEnded, untilRecorded } from './call-api.ts'
import { pidOf } from './parts.ts'
import { checkoutWithScripted } from './scripted/checkout.ts'
import { type ModelServer, startModelServer } from './scripted/model-server.ts'
import { newDataDir, type Stack, startStack } from './stack.ts'

const [host] = sandboxHosts(process.env)
const unproved = host!.absence()?.why ?? (await host!.probe.probe().then(() => null, String))
const dir = newDataDir()
const checkout = checkoutWithScripted()
let models: ModelServer
let stack: Stack

// Hooks run last one first: the directories go when the stack has stopped.
afterAll(() => {
  dir.remove()
  checkout.remove()
})
beforeAll(async () => {
  if (unproved) return
  models = await startModelServer()
  stack = await startStack(dir.path, { OPENAI_BASE_URL: models.url, OPENAI_MODELS: 'scripted-model' }, checkout.path)
})
afterAll(async () => {
  await stack?.stop()
  await models?.close()
})

/** Processes of this machine that have the word of a lingering program among their arguments. */
const lingering = (): string[] =>
  readdirSync('/proc').filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes('lingering-mark')
    } catch {
      return false // it ended meanwhile, or is no process
    }
  })
const itemOf = async (run: Run, item_id: number): Promise<RunItemDetail> =>
  (await (await call(stack.url, 'GET', `/api/runs/${run.id}/items/scripted_code/${item_id}?epoch=0`)).json()) as RunItemDetail

test('[SBX31] programs of a run are in sandboxes of its agent; when it is killed they end with it, and the next agent does their trials', async (context) => {
  context.skip(unproved !== null, `no sandbox on this machine: ${unproved}`)
  const body = { model_id: 'scripted-model', selected_benchmarks: ['scripted_code'], data: 'sample' }
  const { id } = await createRun(stack.url, { ...body, subset_count: 6, concurrency: 2 })
  await vi.waitFor(() => expect(lingering().length).toBeGreaterThanOrEqual(2), { timeout: 60_000, interval: 100 })
  process.kill(pidOf(stack, 'agent'), 'SIGKILL')
  await vi.waitFor(() => expect(lingering()).toEqual([]), { timeout: 10_000, interval: 100 })
  const run = await untilRecorded(stack.url, (await untilEnded(stack.url, id)).id)
  expect(run.head).toMatchObject({ status: 'succeeded', benchmarks: { scripted_code: { total: 6, right: 6, wrong: 0, failed: 0 } } })
  const records = await Promise.all([0, 1, 2, 3, 4, 5].map(async (item_id) => (await itemOf(run, item_id)).record))
  expect(records.map(({ attempt }) => attempt).filter((attempt) => attempt > 1).length).toBeGreaterThanOrEqual(1)
  expect(records[2]!.transcript).toContainEqual(expect.objectContaining({ type: 'exec', end: 'exited', exit_code: 0 }))
})
