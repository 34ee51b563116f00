import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, type TestContext, test } from 'vitest'
import { ensureMachineImage } from '#fleet/machine/testing/machine-image.ts'
import { UploadedTaskDetail, UploadedTaskList } from '#shared/contract/task-upload.ts'
import { call, untilEnded, untilRecorded } from './call-api.ts'
import { chromiumPath, jumpsOf, lookAt, openBrowser, visit, walkTab, watchShift } from './open-browser.ts'
import { newDataDir, type Stack, startStack } from './stack.ts'
import { dropFiles, taskArchive, traversalArchive } from './task-archives.ts'

const noBrowser = 'no Chromium on this machine (CHROMIUM names one)'
const noImage = chromiumPath ? await ensureMachineImage() : noBrowser
const soon = { timeout: 180_000 }
const dir = newDataDir()
let stack: Stack
let browser: Browser
afterAll(() => dir.remove())
if (chromiumPath) {
  beforeAll(async () => {
    stack = await startStack(dir.path)
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await stack?.stop()
  })
}

/** Walks in a fresh tab, which must end without a complaint of the browser but those named. */
const journey =
  (walk: (page: Page) => Promise<void>, missing: string | null, expected = /^$/) =>
  async (context: TestContext) => {
    context.skip(missing !== null, String(missing))
    const watched = async (page: Page) => {
      await watchShift(page)
      await walk(page)
    }
    await walkTab(browser, context.task.name.slice(1, 6), watched, { expected })
  }
const browserOnly = chromiumPath ? null : noBrowser

const listed = async () => UploadedTaskList.parse(await (await call(stack.url, 'GET', '/api/tasks')).json())
const taskOf = async (id: string) => UploadedTaskDetail.parse(await (await call(stack.url, 'GET', `/api/tasks/${id}`)).json())
const dropOn = 'Drop archives of tasks here'
const card = (page: Page) => page.getByRole('region', { name: 'Start episodes' })
const runBox = (page: Page, agent: string) => page.getByRole('region', { name: `Run with ${agent}`, exact: true })

/** Chooses a solver and how many episodes, and presses the button, which says how much it starts. */
async function start(page: Page, solver: string, episodes: number, words: string): Promise<void> {
  await card(page).getByLabel('Solver').selectOption(solver)
  await card(page)
    .getByLabel(/^Episodes/)
    .fill(String(episodes))
  await page.keyboard.press('Tab')
  await card(page).getByRole('button', { name: words, exact: true }).click()
}

