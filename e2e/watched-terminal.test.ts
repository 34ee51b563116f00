import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ensureMachineImage } from '#fleet/machine/testing/machine-image.ts'
import { TaskExecuted, UploadedTask } from '#shared/contract/task-upload.ts'
import { call, untilEnded, untilRecorded } from './call-api.ts'
import { chromiumPath, lookAt, openBrowser, openTab, shoot, visit } from './open-browser.ts'
import { newDataDir, type Stack, startStack } from './stack.ts'
import { taskArchive } from './task-archives.ts'

const missing = chromiumPath ? await ensureMachineImage() : 'no Chromium on this machine (CHROMIUM names one)'
const dir = newDataDir()
let stack: Stack
let browser: Browser

beforeAll(async () => {
  if (missing !== null) return
  stack = await startStack(dir.path)
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await stack?.stop()
  dir.remove()
})

/** A solution that is long enough at work to be watched, colours what it says, and writes a line over. */
const solution = `#!/bin/bash
printf 'counting \\033[1;32mgreen\\033[0m lines\\n'
for part in 1 2 3 4 5 6 7 8 9 10; do printf '\\rpart %d of 10' $part; sleep 2; done
wc -l < /app/notes.txt > /app/count.txt
echo; echo 'all is counted'
`

/** Uploads the task and starts an episode; gives its run. */
async function startEpisode(): Promise<string> {
  const { name, bytes } = await taskArchive('count-lines', { 'solution/solve.sh': solution })
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(bytes)]), name)
  const task = UploadedTask.parse(await (await fetch(`${stack.url}/api/tasks`, { method: 'POST', body: form })).json())
  const body = { agent: 'oracle', num_runs: 1 }
  return TaskExecuted.parse(await (await call(stack.url, 'POST', `/api/tasks/${task.id}/execute-async`, { body })).json()).run_id
}

test('[UI123] [UI120] the terminal of an episode is watched while it runs, and its recording is played afterwards', async (context) => {
  context.skip(missing !== null, String(missing))
  const run_id = await startEpisode()
  const { page, complaints, close } = await openTab(browser)
  try {
    await visit(page, `${stack.url}/runs/${run_id}/items/terminal_tasks/0`)
    const live = page.getByRole('region', { name: 'The terminal as it stands now' })
    await live.getByText(/part \d+ of 10/).waitFor({ timeout: 60_000 })
    expect(await live.innerText()).toMatch(/counting green lines\s+part \d+ of 10/)
    await lookAt(page, 'terminal-live')

    await untilEnded(stack.url, run_id)
    await untilRecorded(stack.url, run_id)
    const play = page.getByRole('button', { name: /^Play the recording, / })
    await play.waitFor({ timeout: 60_000 })
    await play.click()
    const screen = page.getByRole('region', { name: /^Terminal, the screen at / })
    await screen.waitFor()
    await page.getByRole('slider', { name: 'Place in the recording' }).focus()
    await page.keyboard.press('End')
    await screen.getByText('all is counted').waitFor()
    expect(await screen.innerText()).toMatch(/counting green lines\s+part 10 of 10\s+all is counted/)
    await lookAt(page, 'terminal-recording')
    await page.keyboard.press('Home')
    await screen.getByText('all is counted').waitFor({ state: 'hidden' })
    await page.getByRole('combobox', { name: 'Speed' }).selectOption('8×')
    await page.getByRole('button', { name: 'Play', exact: true }).click()
    await screen.getByText('all is counted').waitFor({ timeout: 60_000 })
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor({ timeout: 60_000 })
    // The item has no record before it has ended.
    expect(complaints.filter((one) => !one.includes('404'))).toEqual([])
  } catch (error) {
    await shoot(page, 'failed-watched-terminal')
    throw error
  } finally {
    await close()
  }
})
