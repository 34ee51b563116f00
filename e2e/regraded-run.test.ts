import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runBench } from '#fleet/cli/fixture-api.ts'
import { echoFile, type FixtureFiles, verifiedBy } from '#fleet/machine/testing/fixture-tasks.ts'
import { ensureMachineImage } from '#fleet/machine/testing/machine-image.ts'
import { Run } from '#shared/contract/api.ts'
import { RegradeComparison, RegradeStarted } from '#shared/contract/regrade.ts'
import { TaskExecuted, UploadedTask } from '#shared/contract/task-upload.ts'
import { writeTaskZip } from '#shared/harbor/write-task-zip.ts'
import { call, untilEnded, untilRecorded } from './call-api.ts'
import { chromiumPath, lookAt, openBrowser, openTab, visit } from './open-browser.ts'
import { type SharedStack, sharedStack } from './shared-stack.ts'
import { newDataDir } from './stack.ts'

const absent = existsSync('/var/run/docker.sock') ? await ensureMachineImage() : 'Docker does not run here'
const dir = newDataDir()
let stack: SharedStack

afterAll(() => dir.remove())
beforeAll(async () => {
  if (absent === null) stack = await sharedStack()
})

const apart = { verifier: 'environment_mode = "separate"', first: 'artifacts = ["/app/out.txt"]' }

async function upload(files: FixtureFiles): Promise<UploadedTask> {
  const tree = Object.entries(files).flatMap(([path, text]) =>
    text === undefined ? [] : [{ path: `echo/${path}`, mode: 0o755, bytes: new TextEncoder().encode(text) }],
  )
  const pieces: Uint8Array<ArrayBuffer>[] = []
  for await (const piece of writeTaskZip(tree)) pieces.push(piece)
  const form = new FormData()
  form.set('file', new Blob(pieces), 'echo.zip')
  return UploadedTask.parse(await (await fetch(`${stack.url}/api/tasks`, { method: 'POST', body: form })).json())
}

const ended = async (run_id: string): Promise<Run> => untilRecorded(stack.url, (await untilEnded(stack.url, run_id)).id)

test('[TASK15] what episodes handed over is graded by the newest tests of their task, by agents of the service; the export says whose it was', {
  timeout: 240_000,
}, async (context) => {
  context.skip(absent !== null, String(absent))
  const task = await upload(echoFile(apart, verifiedBy('grep -q other /app/out.txt; echo $((1 - $?)) > /logs/verifier/reward.txt')))
  const body = { agent: 'oracle', num_runs: 2 }
  const { run_id } = TaskExecuted.parse(await (await call(stack.url, 'POST', `/api/tasks/${task.id}/execute-async`, { body })).json())
  const before = await ended(run_id)
  expect(before.head.benchmarks.terminal_tasks).toMatchObject({ right: 0, wrong: 2, failed: 0 })

  await upload(echoFile(apart))
  const started = RegradeStarted.parse(await (await call(stack.url, 'POST', `/api/runs/${run_id}/regrade`)).json())
  const after = await ended(started.run_id)
  expect([after.status, after.labels, after.head.benchmarks.terminal_tasks]).toMatchObject([
    'succeeded',
    ['regrade', 'upload'],
    { right: 2, wrong: 0, failed: 0 },
  ])
  const compared = RegradeComparison.parse(await (await call(stack.url, 'GET', `/api/runs/${started.run_id}/regrade`)).json())
  expect(compared).toMatchObject({ regrades: run_id, episodes: 2, graded: 2, changed: 2, better: 2, mean: { before: 0, after: 1 } })
  const item = (id: string) => call(stack.url, 'GET', `/api/runs/${id}/items/terminal_tasks/0?epoch=1`).then((response) => response.json())
  expect((await item(started.run_id)) as object).toMatchObject({
    record: { evidence: { room: 'clean', agent: { name: 'oracle' }, regrade_of: { run_id, ordinal: 1, score: 0 } } },
  })
  expect(Run.parse(await (await call(stack.url, 'GET', `/api/runs/${run_id}`)).json()).head).toEqual(before.head)

  const zip = join(dir.path, 'regraded.zip')
  writeFileSync(zip, Buffer.from(await (await call(stack.url, 'GET', `/api/runs/${started.run_id}/export?format=zip`)).arrayBuffer()))
  const verified = await runBench(['verify', zip, '--json'], { BENCH_URL: stack.url })
  expect([verified.code, verified.out.join('\n')]).toEqual([0, expect.stringContaining('regrade')])
})