test(
  '[UI137] without a task the page says how one is made, on a phone as well',
  journey(async (page) => {
    await visit(page, `${stack.url}/`)
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Tasks' }).click()
    await page.waitForURL(`${stack.url}/tasks`)
    const recipe = page.getByRole('region', { name: 'How a task is made' })
    await recipe.getByText('tests/test.sh').waitFor()
    await recipe.getByText(/^bench run --local --tasks my-tasks\//).waitFor()
    expect(await card(page).getByRole('button', { name: 'Choose a task' }).isDisabled()).toBe(true)
    await lookAt(page, 'tasks-empty')
  }, browserOnly),
)

test(
  '[UI130] [UI131] archives are dropped together: one is stored and ticked, another refused by its entry; the stored one is looked at',
  journey(
    async (page) => {
      await visit(page, `${stack.url}/tasks`)
      await dropFiles(page, dropOn, [await taskArchive('count-lines'), traversalArchive(), { name: 'notes.txt', bytes: Buffer.from('x') }])
      const uploads = page.getByRole('region', { name: 'Uploads' })
      await uploads.getByText('1 stored, 2 refused', { exact: true }).waitFor()
      await uploads.getByRole('listitem').filter({ hasText: 'outside.zip' }).getByText('../outside.txt: it leads out').waitFor()
      await uploads.getByRole('listitem').filter({ hasText: 'notes.txt' }).getByText('Its name does not end in .zip').waitFor()
      const [task, ...more] = await listed()
      expect([task?.name, more]).toEqual(['chutes/count-lines', []])
      await page.waitForURL((url) => url.searchParams.get('tasks') === task!.id)
      await page.getByRole('checkbox', { name: 'Choose chutes/count-lines', checked: true }).waitFor()
      await lookAt(page, 'tasks-uploaded')

      await page
        .getByRole('row', { name: /count-lines/ })
        .getByRole('link')
        .click()
      await page.waitForURL(`${stack.url}/tasks/${task!.id}`)
      const instruction = page.getByRole('region', { name: 'Instruction' })
      await instruction.locator('code', { hasText: '/app/notes.txt' }).first().waitFor()
      const wants = page.getByRole('region', { name: 'What it wants' })
      expect(await wants.innerText()).toMatch(/CPU\s+1 core\s+Memory\s+512 MB\s+Disk\s+as the host gives\s+Network\s+none/)
      await lookAt(page, 'task-not-started')
      await visit(page, `${stack.url}/tasks/${task!.id}`)
      await instruction.locator('code').first().waitFor()
      expect(await jumpsOf(page)).toEqual([])
    },
    browserOnly,
    /422/,
  ),
)

test(
  '[UI524] what is chosen and pressed while the scripts of the page still load counts once they are there',
  journey(async (page) => {
    const { name, bytes } = await taskArchive('chess-best-move')
    const gate = Promise.withResolvers<void>()
    await page.route(/\.js$/, async (route) => {
      await gate.promise
      await route.continue()
    })
    await page.goto(`${stack.url}/tasks`, { waitUntil: 'commit' })
    await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'application/zip', buffer: Buffer.from(bytes) })
    await page.getByLabel('Solver').selectOption('nop')
    await page.getByRole('button', { name: 'running' }).click()
    gate.resolve()
    await page.waitForURL(/status=running/)
    await page.waitForURL((url) => url.searchParams.get('agent') === 'nop')
    await page.getByRole('region', { name: 'Uploads' }).getByText('1 stored', { exact: true }).waitFor()
    expect((await listed()).map((one) => one.name)).toContain('chutes/chess-best-move')
    const [task] = (await listed()).filter((one) => one.name === 'chutes/chess-best-move')
    expect((await call(stack.url, 'DELETE', `/api/tasks/${task!.id}`)).status).toBe(200)
  }, browserOnly),
)

test(
  '[UI133] [UI134] the list is narrowed by its address, and a task goes by a command that asks first',
  journey(async (page) => {
    const { name, bytes } = await taskArchive('chess-best-move')
    await visit(page, `${stack.url}/tasks`)
    await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'application/zip', buffer: Buffer.from(bytes) })
    const row = page.getByRole('row', { name: /chess-best-move/ })
    await row.waitFor()
    await page.getByRole('button', { name: 'running' }).click()
    await page.waitForURL(/status=running/)
    await page.getByText('No task fits this filter.').waitFor()
    await page.getByRole('button', { name: 'Show all tasks' }).click()
    await row.waitFor()
    await page.getByPlaceholder('Name, instruction or file').fill('BOARD.txt')
    await page.waitForURL(/q=BOARD.txt/)
    await page.getByRole('row', { name: /count-lines/ }).waitFor({ state: 'hidden' })
    await row.getByRole('link').click()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('button', { name: 'Keep' }).click()
    expect((await listed()).length).toBe(2)
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('button', { name: 'Delete the task' }).click()
    await page.waitForURL(`${stack.url}/tasks`)
    await page.getByRole('row', { name: /count-lines/ }).waitFor()
    expect(await row.count()).toBe(0)
    expect((await listed()).map((one) => one.name)).toEqual(['chutes/count-lines'])
  }, browserOnly),
)

