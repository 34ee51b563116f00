import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { untilEnded, untilRecorded } from './call-api.ts'
import { shoot, visit } from './open-browser.ts'

/** Ticks two items on the start page, runs them, and runs one of them again from its page. */
export async function chooseItems(page: Page, url: string): Promise<void> {
  await visit(page, `${url}/?model=demo-model&benchmarks=mmlu_pro&profile=builtin`)
  await page.locator('main summary', { hasText: 'Choose items' }).click()
  const list = page.getByRole('list', { name: 'Items of MMLU-Pro' })
  await list.getByRole('checkbox').nth(2).check()
  await list.getByRole('checkbox').nth(1).check()
  await page.getByRole('group', { name: 'Chosen' }).getByText('id:1-2').waitFor()
  const plan = page.getByRole('complementary', { name: 'Plan' })
  await plan.getByText('chosen items', { exact: true }).waitFor()
  await shoot(page, 'chosen-items')
  await plan.getByRole('button', { name: 'Run', exact: true }).click()
  await page.waitForURL(/\/runs\/[0-9a-f-]{36}$/)
  const first = page.url().split('/').at(-1)!
  expect(await untilEnded(url, first)).toMatchObject({
    labels: ['demo', 'sample', 'chosen'],
    spec: { benchmarks: [{ items: [1, 2] }] },
  })
  await page.locator('header').getByText('chosen items').waitFor()
  await untilRecorded(url, first)
  await visit(page, `${url}/runs/${first}/items/mmlu_pro/2`)
  const again = page.getByRole('button', { name: 'Run this item again' })
  await again.scrollIntoViewIfNeeded()
  await shoot(page, 'item-again')
  await again.click()
  await page.waitForURL((url) => /\/runs\/[0-9a-f-]{36}$/.test(url.pathname) && !url.pathname.endsWith(first))
  const second = page.url().split('/').at(-1)!
  expect(await untilEnded(url, second)).toMatchObject({
    status: 'succeeded',
    spec: { benchmarks: [{ items: [2], profile: 'builtin' }] },
  })
}

/** Starts a run at each of two levels from the start page and finds both under their tag. */
export async function startSeveral(page: Page, url: string): Promise<void> {
  await visit(page, `${url}/?model=demo-model&benchmarks=mmlu_pro&profile=builtin&count=2`)
  await page.getByRole('button', { name: 'Add runs' }).click()
  await page.getByRole('checkbox', { name: 'low', exact: true }).check()
  await page.getByRole('checkbox', { name: 'high', exact: true }).check()
  const together = page.getByRole('list', { name: 'Runs that start together' })
  await expect.poll(() => together.getByText('2 trials').count()).toBe(2)
  await shoot(page, 'several-runs')
  await page.getByRole('complementary', { name: 'Plan' }).getByRole('button', { name: 'Run', exact: true }).click()
  await page.waitForURL(/\/runs\?tag=sweep-/)
  for (const level of ['low', 'high']) await page.getByRole('link', { name: `demo-model · ${level}` }).waitFor()
}
