import { existsSync, globSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { zipSync } from 'fflate'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type * as z from 'zod'
import { runBench } from '#fleet/cli/fixture-api.ts'
import { ensureMachineImage } from '#fleet/machine/testing/machine-image.ts'
import { BenchmarkPage, type Run, RunItemDetail, RunList } from '#shared/contract/api.ts'
import { HarborImported } from '#shared/contract/harbor-import.ts'
import { TaskExecuted, UploadedTask } from '#shared/contract/task-upload.ts'
import { episode, job } from '#shared/harbor/testing/job.ts'
import { writeJobFolder } from '#shared/harbor/write-job.ts'
import { sized } from '#shared/testing/draws.ts'
import { call, untilEnded, untilRecorded } from './call-api.ts'
import { chromiumPath, lookAt, openBrowser, visit, walkTab } from './open-browser.ts'
import { without } from './parts.ts'
import { newDataDir, type Stack, startStack } from './stack.ts'
import { type Dropped, dropFiles, taskArchive, traversalArchive } from './task-archives.ts'

const absent = existsSync('/var/run/docker.sock') ? await ensureMachineImage() : 'Docker does not run here'
const noBrowser = 'no Chromium on this machine (CHROMIUM names one)'
const dir = newDataDir()
let stack: Stack
let browser: Browser | undefined
/** A run of terminal tasks that ended here, and its export as a Harbor job. */
let made: { run: Run; zip: Uint8Array<ArrayBuffer> } | undefined

beforeAll(async () => {
  stack = await startStack(dir.path)
  if (chromiumPath) browser = await openBrowser()
  if (absent === null) made = await finishedRun()
})
afterAll(async () => {
  await browser?.close()
  await stack?.stop()
  dir.remove()
})

async function finishedRun(): Promise<NonNullable<typeof made>> {
  const { name, bytes } = await taskArchive('count-lines')
  const form = new FormData()
  form.set('file', new File([new Uint8Array(bytes)], name))
  const task = UploadedTask.parse(await (await fetch(`${stack.url}/api/tasks`, { method: 'POST', body: form })).json())
  const body = { agent: 'oracle', num_runs: 3 }
  const started = TaskExecuted.parse(await (await call(stack.url, 'POST', `/api/tasks/${task.id}/execute-async`, { body })).json())
  const run = await untilRecorded(stack.url, (await untilEnded(stack.url, started.run_id)).id)
  const zip = new Uint8Array(await (await call(stack.url, 'GET', `/api/runs/${run.id}/export?format=harbor`)).arrayBuffer())
  return { run, zip }
}

async function send(zip: Uint8Array<ArrayBuffer>) {
  const response = await fetch(`${stack.url}/api/import/harbor`, {
    method: 'POST',
    body: zip,
    headers: { 'content-type': 'application/zip' },
  })
  const body: unknown = await response.json()
  if (!response.ok) throw new Error(`${response.status} ${JSON.stringify(body)}`)
  return { status: response.status, imported: HarborImported.parse(body) }
}

/** Every trial of a run as the API tells it whole, in the order of items and epochs. */
async function trialsOf({ id }: Run): Promise<RunItemDetail[]> {
  const read = async <S extends z.ZodType>(path: string, schema: S) => schema.parse(await (await call(stack.url, 'GET', path)).json())
  const { items } = await read(`/api/runs/${id}/benchmarks/terminal_tasks?limit=100`, BenchmarkPage)
  const all = items.items.map(({ item_id, epoch }) => read(`/api/runs/${id}/items/terminal_tasks/${item_id}?epoch=${epoch}`, RunItemDetail))
  return (await Promise.all(all)).toSorted((a, b) => a.record.epoch - b.record.epoch)
}

test('[API216] a finished run exported as a Harbor job and imported is the same run: items, rewards, flags and the bytes its trials left', async ({
  skip,
}) => {
  skip(absent !== null, String(absent))
  const { run, zip } = made!
  const { status, imported } = await send(zip)
  expect([status, imported.left_out]).toEqual([201, []])
  expect(imported.runs).toMatchObject([{ agent: 'oracle', status: 'succeeded', trials: 3, planned: 3, made: true }])
  const again = await untilRecorded(stack.url, imported.runs[0]!.run_id)
  const [before, after] = [await trialsOf(run), await trialsOf(again)]
  const told = (trials: RunItemDetail[]) =>
    trials.map(({ record: { source_id, epoch, outcome, score, flags, evidence } }) => ({
      ...{ source_id, epoch, outcome, score, flags },
      rewards: evidence?.kind === 'reward' && evidence.steps.map(({ rewards }) => rewards),
    }))
  expect(before).toHaveLength(3)
  expect(told(after)).toEqual(told(before))
  for (const [index, { record }] of before.entries()) {
    const hashes = new Set(after[index]!.record.artifacts?.map(({ sha256 }) => sha256))
    expect(record.artifacts!.length).toBeGreaterThan(0)
    expect(record.artifacts!.filter(({ sha256 }) => !hashes.has(sha256))).toEqual([])
  }
  expect(again).toMatchObject({ labels: expect.arrayContaining(['imported']), overall_score: run.overall_score })
  expect((await fetch(stack.url + after[0]!.artifacts[0]!.url!)).status).toBe(200)
  const signed = new Uint8Array(await (await call(stack.url, 'GET', `/api/runs/${again.id}/export?format=zip`)).arrayBuffer())
  const path = join(dir.path, 'imported.zip')
  writeFileSync(path, signed)
  const { public_key } = (await (await call(stack.url, 'GET', '/api/exports/public-key')).json()) as { public_key: string }
  const verified = await runBench(['verify', path, '--key', public_key, '--json'])
  expect([verified.code, JSON.parse(verified.out.at(-1)!)]).toMatchObject([0, { valid: true, rescored: 3 }])
  expect((await send(zip)).status).toBe(200)
  const leaderboard = await (await call(stack.url, 'GET', '/api/leaderboard?benchmark=terminal_tasks')).json()
  expect(JSON.stringify(leaderboard)).not.toContain(again.id)
})

const manyEpisodes = sized(150, 750)

/** The ZIP of a Harbor job with `manyEpisodes` episodes and a log for each episode. */
function largeJob(): Uint8Array<ArrayBuffer> {
  const episodes = Array.from({ length: manyEpisodes }, (_, index) =>
    episode(String(index), {
      task: { ...episode('1').task, name: `org/task-${index % 50}` },
      rewards: { reward: index % 3 === 0 ? 0 : 1 },
    }),
  )
  const encode = (text: string) => new TextEncoder().encode(text)
  const files = [...writeJobFolder({ ...job, name: 'large', planned: manyEpisodes, width: 16, episodes })].map(({ path, text }) => [
    path,
    encode(text),
  ])
  const logs = episodes.map(({ name }, at) => {
    const lines = Array.from({ length: 2000 }, (_, line) => `${at} ${line} ${Math.imul(at * 2000 + line, 2654435761) >>> 0}\n`)
    return [`large/${name}/verifier/test-stdout.txt`, encode(lines.join(''))]
  })
  return zipSync(Object.fromEntries([...files, ...logs])) as Uint8Array<ArrayBuffer>
}

const runs = async () => RunList.parse(await (await call(stack.url, 'GET', '/api/runs?limit=50')).json())

test(`[API214] workerd killed in the middle of a job of ${manyEpisodes} episodes: no run shows, and the same archive sent again makes it whole, once`, {
  timeout: 300_000,
}, async () => {
  const zip = largeJob()
  const before = (await runs()).total
  const kept = () => globSync('**/*', { cwd: dir.path, exclude: (path) => /postgres|cache/.test(String(path)) }).length
  const atFirst = kept()
  const sending = send(zip).then(
    () => 'arrived',
    () => 'broke off',
  )
  await vi.waitFor(() => expect(kept() - atFirst).toBeGreaterThan(manyEpisodes / 4), { timeout: 120_000, interval: 20 })
  await without(stack, 'host', async () => {
    expect(await sending).toBe('broke off')
  })
  await vi.waitFor(async () => expect((await runs()).total).toBe(before), { timeout: 120_000, interval: 200 })
  const { status, imported } = await send(zip)
  expect([status, imported.runs[0]]).toMatchObject([
    201,
    { status: 'succeeded', trials: manyEpisodes, planned: manyEpisodes, artifacts: manyEpisodes },
  ])
  const run = await untilRecorded(stack.url, imported.runs[0]!.run_id)
  expect([(await runs()).total, run.head.done, run.head.benchmarks.terminal_tasks!.right]).toEqual([
    before + 1,
    manyEpisodes,
    (manyEpisodes * 2) / 3,
  ])
})

const walk = (name: string, steps: (page: Page) => Promise<void>, expected?: RegExp) => walkTab(browser!, name, steps, { expected })

const job4 = (): Dropped => ({
  name: 'job.zip',
  bytes: zipSync(Object.fromEntries([...writeJobFolder(job)].map(({ path, text }) => [path, new TextEncoder().encode(text)]))),
})

test('[UI150] a job is dropped on the page of imports, which is reached from the runs; the page of its run opens, and a refused one says what to do', async ({
  skip,
}) => {
  skip(!chromiumPath, noBrowser)
  await walk(
    'import',
    async (page) => {
      await visit(page, `${stack.url}/runs`)
      await page.getByRole('link', { name: 'Import a Harbor job' }).click()
      await page.waitForURL(`${stack.url}/import`)
      await lookAt(page, 'import-empty')
      const drop = 'Drop the ZIP of a job here'
      await dropFiles(page, drop, [traversalArchive()])
      const refused = page.getByRole('alert')
      await refused.getByText('../outside.txt').first().waitFor()
      await refused.getByText('Mend that and drop the archive again.').waitFor()
      await lookAt(page, 'import-refused')
      await dropFiles(page, drop, [job4()])
      const imports = page.getByRole('region', { name: 'Imports' })
      await imports.getByText(/by terminus-2: 3 of 3 trials, incomplete/).waitFor()
      await imports.getByText(/by terminus-2: 1 of 1 trial, succeeded/).waitFor()
      await lookAt(page, 'import-two-runs')
      if (!made) return
      for (const name of ['Take outside.zip off the list', 'Take job.zip off the list']) await page.getByRole('button', { name }).click()
      await dropFiles(page, drop, [{ name: 'exported.zip', bytes: made.zip }])
      await page.waitForURL(/\/runs\/[0-9a-f-]{36}$/)
      await page.getByText('imported', { exact: true }).first().waitFor()
      await page.locator('#items tbody td').first().waitFor()
      await lookAt(page, 'import-run')
    },
    /422/,
  )
})

test('[UI151] the verify page says that a dropped job of Harbor is none of its bundles, and imports it when it is told to', async ({
  skip,
}) => {
  skip(!chromiumPath, noBrowser)
  await walk('verify-job', async (page) => {
    await visit(page, `${stack.url}/verify`)
    await dropFiles(page, 'Drop a signed ZIP', [job4()])
    await page.getByRole('heading', { name: 'This is a job of Harbor' }).waitFor()
    await lookAt(page, 'verify-job')
    await page.getByRole('button', { name: 'Import it' }).click()
    const imports = page.getByRole('region', { name: 'Imports' })
    await imports.getByText(/by terminus-2: 3 of 3 trials, incomplete/).waitFor()
    await imports.getByRole('link').first().click()
    await page.waitForURL(/\/runs\/[0-9a-f-]{36}$/)
    await page.getByText('imported', { exact: true }).first().waitFor()
  })
})
