import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { unzipSync } from 'fflate'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import * as z from 'zod'
import { jumpsOf, lookAt, visit, watchShift } from './open-browser.ts'

const soon = { timeout: 120_000, interval: 100 }

/** A changed field of the start page leaves the focus where the hand put it, and the page where it stands. */
export async function changeFields(page: Page, url: string): Promise<void> {
  await visit(page, `${url}/?model=sim&benchmarks=mmlu_pro&temperature=0.5`)
  const focused = (label: string) => expect.poll(() => page.getByLabel(label).evaluate((field) => field.matches(':focus')), soon).toBe(true)
  const top = () => page.evaluate<number>('Math.round(scrollY)')
  for (const [label, text, param, next] of [
    ['Concurrency', '7', 'concurrency=7', 'Failures allowed, in percent'],
    ['Top p', '0.9', 'top_p=0.9', 'Longest answer, in tokens'],
    ['Longest answer, in tokens', '2048', 'max_tokens=2048', 'Reasoning effort'],
  ] as const) {
    // In the middle, so that the next field needs no scrolling to be seen.
    await page.getByLabel(label).evaluate((field) => field.scrollIntoView({ block: 'center' }))
    await page.getByLabel(label).fill(text)
    const before = await top()
    expect(before).toBeGreaterThan(0)
    await page.keyboard.press('Tab')
    await page.waitForURL((address) => address.search.includes(param))
    // The plan has been made anew, and everything that follows from the address drawn.
    await page.getByRole('complementary', { name: 'Plan' }).getByRole('button', { name: 'Run', exact: true }).waitFor()
    await focused(next)
    expect(await top()).toBe(before)
  }
}

/** Whether a text has figures of one width. */
const figures = (page: Page, selector: string) =>
  page.evaluate<string[]>(
    `[...new Set([...document.querySelectorAll(${JSON.stringify(selector)})].map((one) => getComputedStyle(one).fontVariantNumeric))]`,
  )

/** Names keep their own hyphens and spaces; columns of numbers stand digit under digit. */
export async function lookAtFigures(page: Page, runUrl: string): Promise<void> {
  await visit(page, runUrl)
  const cells =
    '[aria-label=Benchmarks] tbody td:nth-of-type(2), [aria-label=Benchmarks] tbody td:nth-of-type(3), #items tbody td:last-child'
  await page.locator('#items tbody td:last-child').first().waitFor()
  expect(await figures(page, cells)).toEqual(['tabular-nums'])
  expect(await figures(page, 'h1, h2, p, nav a, button, tbody th, tbody th a, option, [aria-label=Result] .eyebrow')).toEqual(['normal'])
}

const triangle = 'path[d^="M8 3.5l5 9"]'
const loud = 'rgb(250, 93, 25)'

/** A run without a failure shows no sign of warning, one with failures does; a loud badge stands once. */
export async function lookForAlarm(page: Page, url: string, well: string, failed: string): Promise<void> {
  await visit(page, `${url}/runs/${well}`)
  await page.locator('#items tbody a').first().waitFor()
  expect(await page.locator(`main ${triangle}`).count()).toBe(0)
  const badges = () =>
    page.evaluate<number>(
      `[...document.querySelectorAll('main span')].filter((one) => getComputedStyle(one).borderColor === '${loud}').length`,
    )
  expect(await badges()).toBe(1)
  await visit(page, `${url}/runs/${failed}`)
  await page.locator('#items tbody a').first().waitFor()
  expect(await page.locator(`main ${triangle}`).count()).toBeGreaterThan(0)
  await visit(page, `${url}/runs`)
  expect(await page.getByText('sample data', { exact: true }).count()).toBeGreaterThan(1)
  expect(await badges()).toBe(0)
}

const Keys = z.object({ keys: z.array(z.object({ fingerprint: z.string(), valid_from: z.string() })) })

/** The page of keys gives a key's own date, which lies before the export that it signed, and not the moment of asking. */
export async function readKeyDate(page: Page, url: string, exportedAt: Date): Promise<void> {
  const { keys } = Keys.parse(await (await fetch(`${url}/api/exports/keys`)).json())
  expect(keys).toHaveLength(1)
  const from = keys[0]!.valid_from
  expect(Date.parse(from)).toBeLessThanOrEqual(exportedAt.getTime())
  await visit(page, `${url}/verify`)
  const line = page.getByRole('listitem').filter({ hasText: keys[0]!.fingerprint })
  expect(await line.innerText()).toContain(`since ${from.slice(0, 10)} ${from.slice(11, 19)} UTC`)
}

const drawn = '.then(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))'

const phone = { width: 390, height: 844 }

/** Pages are drawn on a phone before their fonts come, and nothing on them moves when they do. */
export async function holdFonts(page: Page, url: string, run: string): Promise<void> {
  await page.setViewportSize(phone)
  await watchShift(page)
  for (const path of ['/', `/runs/${run}`, '/agents', '/docs']) {
    const gate = Promise.withResolvers<void>()
    let held = 0
    await page.route('**/*.woff2', async (route) => {
      held += 1
      await gate.promise
      await route.continue()
    })
    await page.goto(url + path, { waitUntil: 'commit' })
    await page.getByRole('heading').first().waitFor()
    await page.evaluate(`Promise.resolve()${drawn}`)
    await expect.poll(() => held, soon).toBeGreaterThan(0)
    gate.resolve()
    await page.evaluate(`document.fonts.ready${drawn}`)
    await page.unroute('**/*.woff2')
    expect(await jumpsOf(page), path).toEqual([])
  }
}

/** The bar of a phone has five places, and More opens the others and closes at a choice. */
export async function lookAtBar(page: Page, url: string): Promise<void> {
  await page.setViewportSize(phone)
  await visit(page, `${url}/runs`)
  const bar = page.getByRole('navigation', { name: 'Main' })
  expect(await bar.getByRole('link').allInnerTexts()).toEqual(['Run', 'Runs', 'Boards', 'Bench', 'Tasks'])
  await bar.getByText('More', { exact: true }).click()
  expect((await bar.getByRole('link').allInnerTexts()).slice(5)).toEqual(['Fleet', 'Verify', 'Docs', 'Settings'])
  await bar.getByRole('link', { name: 'Docs' }).click()
  await page.waitForURL(`${url}/docs`)
  expect(await bar.getByRole('link').count()).toBe(5)
}

/**
 * Unpacks an archive into a folder below `dir` and chooses this folder on the verify page.
 * Expects the verdict "Valid" and the note "packed anew".
 */
export async function checkFolder(page: Page, archive: Uint8Array, dir: string): Promise<void> {
  const folder = join(dir, 'unpacked')
  for (const [name, bytes] of Object.entries(unzipSync(archive))) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), bytes)
  }
  await page.getByLabel('Choose a folder').setInputFiles(folder)
  await page
    .getByRole('status', { name: 'Verdict' })
    .getByText(/^Valid/)
    .waitFor()
  await page.getByText('contents as signed; packed anew').waitFor()
  await lookAt(page, 'verified-folder')
}

/** Drops a file on the page as a hand would. */
export async function drop(page: Page, bytes: Buffer): Promise<void> {
  const data = await page.evaluateHandle(
    `(() => {
      const data = new DataTransfer()
      const bytes = Uint8Array.from(atob('${bytes.toString('base64')}'), (char) => char.charCodeAt(0))
      data.items.add(new File([bytes], 'result.zip', { type: 'application/zip' }))
      return data
    })()`,
  )
  await page.getByText('Drop a signed ZIP').dispatchEvent('drop', { dataTransfer: data })
}