test(
  '[UI132] [UI135] [UI136] episodes start by one press, are followed to their end without a reload, and again with another solver',
  journey(async (page) => {
    const [task] = await listed()
    await visit(page, `${stack.url}/tasks?tasks=${task!.id}`)
    await card(page).getByLabel('Solver').selectOption('nop')
    await page.waitForURL((url) => url.searchParams.get('agent') === 'nop') // the URL follows the choice
    await start(page, 'nop', 2, 'Start 2 episodes')
    await page.waitForURL(`${stack.url}/tasks/${task!.id}`)
    await page.evaluate('globalThis.sameDocument = true')
    const nop = runBox(page, 'nop')
    await nop.getByText('succeeded', { exact: true }).waitFor(soon)
    await nop.getByText('0.0 %', { exact: true }).first().waitFor(soon)
    await nop.getByText(/^passed \(0\.0–65\.8\) n = 2$/).waitFor()
    expect(await nop.getByRole('row', { name: /not passed 0 / }).count()).toBe(2)

    await start(page, 'oracle', 1, 'Start 1 episode')
    const oracle = runBox(page, 'oracle')
    await oracle.getByRole('row', { name: /passed 1 / }).waitFor(soon)
    await oracle.getByText('succeeded', { exact: true }).waitFor(soon)
    expect(await page.evaluate('globalThis.sameDocument')).toBe(true)
    const { executions } = await taskOf(task!.id)
    expect(executions.map(({ agent, passed, failed }) => [agent, passed, failed])).toEqual([
      ['oracle', 1, 0],
      ['nop', 0, 2],
    ])
    await lookAt(page, 'task-done')

    await oracle
      .getByRole('row', { name: /passed 1 / })
      .getByRole('link')
      .click()
    await page.waitForURL(`${stack.url}/runs/${executions[0]!.run_id}/items/terminal_tasks/0`)
    await page.getByRole('article').getByRole('heading', { name: 'Reward', exact: true }).waitFor()
    await visit(page, `${stack.url}/tasks`)
    const row = page.getByRole('row', { name: /count-lines/ })
    await row.getByText('n = 1', { exact: true }).waitFor()
    await row.getByText('3 of 3 done', { exact: true }).waitFor()
    await lookAt(page, 'tasks-done')
  }, noImage),
)

test(
  '[UI135] a run that has ended before the page asks for it is shown with its end',
  journey(async (page) => {
    const [task] = await listed()
    await visit(page, `${stack.url}/tasks?tasks=${task!.id}`)
    await page.route(/\/api\/runs\/[0-9a-f-]{36}$/, async (route) => {
      await untilEnded(stack.url, route.request().url().slice(-36))
      await route.continue()
    })
    await start(page, 'oracle', 1, 'Start 1 episode')
    await page.waitForURL(`${stack.url}/tasks/${task!.id}`)
    const [run] = (await taskOf(task!.id)).executions
    await untilRecorded(stack.url, (await untilEnded(stack.url, run!.run_id)).id)
    const newest = runBox(page, 'oracle').filter({ has: page.locator(`a[href="/runs/${run!.run_id}"]`) })
    await newest.getByText('succeeded', { exact: true }).waitFor(soon)
    await newest.getByRole('row', { name: /passed 1 / }).waitFor(soon)
  }, noImage),
)

test(
  '[UI135] an episode that broke is no failed one, says why, and is tried again by one button',
  journey(async (page) => {
    const broken = await taskArchive('count-lines', { 'environment/Dockerfile': 'FROM bench\nRUN echo no such program; exit 3\n' })
    await visit(page, `${stack.url}/tasks?agent=nop&episodes=1`)
    await dropFiles(page, dropOn, [{ ...broken, name: 'broken.zip' }])
    await card(page).getByRole('button', { name: 'Start 1 episode', exact: true }).click()
    await page.waitForURL(/\/tasks\/[0-9a-f-]{36}$/)
    const run = runBox(page, 'nop')
    await run.getByRole('row', { name: /broken –/ }).waitFor(soon)
    const retry = page.getByRole('button', { name: 'Retry 1 broken' })
    await retry.waitFor(soon)
    await run.getByText('none graded yet').waitFor()
    await lookAt(page, 'task-broken')
    const id = page.url().split('/').at(-1)!
    const before = (await taskOf(id)).executions[0]!.completed_at
    await retry.click()
    await expect.poll(async () => (await taskOf(id)).executions[0]!.completed_at, soon).not.toBe(before)
  }, noImage),
)
