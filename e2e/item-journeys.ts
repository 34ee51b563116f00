import { expect } from 'vitest'
import { type ItemRow, ItemRowPage } from '#shared/contract/item-rows.ts'
import { rowHeights } from '#web/item/list-window.ts'
import { accessFaults, lookAt, shoot, visit } from './open-browser.ts'
import { boxOf, count, inTab, isInView, lineAt, linkAt, type Place, placeOf, rowAt, sizeOf, soon, topOf } from './run-list.ts'

/**
 * Scrolls the list before the scripts of the page have loaded. The list keeps its position and draws
 * its lines.
 */
export async function scrollEarly(place: Place): Promise<void> {
  await inTab(place, {}, async (page) => {
    const come = Promise.withResolvers<void>()
    await page.route(/\.js$/, async (route) => {
      await come.promise
      await route.continue()
    })
    await page.goto(`${place.url}/runs/${place.run.id}`, { waitUntil: 'commit' })
    const toEnd = async () => {
      await boxOf(page).evaluate((box) => box.scrollTo(0, box.scrollHeight))
      return topOf(page)
    }
    await expect.poll(toEnd, soon).toBeGreaterThan(0)
    come.resolve()
    await linkAt(page, sizeOf(place).total - 1).waitFor()
  })
}

/** The whole list is travelled by keys and by its scroll bar; what is shown anywhere is what the API has there. */
export async function travelList(place: Place): Promise<void> {
  await inTab(place, {}, async (page) => {
    const { run, url } = place
    const { total, wrong } = sizeOf(place)
    const [last, middle] = [total - 1, Math.floor(total / 2)]
    await visit(page, `${url}/runs/${run.id}`)
    await linkAt(page, 0).waitFor()
    const box = boxOf(page)
    expect(await box.evaluate((one) => one.scrollHeight)).toBeGreaterThanOrEqual(total * rowHeights.wide)
    await box.focus()
    await page.keyboard.press('End')
    await linkAt(page, last).waitFor()
    expect(await linkAt(page, last).innerText()).toBe((await rowAt(place, '', last)).item_id)
    await shoot(page, 'list-end')
    await page.keyboard.press('Home')
    await linkAt(page, 0).waitFor()
    await expect.poll(() => topOf(page), soon).toBe(0)
    // On a line's link the same keys move the focus, over lines that are not there yet.
    await linkAt(page, 0).focus()
    for (const [key, index] of [
      ['ArrowDown', 1],
      ['End', last],
      ['ArrowUp', last - 1],
      ['Home', 0],
    ] as const) {
      await page.keyboard.press(key)
      await expect.poll(() => linkAt(page, index).evaluate((link) => link.matches(':focus')), soon).toBe(true)
    }
    await page.keyboard.press('PageDown')
    await expect.poll(() => page.locator('tr:has(a:focus)').getAttribute('aria-rowindex').then(Number), soon).toBeGreaterThan(10)
    await expect.poll(() => isInView(page, page.locator('tr:has(a:focus)')), soon).toBe(true)
    // A hand on the scroll bar right after a key is not pulled back to the line that the key led to.
    await page.keyboard.press('PageDown')
    await box.evaluate((one) => one.scrollTo(0, (one.scrollHeight - one.clientHeight) / 2))
    await linkAt(page, middle).waitFor()
    expect(await linkAt(page, middle).innerText()).toBe((await rowAt(place, '', middle)).item_id)
    expect(await accessFaults(page)).toEqual([])
    await page.getByRole('combobox', { name: 'Order' }).selectOption('latency')
    await page.waitForURL(/order=latency/)
    await expect.poll(() => topOf(page), soon).toBe(0)
    const slowest = (await rowAt(place, 'order=latency', 0)).item_id
    await expect.poll(() => linkAt(page, 0).innerText(), soon).toBe(slowest)
    await box.evaluate((one) => one.scrollTo(0, 50_000))
    await page.getByRole('button', { name: /^wrong/ }).click()
    await page.getByRole('heading', { name: `Items ${count(wrong)}` }).waitFor()
    await expect.poll(() => topOf(page), soon).toBe(0)
  })
}

/** Chips count what they would show under the search, and a click on a category or failure leads to the list. */
export async function narrowList(place: Place): Promise<void> {
  await inTab(place, {}, async (page) => {
    const { run, url } = place
    await visit(page, `${url}/runs/${run.id}`)
    const group = run.benchmarks[0]!.groups.find((one) => one.name === 'law')!
    await page.getByRole('region', { name: 'Benchmarks' }).getByRole('link', { name: 'law' }).click()
    await page.waitForURL(/group=law/)
    await page.getByRole('heading', { name: `Items ${group.total.toLocaleString('en-US')}` }).waitFor()
    await expect.poll(() => linkAt(page, 0).evaluate((line) => line.getBoundingClientRect().top), soon).toBeLessThan(900)
    expect(await page.getByRole('link', { name: 'law' }).getAttribute('aria-current')).toBe('true')
    const items = page.getByRole('region', { name: 'Items', exact: true })
    await items.getByRole('button', { name: `right ${group.right}`, exact: true }).waitFor()
    await items.getByPlaceholder('Search items').fill('a purchaser')
    await page.waitForURL(/q=/)
    const found = ItemRowPage.parse(await (await fetch(`${url}/api/runs/${run.id}/rows?group=law&q=a+purchaser`)).json())
    expect(found.total).toBeGreaterThan(0)
    expect(found.total).toBeLessThan(group.total)
    await items.getByRole('button', { name: `right ${found.counts.outcomes.right}`, exact: true }).waitFor()
    await items.getByRole('button', { name: `wrong ${found.counts.outcomes.wrong}`, exact: true }).waitFor()
    await page.goBack()
    await page.goBack()
    await page.waitForURL((address) => !address.search.includes('group'))
  })
}

