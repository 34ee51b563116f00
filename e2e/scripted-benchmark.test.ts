import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { sandboxHosts } from '#fleet/sandbox/sandbox-hosts.ts'
import type { Run, RunItemDetail } from '#shared/contract/api.ts'
import { ItemRowPage } from '#shared/contract/item-rows.ts'
import { LiveMessage } from '#shared/contract/live.ts'
import type { Rescore } from '#shared/contract/rescore.ts'
import { Step } from '#shared/contract/transcript.ts'
import type { TrialRecord } from '#shared/contract/trial.ts'
import { someOf } from '#shared/testing/draws.ts'
import { findPart, type PartName } from '../prove/chaos/processes.ts'
import { call, createRun, getRun, untilEnded, untilRecorded, untilRun } from './call-api.ts'
import { readStream } from './event-stream.ts'
import { chromiumPath, lookAt, openBrowser, openTab, shoot, visit } from './open-browser.ts'
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
  models = await startModelServer()
  const env = { OPENAI_BASE_URL: models.url, OPENAI_MODELS: 'scripted-model,scripted-user,scripted-judge' }
  stack = await startStack(dir.path, env, checkout.path, { sandboxes: true })
})
afterAll(async () => {
  await stack?.stop()
  await models?.close()
})

const body = { model_id: 'scripted-model', selected_benchmarks: ['scripted'], data: 'sample' }
const longLog = 60 * 1024 * 1024
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

const itemOf = async (run: Run, item_id: string, benchmark = 'scripted'): Promise<RunItemDetail> =>
  (await (await call(stack.url, 'GET', `/api/runs/${run.id}/items/${benchmark}/${item_id}?epoch=0`)).json()) as RunItemDetail

const artifactOf = (run: Run, { ordinal }: TrialRecord, name: string, headers: Record<string, string> = {}): Promise<Response> =>
  call(stack.url, 'GET', `/api/runs/${run.id}/artifacts/${ordinal}/${encodeURIComponent(name)}`, { headers })

function bench(...args: string[]): Promise<{ code: number; output: string }> {
  return new Promise((done) => {
    const file = join(checkout.path, 'fleet', 'cli', 'bench.mjs')
    const env = { ...process.env, BENCH_URL: stack.url, NO_COLOR: '1' }
    execFile(process.execPath, [file, ...args], { env, maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      done({ code: error === null ? 0 : Number(error.code), output: stdout + stderr })
    })
  })
}

let run: Run

const sum = (values: number[]): number => values.reduce((all, one) => all + one, 0)

/** Tokens that a run has counted, by model. */
function counted({ head }: Run): Record<string, number> {
  const { judge, user } = head.roles!
  const spent = { 'scripted-model': head.usage, 'scripted-judge': judge!.usage, 'scripted-user': user!.usage }
  return Object.fromEntries(Object.entries(spent).map(([name, usage]) => [name, usage.input_tokens + usage.output_tokens]))
}

test('[END70] a dialogue of 200 steps with a user, a tool, a judge and 60 MB of log is watched live and stands in the record', async () => {
  models.slow = true
  run = await createRun(stack.url, { ...body, subset_count: 12, concurrency: 4 })
  const heard = await hearLastAnswer(run)
  expect(heard).toMatch(/^All \d+ numbers were looked up, one after the other\. Their sum is \d+$/)
  run = await untilRecorded(stack.url, (await untilEnded(stack.url, run.id)).id)
  models.slow = false
  expect(run.head.benchmarks.scripted).toMatchObject({ total: 12, right: 12, wrong: 0, failed: 0 })
  const { record } = await itemOf(run, '0')
  expect(record).toMatchObject({ outcome: 'right', calls: 71, roles: { user: { calls: 70 }, judge: { calls: 1 } } })
  const transcript = record.artifacts?.find(({ kind }) => kind === 'transcript')
  const steps = (await (await artifactOf(run, record, transcript!.name)).text())
    .trimEnd()
    .split('\n')
    .map((line) => Step.parse(JSON.parse(line)))
  const count = (type: string) => steps.filter((step) => step.type === type).length
  expect([count('model_call'), count('tool_call'), count('note')]).toEqual([142, 70, 1])
  // What the roles and the look before the run took is what was billed, no call less and none twice.
  const before = run.head.preflight!.spent.usage
  expect(sum(Object.values(counted(run))) + before.input_tokens + before.output_tokens).toBe(sum([...models.billed.values()]))
})

