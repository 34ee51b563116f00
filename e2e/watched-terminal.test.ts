import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { echoFile, solvedBy } from '#fleet/machine/testing/fixture-tasks.ts'
import { ensureMachineImage } from '#fleet/machine/testing/machine-image.ts'
import { TaskExecuted, UploadedTask } from '#shared/contract/task-upload.ts'
import { call, untilEnded, untilRecorded } from './call-api.ts'
import { chromiumPath, lookAt, openBrowser, openTab, shoot, visit } from './open-browser.ts'
import { type SharedStack, sharedStack } from './shared-stack.ts'
import { archiveOf, type Dropped, taskArchive } from './task-archives.ts'

const missing = chromiumPath ? await ensureMachineImage() : 'no Chromium on this machine (CHROMIUM names one)'
let stack: SharedStack
let browser: Browser

beforeAll(async () => {
  if (missing !== null) return
  stack = await sharedStack()
  browser = await openBrowser()
})
afterAll(() => browser?.close())

/** A solution that is long enough at work to be watched, colours what it says, and writes a line over. */
const solution = `#!/bin/bash
printf 'counting \\033[1;32mgreen\\033[0m lines\\n'
for part in 1 2 3 4 5 6 7 8 9 10; do printf '\\rpart %d of 10' $part; sleep 2; done
wc -l < /app/notes.txt > /app/count.txt
echo; echo 'all is counted'
`

/** Uploads a task and starts episodes of its solution; gives the task's id and the run's. */
async function startEpisodes({ name, bytes }: Dropped, num_runs: number): Promise<{ id: string; run_id: string }> {
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(bytes)]), name)
  const task = UploadedTask.parse(await (await fetch(`${stack.url}/api/tasks`, { method: 'POST', body: form })).json())
  const body = { agent: 'oracle', num_runs }
  const started = await call(stack.url, 'POST', `/api/tasks/${task.id}/execute-async`, { body })
  return { id: task.id, run_id: TaskExecuted.parse(await started.json()).run_id }
}

test('[UI123] [UI120] the terminal of an episode is watched while it runs, and its recording is played afterwards', async (context) => {
  context.skip(missing !== null, String(missing))
  const { run_id } = await startEpisodes(await taskArchive('count-lines', { 'solution/solve.sh': solution }), 1)
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

/** A solution that is right about every other time: by the number that its machine happens to have as a name. */
const wavering = `echo 'looking at my name'; hostname
case $(hostname | tail -c 2) in [02468ace]) echo 'this time I do it'; echo hello > /app/out.txt ;; *) echo 'this time I do not' ;; esac`

test('[UI120] [UI135] of ten episodes a failed one is opened from the page of its task, replayed, and can be graded again', async (context) => {
  context.skip(missing !== null, String(missing))
  const separate = { verifier: 'environment_mode = "separate"', first: 'artifacts = ["/app/out.txt"]' }
  const { id, run_id } = await startEpisodes(await archiveOf('wavering', echoFile(separate, solvedBy(wavering))), 10)
  const { page, complaints, close } = await openTab(browser)
  try {
    const ended = await untilEnded(stack.url, run_id)
    const { right, wrong, failed } = ended.head.benchmarks.terminal_tasks!
    expect([right + wrong, failed]).toEqual([10, 0])
    await untilRecorded(stack.url, run_id)
    await visit(page, `${stack.url}/tasks/${id}`)
    const run = page.getByRole('region', { name: 'Run with oracle', exact: true })
    await run.getByText(`n = 10`, { exact: false }).first().waitFor()
    expect(await run.getByRole('row', { name: /not passed 0 / }).count()).toBe(wrong)
    await lookAt(page, 'ten-episodes')
    // One in a thousand times none has failed.
    const shown = wrong > 0 ? /not passed 0 / : /passed 1 /
    await run.getByRole('row', { name: shown }).first().getByRole('link').click()
    await page.getByRole('article').getByRole('heading', { name: 'Reward', exact: true }).waitFor()
    await page.getByRole('button', { name: /^Play the recording, / }).click()
    const screen = page.getByRole('region', { name: /^Terminal, the screen at / })
    await page.getByRole('slider', { name: 'Place in the recording' }).focus()
    await page.keyboard.press('End')
    await screen.getByText(wrong > 0 ? 'this time I do not' : 'this time I do it').waitFor()
    await page.getByText(`bench regrade ${run_id} --tasks DIR`).waitFor()
    await lookAt(page, 'failed-episode')
    expect(complaints).toEqual([])
  } catch (error) {
    await shoot(page, 'failed-ten-episodes')
    throw error
  } finally {
    await close()
  }
})
