import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, type TestContext, test } from 'vitest'
import { startProvider } from '../prove/provider/provider.ts'
import { call, createRun, getRun, untilEnded, untilRecorded, untilRun } from './call-api.ts'
import { chooseItems, startSeveral } from './choose-items.ts'
import { chromiumPath, lookAt, openBrowser, openTab, shoot, type Tab, visit, walkTab } from './open-browser.ts'
import { operate } from './operate.ts'
import { checkFolder, drop, holdFonts, lookAtBar } from './page-manners.ts'
import { simulatedStack } from './shared-stack.ts'
import { newDataDir, type Stack, startStack } from './stack.ts'

const dir = newDataDir()
let browser: Browser
let demo: Stack
/** A run of 200 items that has ended. */
let runId = ''

const body = { model_id: 'demo-model', selected_benchmarks: ['mmlu_pro'], profile: 'builtin' }
// Hooks run last one first: the directories go when the stack has stopped.
afterAll(() => {
  dir.remove()
})
if (chromiumPath) {
  beforeAll(async () => {
    demo = await startStack(dir.path)
    browser = await openBrowser()
    const { id } = await createRun(demo.url, { ...body, subset_count: 200 })
    runId = (await untilRecorded(demo.url, (await untilEnded(demo.url, id)).id)).id
  })
  afterAll(async () => {
    await browser?.close()
    await demo?.stop()
  })
}

const noBrowser = 'no Chromium on this machine (CHROMIUM names one)'

/** A journey in a fresh tab, which must end without a complaint of the browser. */
const journey = (walk: (page: Page, tab: Tab) => Promise<void>) => async (context: TestContext) => {
  context.skip(!chromiumPath, noBrowser)
  await walkTab(browser, context.task.name.slice(1, 6), walk)
}

const doneCount = (page: Page) => page.getByRole('progressbar').first().getAttribute('aria-valuenow').then(Number)
const until = (page: Page, status: string) => page.locator('header').getByText(status, { exact: true }).waitFor({ timeout: 120_000 })

/** Waits until the page itself shows more finished trials than `before`, and gives their number. */
async function untilMore(page: Page, before: number): Promise<number> {
  await expect.poll(() => doneCount(page), { timeout: 120_000, interval: 50 }).toBeGreaterThan(before)
  return doneCount(page)
}

test(
  '[ITEMS12] items are ticked on the start page, the run of them says so, and its item is run again from its page',
  journey((page) => chooseItems(page, demo.url).then(() => startSeveral(page, demo.url))),
)

