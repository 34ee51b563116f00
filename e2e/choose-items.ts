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