/** A search with more hits than are counted: what is known of its list grows to the end while it is travelled. */
export async function travelSearch(place: Place): Promise<void> {
  const { run, url } = place
  const filter = 'outcome=wrong&q=the+answer+is'
  const end = ItemRowPage.parse(await (await fetch(`${url}/api/runs/${run.id}/rows?${filter}&offset=12000`)).json())
  expect(end).toMatchObject({ total_is: 'exact', counts_are: 'at-least', rows: [] })
  expect(end.total).toBeGreaterThan(2001)
  const total = end.total.toLocaleString('en-US')
  await inTab(place, { width: 390 }, async (page) => {
    await visit(page, `${url}/runs/${run.id}?${filter}`)
    await page.getByRole('heading', { name: 'Items more than 1,000' }).scrollIntoViewIfNeeded()
    await shoot(page, 'many-hits-phone')
  })
  await inTab(place, {}, async (page) => {
    await visit(page, `${url}/runs/${run.id}?${filter}`)
    await page.getByRole('heading', { name: 'Items more than 1,000' }).waitFor()
    for (const name of ['right 1,000+', 'wrong 1,000+']) await page.getByRole('button', { name, exact: true }).waitFor()
    const table = page.getByRole('table', { name: 'Items of this run in the chosen filter' })
    expect(await table.getAttribute('aria-rowcount')).toBe('-1')
    await shoot(page, 'many-hits')
    expect(await accessFaults(page)).toEqual([])
    await boxOf(page).focus()
    await expect
      .poll(async () => {
        await page.keyboard.press('End')
        return page.getByRole('heading', { name: `Items ${total}`, exact: true }).isVisible()
      }, soon)
      .toBe(true)
    for (const name of ['right 1,000+', `wrong ${total}`]) await page.getByRole('button', { name, exact: true }).waitFor()
    expect(await table.getAttribute('aria-rowcount')).toBe(String(end.total + 1))
    await page.keyboard.press('End')
    await linkAt(page, end.total - 1).waitFor()
    const last = await rowAt(place, filter, end.total - 1)
    expect(await linkAt(page, end.total - 1).innerText()).toBe(last.item_id)
    const row = await rowAt(place, filter, 1500)
    await visit(page, `${url}/runs/${run.id}/items/${row.benchmark}/${row.item_id}?${filter}`)
    await placeOf(page).getByText('1,501 of more than 2,000').waitFor()
  })
}

/** A permalink far down a filtered list: the list stands beside it at its line, and quick keys go on through both. */
export async function walkItems(place: Place): Promise<void> {
  const filter = 'outcome=wrong&order=latency'
  const [first, twentieth] = [await rowAt(place, filter, 2000), await rowAt(place, filter, 2020)]
  const pathOf = (row: ItemRow) => `/runs/${place.run.id}/items/${row.benchmark}/${row.item_id}?${filter}`
  await inTab(place, {}, async (page) => {
    await visit(page, place.url + pathOf(first))
    await placeOf(page)
      .getByText(`2,001 of ${count(sizeOf(place).wrong)}`)
      .waitFor()
    await expect.poll(() => isInView(page, lineAt(page, 2000)), soon).toBe(true)
    expect(await page.getByRole('region', { name: 'Result' }).count()).toBe(0)
    await shoot(page, 'permalink')
    expect(await accessFaults(page)).toEqual([])
    for (let press = 0; press < 20; press += 1) await page.keyboard.press('j')
    await page.waitForURL(place.url + pathOf(twentieth))
    await placeOf(page)
      .getByText(`2,021 of ${count(sizeOf(place).wrong)}`)
      .waitFor()
    await page.getByRole('heading', { level: 2, name: new RegExp(` ${twentieth.item_id}$`) }).waitFor()
    await expect.poll(() => isInView(page, lineAt(page, 2020)), soon).toBe(true)
    expect(await linkAt(page, 2020).getAttribute('aria-current')).toBe('true')
    await page.keyboard.press('k')
    await placeOf(page)
      .getByText(`2,020 of ${count(sizeOf(place).wrong)}`)
      .waitFor()
    await page.keyboard.press('?')
    await page.getByRole('dialog').getByText('next wrong answer').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await page.keyboard.press('Escape')
    await page.waitForURL(`${place.url}/runs/${place.run.id}?${filter}`)
    await page.getByRole('region', { name: 'Result' }).waitFor()
  })
}