test(
  '[END12] a visitor chooses model, benchmark and size, presses Run, and watches the result arrive',
  journey(async (page) => {
    await visit(page, `${demo.url}/`)
    await page.getByRole('button', { name: 'Change' }).press('Enter')
    const models = page.getByRole('combobox', { name: 'Search models' })
    await models.focus()
    await page.keyboard.type('demo')
    await page.getByRole('option', { name: 'demo-model' }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL(/model=demo-model/)
    for (const box of await page.getByRole('checkbox').all()) await box.uncheck()
    await page.getByRole('checkbox', { name: /MMLU-Pro/ }).check()
    await page.getByPlaceholder('count', { exact: true }).fill('200')
    await page.keyboard.press('Tab')
    await page.locator('main summary', { hasText: 'More' }).click()
    await page.getByLabel('Wording', { exact: true }).selectOption('builtin')
    await page.getByLabel('Concurrency', { exact: true }).fill('16')
    await page.keyboard.press('Tab')
    const plan = page.getByRole('complementary', { name: 'Plan' })
    await plan.getByText('200', { exact: true }).first().waitFor()
    await plan.getByText('sample', { exact: true }).waitFor()
    await shoot(page, 'start')
    await plan.getByRole('button', { name: 'Run', exact: true }).click()
    await page.waitForURL(/\/runs\/[0-9a-f-]{36}$/)
    const id = page.url().split('/').at(-1)!

    await page.evaluate('globalThis.sameDocument = true')
    let done = await untilMore(page, 0)
    for (let step = 0; step < 3; step += 1) {
      const before = done
      done = await untilMore(page, before)
      expect(done).toBeGreaterThan(before)
    }
    await shoot(page, 'running')
    expect(done).toBeLessThan(200)
    await until(page, 'succeeded')
    expect(await page.evaluate('globalThis.sameDocument')).toBe(true)

    const { estimate } = await getRun(demo.url, id)
    const result = page.getByRole('region', { name: 'Result' })
    await result.getByText('n = 200').waitFor()
    await result.getByText(`${(estimate.value! * 100).toFixed(1)} %`, { exact: true }).waitFor()
    await result
      .getByText(/^(\d+\.\d–\d+\.\d|exact)$/)
      .first()
      .waitFor()
    await page.getByText('DEMO MODEL').waitFor()
    await page.getByText('SAMPLE DATA').waitFor()
    await shoot(page, 'finished')
  }),
)

test(
  '[END13] [UI142] an item is found by filter and search, opens by its link in a fresh tab, and its neighbours by keys',
  journey(async (page) => {
    const run = await getRun(demo.url, runId)
    // As fast as a hand can be: pressed once it can be pressed, whatever of the page is still to come.
    await page.goto(`${demo.url}/runs/${runId}`, { waitUntil: 'commit' })
    const items = page.getByRole('region', { name: 'Items' })
    await items.getByRole('button', { name: /^wrong/ }).click()
    await page.waitForURL(/outcome=wrong/)
    await items.locator(`h2:has-text("${run.benchmarks[0]!.wrong}")`).waitFor()
    expect(
      await items
        .getByRole('row')
        .filter({ hasText: /^\s*right/ })
        .count(),
    ).toBe(0)
    const question = (await items.locator('tbody td:nth-child(3):not(:empty)').first().innerText()).slice(0, 30)
    await items.getByPlaceholder('Search items').fill(question)
    await page.waitForURL(/q=/)
    await items.locator('h2', { hasText: /^Items \d$/ }).waitFor()
    await shoot(page, 'filtered')

    const href = await items.locator('tbody a').first().getAttribute('href')
    const fresh = await openTab(browser)
    await visit(fresh.page, demo.url + href!.split('?')[0])
    const panel = fresh.page.getByRole('article')
    for (const heading of ['Question', 'Options', 'Prompt, as sent', 'Answer', 'Usage and timing'])
      await panel.getByRole('heading', { name: heading, exact: true }).waitFor()
    const verdict = panel.getByRole('region', { name: 'Verdict' })
    expect(await verdict.innerText()).toMatch(/^[A-J]\s+expected\s+[A-J]/)
    expect(await panel.innerText()).toMatch(/Whole answer\s+[\d.]+ m?s[\s\S]*Input\s+\d+ tokens[\s\S]*Output\s+\d+ tokens/)
    await shoot(fresh.page, 'item')
    const here = fresh.page.url()
    await fresh.page.keyboard.press('j')
    await fresh.page.waitForURL((url) => url.href !== here)
    await panel.getByRole('heading', { level: 2, name: new RegExp(` ${fresh.page.url().split('/').at(-1)}$`) }).waitFor()
    await fresh.page.keyboard.press('k')
    await fresh.page.waitForURL(here)
    await fresh.page.keyboard.press('Escape')
    await fresh.page.waitForURL(`${demo.url}/runs/${runId}`)
    expect(fresh.complaints).toEqual([])
    await fresh.close()
  }),
)

test(
  '[END14] a run is paused, goes on, and is canceled by its buttons',
  journey(async (page) => {
    const { id } = await createRun(demo.url, { ...body, concurrency: 2 })
    await visit(page, `${demo.url}/runs/${id}`)
    await untilMore(page, 0)
    await page.getByRole('button', { name: 'Pause' }).click()
    await until(page, 'paused')
    const held = await untilRun(demo.url, id, (run) => run.head.leased === 0)
    expect(held.status).toBe('paused')
    await page.getByRole('button', { name: 'Resume' }).click()
    await until(page, 'running')
    expect(await untilMore(page, held.head.done)).toBeGreaterThan(held.head.done)
    await page.getByRole('button', { name: 'Cancel', exact: true }).click()
    await page.getByRole('button', { name: 'Cancel the run' }).click()
    await until(page, 'canceled')
    expect((await untilEnded(demo.url, id)).status).toBe('canceled')
  }),
)

test(
  '[END15] failed trials are shown apart from wrong ones and tried again by one button',
  journey(async (page) => {
    const { url, port } = await simulatedStack('refusing')
    const provider = await startProvider({ port, script: [{ fault: { kind: 'status', status: 400 }, from: 1, to: null, share: 0.3 }] })
    try {
      const { id } = await createRun(url, { ...body, model_id: 'sim', provider: 'refusing', data: 'sample', subset_count: 60 })
      const failed = (await untilEnded(url, id)).benchmarks[0]!.failed
      await visit(page, `${url}/runs/${id}`)
      await until(page, 'incomplete')
      await page.getByText(`Failures, not counted as wrong`).waitFor()
      await page.getByRole('link', { name: `provider/bad-request ${failed}` }).waitFor()
      await shoot(page, 'incomplete')
      provider.setScript([])
      await page.getByRole('button', { name: `Retry ${failed} failed` }).click()
      await until(page, 'succeeded')
      await page.getByRole('region', { name: 'Result' }).getByText('n = 60').waitFor()
      expect((await getRun(url, id)).benchmarks[0]).toMatchObject({ failed: 0, completed_items: 60 })
    } finally {
      await provider.close()
    }
  }),
)

test(
  '[END16] the verify page says that a dropped archive is valid, and that a changed one is not',
  journey(async (page) => {
    await untilRecorded(demo.url, runId)
    const response = await call(demo.url, 'GET', `/api/runs/${runId}/export?format=zip`)
    expect(response.status).toBe(200)
    const bytes = Buffer.from(await response.arrayBuffer())
    await visit(page, `${demo.url}/verify`)
    await drop(page, bytes)
    const verdict = page.getByRole('status', { name: 'Verdict' })
    await verdict.getByText(/^Valid/).waitFor()
    await verdict.getByText('200 trials, 200 scored anew here').waitFor()
    await shoot(page, 'verified')
    await checkFolder(page, bytes, dir.path)
    bytes[bytes.length >> 1]! ^= 1
    await page.getByLabel('choose a ZIP').setInputFiles({ name: 'changed.zip', mimeType: 'application/zip', buffer: bytes })
    await verdict.getByText(/^Not valid/).waitFor()
  }),
)

test(
  '[OPS18] an operator drains an agent, gives it work again, starts maintenance and ends it',
  journey((page) => operate(page, demo.url)),
)

test('[END65] addresses that mean nothing, or a page behind the last, say so', async (context) => {
  const broken = await fetch(`${demo.url}/runs/%E0%A4%A`)
  expect([broken.status, broken.headers.get('content-type')]).toEqual([404, expect.stringContaining('text/html')])
  expect(await broken.text()).toContain('There is nothing at this address')
  context.skip(!chromiumPath, noBrowser)
  const tab = await openTab(browser)
  await tab.page.goto(`${demo.url}/runs/%E0%A4%A`)
  await tab.page.getByRole('heading', { name: 'There is nothing at this address' }).waitFor()
  await visit(tab.page, `${demo.url}/runs?offset=5000`)
  await tab.page.getByText(/^No runs on this page; there (is 1|are \d+)\.$/).waitFor()
  await tab.page.getByRole('button', { name: 'Go to the first page' }).click()
  await tab.page.waitForURL(`${demo.url}/runs`)
  await visit(tab.page, `${demo.url}/runs/${runId}?outcome=maybe`)
  await tab.page.getByRole('button', { name: 'outcome=maybe is unknown and left out' }).click()
  await tab.page.waitForURL(`${demo.url}/runs/${runId}`)
  expect(tab.complaints.filter((one) => !one.includes('404'))).toEqual([])
  await tab.close()
})

const pages = {
  start: () => '/',
  run: () => `/runs/${runId}`,
  item: () => `/runs/${runId}/items/mmlu_pro/`,
  runs: () => '/runs',
  benchmarks: () => '/benchmarks',
  benchmark: () => '/benchmarks/mmlu_pro',
  agents: () => '/agents',
  ops: () => '/ops',
  verify: () => '/verify',
  import: () => '/import',
  docs: () => '/docs',
}

for (const [name, pathOf] of Object.entries(pages))
  test(
    `[END17] ${name}: no complaint, no serious fault in light and dark, nothing to scroll sideways on a phone`,
    journey(async (page) => {
      // The first visit is at the width of a phone, so that the server's own markup for it is checked.
      await page.setViewportSize({ width: 390, height: 844 })
      await visit(page, demo.url + (name === 'item' ? pathOf() + (await anItem()) : pathOf()))
      await page.getByRole('heading').first().waitFor()
      expect(await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')).toBeLessThanOrEqual(0)
      await lookAt(page, name)
    }),
  )

test(
  '[UI521] late fonts move nothing on a phone',
  journey((page) => holdFonts(page, demo.url, runId)),
)
test(
  '[UI522] the bar of a phone has five places and More',
  journey((page) => lookAtBar(page, demo.url)),
)

async function anItem(): Promise<string> {
  const page = await (await call(demo.url, 'GET', `/api/runs/${runId}/benchmarks/mmlu_pro?limit=1`)).json()
  return (page as { items: { items: { item_id: string }[] } }).items.items[0]!.item_id
}
