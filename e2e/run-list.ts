import type { Browser, Locator, Page } from 'playwright-core'
import type { Run } from '#shared/contract/api.ts'
import { type ItemRow, ItemRowPage } from '#shared/contract/item-rows.ts'
import { walkTab } from './open-browser.ts'

export type Place = { browser: Browser; url: string; run: Run }

/** The line of a run's list at an index, as the API has it. */
export async function rowAt({ url, run }: Place, filter: string, index: number): Promise<ItemRow> {
  const response = await fetch(`${url}/api/runs/${run.id}/rows?${filter}&limit=1&offset=${index}`)
  return ItemRowPage.parse(await response.json()).rows[0]!
}

/** The number of items of the run, and the number of wrong answers. */
export const sizeOf = ({ run }: Place) => ({ total: run.head.total, wrong: run.benchmarks[0]!.wrong })
export const count = (n: number): string => n.toLocaleString('en-US')

export const boxOf = (page: Page): Locator => page.getByRole('region', { name: 'Lines of the list' })
export const lineAt = (page: Page, index: number): Locator => page.locator(`tr[aria-rowindex="${index + 2}"]`)
export const linkAt = (page: Page, index: number): Locator => lineAt(page, index).getByRole('link')
export const topOf = (page: Page): Promise<number> => boxOf(page).evaluate((box) => box.scrollTop)
export const placeOf = (page: Page): Locator => page.getByRole('navigation', { name: 'Ways on from this item' })

/** Pages draw in their own time, the longer the busier the machine is. */
export const soon = { timeout: 120_000, interval: 50 }

/** Whether a line lies within what its box shows, below the head of the table. */
export async function isInView(page: Page, line: Locator): Promise<boolean> {
  const [box, row] = [await boxOf(page).boundingBox(), await line.boundingBox()]
  return box !== null && row !== null && row.y >= box.y + 30 && row.y + row.height <= box.y + box.height + 1
}

/** A tab in which nothing may be complained of, closed in the end. */
export const inTab = (
  place: Place,
  look: { theme?: 'light' | 'dark'; width?: number },
  walk: (page: Page) => Promise<void>,
): Promise<void> => walkTab(place.browser, 'run-list', walk, look)