test('[CLI220] `bench regrade RUN` without tasks has the service grade, waits for it and shows both rewards', {
  timeout: 240_000,
}, async (context) => {
  context.skip(absent !== null, String(absent))
  const task = await upload(echoFile(apart))
  const body = { agent: 'oracle', num_runs: 1 }
  const { run_id } = TaskExecuted.parse(await (await call(stack.url, 'POST', `/api/tasks/${task.id}/execute-async`, { body })).json())
  await ended(run_id)
  const env = { BENCH_URL: stack.url }
  const same = await runBench(['regrade', run_id], env)
  expect([same.code, same.out.join('\n')]).toEqual([0, expect.stringContaining('1 of 1 episodes graded again, 0 changed')])
  await upload(echoFile(apart, verifiedBy('echo 0 > /logs/verifier/reward.txt')))
  const changed = await runBench(['regrade', run_id, '--json'], env)
  const rows = changed.out.map((line) => JSON.parse(line) as Record<string, unknown>)
  expect([changed.code, rows]).toMatchObject([3, [{ type: 'regrade', run_id, source_id: 'echo', before: 1, after: 0 }]])
})

test('[UI141] [UI142] an episode is graded again by a button on its page, a run by one on its own; both rewards stand side by side', {
  timeout: 240_000,
}, async (context) => {
  context.skip(absent !== null, String(absent))
  context.skip(!chromiumPath, 'no Chromium on this machine (CHROMIUM names one)')
  const wrong = verifiedBy('echo 0 > /logs/verifier/reward.txt')
  const task = await upload(echoFile(apart, wrong))
  const body = { agent: 'oracle', num_runs: 2 }
  const { run_id } = TaskExecuted.parse(await (await call(stack.url, 'POST', `/api/tasks/${task.id}/execute-async`, { body })).json())
  await ended(run_id)
  await upload(echoFile(apart))
  const browser = await openBrowser()
  const { page, close } = await openTab(browser)
  try {
    await visit(page, `${stack.url}/runs/${run_id}/items/terminal_tasks/0?epoch=1`)
    await page.getByText(`bench regrade ${run_id} --tasks DIR`).waitFor()
    await lookAt(page, 'regrade-item')
    await page.getByRole('article').getByRole('button', { name: 'Regrade', exact: true }).click()
    await page.waitForURL((url) => !url.href.includes(run_id))
    const compared = page.getByRole('region', { name: 'Graded again', exact: true })
    await compared.getByText('1 changed: 1 up, 0 down').waitFor({ timeout: 120_000 })
    expect(await compared.getByRole('row').filter({ hasText: 'echo' }).innerText()).toMatch(/echo, epoch 2\s+0\s+1\s+▲ up/)
    await lookAt(page, 'regraded')
    await compared.getByRole('link', { name: 'echo, epoch 2' }).click()
    await page.getByText('Reward then 0 → now 1.').waitFor()
    await lookAt(page, 'regraded-item')
    await visit(page, `${stack.url}/runs/${run_id}`)
    await page.getByRole('region', { name: 'Graded again by' }).getByRole('link').waitFor()
    await page.locator('header').getByRole('button', { name: 'Regrade', exact: true }).click()
    await page.getByRole('region', { name: 'Graded again', exact: true }).getByText('2 changed: 2 up, 0 down').waitFor({ timeout: 120_000 })
  } finally {
    await close()
    await browser.close()
  }
})
