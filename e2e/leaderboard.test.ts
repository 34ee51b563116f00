import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { RunList } from '#shared/contract/api.ts'
import { Leaderboard } from '#shared/contract/board.ts'
import { createRun, untilEnded, untilRecorded } from './call-api.ts'
import { chromiumPath, lookAt, openBrowser, visit, walkTab } from './open-browser.ts'
import { type SharedStack, sharedStack } from './shared-stack.ts'

let stack: SharedStack
let browser: Browser | undefined
beforeAll(async () => {
  stack = await sharedStack()
  if (chromiumPath) browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
})

const readBoard = async () => Leaderboard.parse(await (await fetch(`${stack.url}/api/leaderboard?benchmark=ifeval`)).json())

test('[UI110] [UI111] a leaderboard is empty, then has the runs that ended whole, and says of the others what they covered', async (context) => {
  const { skip } = context
  skip(!browser, 'no Chromium on this machine (CHROMIUM names one)')
  await walkTab(browser!, 'leaderboard', async (page) => {
    await visit(page, `${stack.url}/leaderboard?benchmark=ifeval`)
    // Other files that use this service may have ranked runs of other benchmarks.
    await page.getByText(/^(No run is ranked yet|There is no board of this benchmark)/).waitFor()
    await page.getByRole('main').getByRole('link', { name: 'Start a run' }).click()
    await page.waitForURL(/\/\?benchmarks=ifeval$/)

    const body = { model_id: 'demo-model', selected_benchmarks: ['ifeval'], profile: 'builtin' }
    for (const more of [{}, {}, { subset_count: 2 }]) {
      const { id } = await createRun(stack.url, { ...body, ...more })
      await untilRecorded(stack.url, (await untilEnded(stack.url, id)).id)
    }
    const told = await readBoard()
    expect(told.rows).toMatchObject([{ rank: 1, runs: 2, demo: true, withdrawn_runs: 0 }])
    expect(told.apart).toMatchObject([{ reason: 'subset', sampled_items: 2 }])

    await visit(page, `${stack.url}/benchmarks/ifeval`)
    await page.getByRole('main').getByRole('link', { name: 'Leaderboard' }).click()
    await page.waitForURL(/\/leaderboard\?benchmark=ifeval$/)
    const row = page.getByRole('row', { name: /demo-model/ })
    await row.getByText('2 runs').waitFor()
    await row.getByText('demo model').waitFor()
    await row
      .getByText(`${(told.rows[0]!.mean.estimate.value! * 100).toFixed(1)} %`, { exact: true })
      .first()
      .waitFor()
    await page
      .getByRole('region', { name: 'Not ranked' })
      .getByText(/^2 of \d+ items$/)
      .waitFor()
    await lookAt(page, 'leaderboard')

    await page.getByLabel('Order').selectOption('best')
    await page.waitForURL(/sort=best/)
    await row
      .getByRole('link', { name: /^run of / })
      .last()
      .click()
    await page.waitForURL(new RegExp(`/runs/${told.rows[0]!.best.run_id}$`))
  })
})

test('[UI112] a run of one’s own that is not the best is withdrawn on its page and put back there', async (context) => {
  const { skip } = context
  skip(!browser, 'no Chromium on this machine (CHROMIUM names one)')
  const told = await readBoard()
  const best = told.rows[0]!.best.run_id
  const part = told.apart[0]!.run.run_id
  const { runs } = RunList.parse(await (await fetch(`${stack.url}/api/runs?benchmark=ifeval`)).json())
  const other = runs.map(({ id }) => id).find((id) => id !== best && id !== part)
  await walkTab(browser!, 'run-on-leaderboard', async (page) => {
    const box = page.getByRole('region', { name: 'Leaderboard' })
    await visit(page, `${stack.url}/runs/${other}`)
    await box.getByRole('button', { name: 'Withdraw from the leaderboard' }).click()
    await box.getByText(/^Withdrawn from the leaderboard by you/).waitFor()
    expect((await readBoard()).rows).toMatchObject([{ runs: 1, withdrawn_runs: 1, best: { run_id: best } }])
    await box.getByRole('button', { name: 'Put back on the leaderboard' }).click()
    await box.getByText('On the leaderboard', { exact: true }).waitFor()
    expect((await readBoard()).rows).toMatchObject([{ runs: 2, withdrawn_runs: 0 }])
    await lookAt(page, 'run-on-leaderboard')
    await box.getByRole('link', { name: 'ifeval' }).click()
    await page.waitForURL(/\/leaderboard\?benchmark=ifeval&board=/)
    await visit(page, `${stack.url}/runs/${part}`)
    await box.getByText('not ranked: it asked a part of the items').waitFor()
  })
})