/** The next wrong answer by key and by button, from an item and under a filter that leaves wrong ones out; back leads to the list. */
export async function findWrong(place: Place): Promise<void> {
  await inTab(place, { theme: 'dark' }, async (page) => {
    await visit(page, `${place.url}/runs/${place.run.id}`)
    const total = count(sizeOf(place).total)
    await linkAt(page, 3).click()
    await placeOf(page).getByText(`4 of ${total}`).waitFor()
    const rows = ItemRowPage.parse(await (await fetch(`${place.url}/api/runs/${place.run.id}/rows?limit=100`)).json()).rows
    const wrong = rows.flatMap((row, index) => (row.outcome === 'wrong' && index > 3 ? [index] : []))
    await page.keyboard.press(']')
    await placeOf(page)
      .getByText(`${wrong[0]! + 1} of ${total}`)
      .waitFor()
    await page.getByRole('button', { name: 'Next wrong' }).click()
    await placeOf(page)
      .getByText(`${wrong[1]! + 1} of ${total}`)
      .waitFor()
    await page.keyboard.press('[')
    await placeOf(page)
      .getByText(`${wrong[0]! + 1} of ${total}`)
      .waitFor()
    await page.goBack()
    await page.waitForURL(`${place.url}/runs/${place.run.id}`)
    const right = await rowAt(place, 'outcome=right', 50)
    await visit(page, `${place.url}/runs/${place.run.id}/items/mmlu_pro/${right.item_id}?outcome=right`)
    await page.keyboard.press(']')
    await page.waitForURL(/outcome=wrong/)
    await placeOf(page)
      .getByText(` of ${count(sizeOf(place).wrong)}`)
      .waitFor()
  })
}

/** Formulas are set, the mark stays where the answer was read, and the page's content policy has nothing to say. */
export async function readFormulas(place: Place): Promise<void> {
  const rows = ItemRowPage.parse(
    await (await fetch(`${place.url}/api/runs/${place.run.id}/rows?q=${encodeURIComponent('\\frac')}&outcome=right&limit=1`)).json(),
  ).rows
  await inTab(place, {}, async (page) => {
    await visit(page, `${place.url}/runs/${place.run.id}/items/mmlu_pro/${rows[0]!.item_id}`)
    const answer = page.locator('section', { has: page.getByRole('heading', { name: 'Answer', exact: true }) }).last()
    await answer.locator('.katex').first().waitFor()
    expect(await answer.locator('mark').innerText()).toBe(rows[0]!.answer)
    await expect
      .poll(() => page.evaluate(`[...document.fonts].some((font) => font.family.startsWith('KaTeX') && font.status === 'loaded')`), soon)
      .toBe(true)
    await shoot(page, 'formulas')
    expect(await accessFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Rendered' }).click()
    await answer.locator('.katex').first().waitFor({ state: 'detached' })
    expect(await answer.locator('mark').innerText()).toBe(rows[0]!.answer)
  })
}

/** On a phone a line shows its question, and the open item covers the list. */
export async function readOnPhone(place: Place): Promise<void> {
  await inTab(place, { width: 390 }, async (page) => {
    const first = await rowAt(place, '', 0)
    await visit(page, `${place.url}/runs/${place.run.id}#items`)
    await lineAt(page, 0).getByText(first.snippet.slice(0, 20)).first().waitFor()
    expect(await lineAt(page, 0).getByText(first.snippet.slice(0, 20)).first().isVisible()).toBe(true)
    expect((await lineAt(page, 0).boundingBox())!.height).toBe(rowHeights.narrow)
    // The page has drawn narrow lines before it has been told how wide it is.
    await expect
      .poll(() => boxOf(page).evaluate((one) => one.scrollHeight), soon)
      .toBeGreaterThanOrEqual(sizeOf(place).total * rowHeights.narrow)
    await shoot(page, 'list-phone')
    expect(await accessFaults(page)).toEqual([])
    await linkAt(page, 0).click()
    await page.getByRole('article').waitFor()
    await placeOf(page)
      .getByText(`1 of ${count(sizeOf(place).total)}`)
      .waitFor()
    expect(await linkAt(page, 1).isVisible()).toBe(false)
    expect(await accessFaults(page)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')).toBeLessThanOrEqual(0)
    await shoot(page, 'item-phone')
    await page.getByRole('link', { name: 'Close item (Esc)' }).click()
    await expect.poll(() => linkAt(page, 0).evaluate((link) => link.matches(':focus')), soon).toBe(true)
  })
}

/** The run and an item far down its list, in every look. */
export async function lookAtLongRun(place: Place): Promise<void> {
  const row = await rowAt(place, 'outcome=wrong', 2000)
  await inTab(place, {}, async (page) => {
    await visit(page, `${place.url}/runs/${place.run.id}`)
    await linkAt(page, 0).waitFor()
    await lookAt(page, 'long-run')
    await visit(page, `${place.url}/runs/${place.run.id}/items/${row.benchmark}/${row.item_id}?outcome=wrong`)
    await placeOf(page)
      .getByText(`2,001 of ${count(sizeOf(place).wrong)}`)
      .waitFor()
    await lookAt(page, 'long-run-item')
  })
}