/** What a viewer of the second item is told of its last answer, piece by piece, until its trial is done. */
async function hearLastAnswer({ id }: Run): Promise<string> {
  await untilRun(stack.url, id, ({ head }) => head.leased > 0)
  const said = new Map<number, string>()
  for await (const { data } of readStream(await call(stack.url, 'GET', `/api/runs/${id}/items/scripted/1/live?epoch=0`))) {
    const message = LiveMessage.parse(JSON.parse(data))
    if (message.type === 'done') break
    if (message.type === 'waiting') continue
    if (message.type === 'reset') said.clear()
    for (const entry of message.entries) {
      if (entry.type !== 'delta' || entry.role !== 'model' || entry.part !== 'text') continue
      said.set(entry.call, (said.get(entry.call) ?? '').slice(0, entry.from) + entry.text)
    }
  }
  return [...said.values()].at(-1) ?? ''
}

test('[END71] what a trial left behind is given whole, in parts, and as nothing but what it is', async () => {
  const { record } = await itemOf(run, '0')
  const log = record.artifacts!.find(({ kind }) => kind === 'log')!
  expect(log).toMatchObject({ name: 'logs/dialogue.log', bytes: longLog, media_type: 'text/plain' })
  const whole = await artifactOf(run, record, log.name)
  expect([whole.status, whole.headers.get('x-content-type-options')]).toEqual([200, 'nosniff'])
  const bytes = new Uint8Array(await whole.arrayBuffer())
  expect([bytes.length, sha256(bytes)]).toEqual([longLog, log.sha256])
  const part = await artifactOf(run, record, log.name, { range: 'bytes=1000-1999' })
  expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 1000-1999/${longLog}`])
  expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(1000, 2000))).toBe(true)
  expect((await artifactOf(run, record, 'logs/other.log')).status).toBe(404)
})

test('[END72] the page of the item shows its steps and what it left behind', async (context) => {
  context.skip(!chromiumPath, 'no Chromium on this machine (CHROMIUM names one)')
  const browser = await openBrowser()
  const { page, complaints, close } = await openTab(browser)
  await visit(page, `${stack.url}/runs/${run.id}/items/scripted/0`)
  await page.locator('details', { hasText: 'I look place 0 up.' }).first().locator('summary').first().click()
  await page.getByText('I look place 0 up.').first().waitFor()
  await page.getByText('logs/dialogue.log').first().waitFor()
  for (const role of ['User simulator', 'Judge']) await page.locator('dt', { hasText: new RegExp(`^${role}$`) }).waitFor()
  await shoot(page, 'scripted-item')
  await lookAt(page, 'scripted-item')
  expect(complaints).toEqual([])
  await close()
  await browser.close()
})

test('[END73] the signed archive holds what the trials left behind, verifies, and not with a byte of it changed; scores come out again', async () => {
  const path = join(dir.path, 'scripted.zip')
  const bytes = new Uint8Array(await (await call(stack.url, 'GET', `/api/runs/${run.id}/export?format=zip`)).arrayBuffer())
  writeFileSync(path, bytes)
  const { public_key } = (await (await call(stack.url, 'GET', '/api/exports/public-key')).json()) as { public_key: string }
  const whole = await bench('verify', path, '--key', public_key)
  expect(whole.code, whole.output).toBe(0)
  bytes[Math.floor(bytes.length / 2)]! ^= 1
  writeFileSync(path, bytes)
  expect((await bench('verify', path, '--key', public_key)).code).toBe(3)
  const rescored = await call(stack.url, 'POST', `/api/runs/${run.id}/rescore`, { body: {} })
  const { rescores } = (await rescored.json()) as { rescores: Rescore[] }
  expect([rescored.status, rescores]).toMatchObject([201, [{ counts: { trials: 12, unchanged: 12, changed: 0 } }]])
})

/** Ends a part with everything it started; its supervisor starts it again. */
function strike(part: PartName): void {
  process.kill(-pidOf(stack, part), 'SIGKILL')
}

const parts: readonly PartName[] = ['agent', 'host', 'database']
test.each(someOf(parts, 1))('[END74] while the %s is killed nothing acknowledged is lost and nothing counted twice', async (part) => {
  models.slow = true
  const billedBefore = models.billed.get('scripted-model') ?? 0
  const { id } = await createRun(stack.url, { ...body, subset_count: 6, concurrency: 3 })
  await untilRun(stack.url, id, ({ head }) => head.done >= 2)
  strike(part)
  await vi.waitFor(() => expect(findPart(stack.pid, part)).toBeDefined(), { timeout: 60_000, interval: 200 })
  await vi.waitFor(() => getRun(stack.url, id), { timeout: 120_000, interval: 500 })
  const ended = await untilRecorded(stack.url, (await untilEnded(stack.url, id)).id)
  models.slow = false
  expect(ended.head.benchmarks.scripted).toMatchObject({ total: 6, right: 6, failed: 0 })
  const { rows: chosen } = ItemRowPage.parse(await (await call(stack.url, 'GET', `/api/runs/${id}/rows`)).json())
  const records = await Promise.all(chosen.map(async ({ item_id }) => (await itemOf(ended, item_id)).record))
  for (const record of records) {
    for (const { name, sha256: hash } of record.artifacts!) {
      const kept = await artifactOf(ended, record, name)
      expect([kept.status, sha256(new Uint8Array(await kept.arrayBuffer()))]).toEqual([200, hash])
    }
  }
  // Attempts that were given up count besides; what the killed part had in its hands is counted at most once.
  const recorded = sum(records.map(({ usage }) => usage.input_tokens + usage.output_tokens))
  const { 'scripted-model': asked } = counted(ended)
  expect(asked).toBeGreaterThanOrEqual(recorded)
  expect(asked).toBeLessThanOrEqual(models.billed.get('scripted-model')! - billedBefore)
})

/** Ids of the processes on this machine with the argument `lingering-mark`. */
const lingering = (): string[] =>
  readdirSync('/proc').filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes('lingering-mark')
    } catch {
      return false // it ended meanwhile, or is no process
    }
  })

test('[SBX31] programs of a run are in sandboxes of its agent; when it is killed they end with it, and the next agent does their trials', async (context) => {
  context.skip(unproved !== null, `no sandbox on this machine: ${unproved}`)
  const { id } = await createRun(stack.url, { ...body, selected_benchmarks: ['scripted_code'], subset_count: 6, concurrency: 2 })
  await vi.waitFor(() => expect(lingering().length).toBeGreaterThanOrEqual(2), { timeout: 60_000, interval: 100 })
  const open = lingering()
  process.kill(pidOf(stack, 'agent'), 'SIGKILL')
  // The next agent may already have started the programs of its own attempts.
  await vi.waitFor(() => expect(lingering().filter((pid) => open.includes(pid))).toEqual([]), { timeout: 10_000, interval: 100 })
  const ended = await untilRecorded(stack.url, (await untilEnded(stack.url, id)).id)
  expect(ended.head).toMatchObject({ status: 'succeeded', benchmarks: { scripted_code: { total: 6, right: 6, wrong: 0, failed: 0 } } })
  const records = await Promise.all(
    [0, 1, 2, 3, 4, 5].map(async (item_id) => (await itemOf(ended, String(item_id), 'scripted_code')).record),
  )
  expect(records.map(({ attempt }) => attempt).filter((attempt) => attempt > 1).length).toBeGreaterThanOrEqual(1)
  expect(records[2]!.transcript).toContainEqual(expect.objectContaining({ type: 'exec', end: 'exited', exit_code: 0 }))
})
