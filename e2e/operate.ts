import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { call } from './call-api.ts'
import { lookAt, visit } from './open-browser.ts'

/** Drains the agent and gives it work again, starts maintenance and ends it, as an operator does on the page of operations. */
export async function operate(page: Page, url: string): Promise<void> {
  await visit(page, `${url}/ops`)
  const agents = page.getByRole('region', { name: 'Agents' })
  await agents.getByRole('button', { name: 'Drain' }).click()
  await agents.getByText('draining', { exact: true }).waitFor()
  await agents.getByRole('button', { name: 'Give work again' }).click()
  await agents.getByText('connected', { exact: true }).waitFor()
  // The first heartbeat says how much of the machine is in use.
  await expect.poll(() => agents.locator('dd', { hasText: /^\d+ %$/ }).count(), { timeout: 60_000 }).toBe(3)
  await page.getByRole('region', { name: 'Sandy' }).getByText('SANDY_BASE_URL').waitFor()

  const maintenance = page.getByRole('region', { name: 'Maintenance' })
  await maintenance.getByLabel('Message').fill('Disks are changed.')
  await maintenance.getByRole('button', { name: 'Start maintenance' }).click()
  await maintenance.getByText('New runs are refused until').waitFor()
  await lookAt(page, 'ops-maintenance')
  const status = async () => (await call(url, 'GET', '/api/status')).json()
  expect(await status()).toMatchObject({ maintenance_mode: true, message: 'Disks are changed.', until: expect.any(String) })
  await maintenance.getByRole('button', { name: 'End maintenance' }).click()
  await maintenance.getByRole('button', { name: 'Start maintenance' }).waitFor()
  expect(await status()).toMatchObject({ maintenance_mode: false })
}
