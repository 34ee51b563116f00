import { join } from 'node:path'
import axe, { type AxeResults } from 'axe-core'
import { type Browser, type BrowserContext, chromium, type Page, type Request } from 'playwright-core'
import { expect } from 'vitest'
import { someOf } from '#shared/testing/draws.ts'
import { chromiumPath } from '../prove/checks/chromium-path.ts'

export { chromiumPath }

export function openBrowser(...more: string[]): Promise<Browser> {
  return chromium.launch({
    executablePath: chromiumPath!,
    args: [...more, '--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--no-first-run'],
  })
}

export type Tab = {
  page: Page
  /** Console errors, uncaught exceptions and refusals by the content policy, as they came. */
  complaints: string[]
  /** The requests of pages and of the API, in their order, with what became of each. */
  requests: Map<Request, string>
  close(): Promise<void>
}

/** A page in a context of its own: nothing is shared with other tabs. */
export async function openTab(browser: Browser, look: { theme?: 'light' | 'dark'; width?: number } = {}): Promise<Tab> {
  const { theme = 'light', width = 1440 } = look
  const context: BrowserContext = await browser.newContext({ colorScheme: theme, viewport: { width, height: width < 500 ? 844 : 900 } })
  context.setDefaultTimeout(60_000)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    const text = message.text()
    if (message.type() === 'error' || /content security policy/i.test(text)) complaints.push(text)
  })
  page.on('pageerror', (error) => complaints.push(error.stack ?? error.message))
  const requests: Tab['requests'] = new Map()
  const isTold = (request: Request) => !/\/(_build|assets)\//.test(request.url())
  page.on('request', (request) => isTold(request) && requests.set(request, 'no answer yet'))
  page.on('response', (response) => isTold(response.request()) && requests.set(response.request(), String(response.status())))
  page.on('requestfailed', (request) => isTold(request) && requests.set(request, request.failure()?.errorText ?? 'failed'))
  return { page, complaints, requests, close: () => context.close() }
}

/**
 * Walks in a tab of its own, which must end without a complaint of the browser other than those `expected`.
 * A walk that fails says where it stood: the address, what the page reports, and the last requests.
 */
export async function walkTab(
  browser: Browser,
  name: string,
  walk: (page: Page, tab: Tab) => Promise<void>,
  { expected = /^$/, ...look }: Parameters<typeof openTab>[1] & { expected?: RegExp } = {},
): Promise<void> {
  const tab = await openTab(browser, look)
  try {
    await walk(tab.page, tab)
    expect(tab.complaints.filter((one) => !expected.test(one))).toEqual([])
  } catch (error) {
    await shoot(tab.page, `failed-${name}`)
    if (error instanceof Error) error.message += `\n${await whereItStands(tab)}`
    throw error
  } finally {
    await tab.close()
  }
}

async function whereItStands({ page, complaints, requests }: Tab): Promise<string> {
  const shown = await page.locator('[role=alert], [aria-busy=true], button:disabled').allInnerTexts()
  const asked = [...requests].slice(-12).map(([request, became]) => `${request.method()} ${request.url()}: ${became}`)
  const marked = shown.map((text) => text.trim().slice(0, 200)).filter(Boolean)
  return [`The tab stands at ${page.url()}`, ...marked, ...complaints.slice(-5), ...asked].join('\n  ')
}

/**
 * Opens an address and waits until every part of the page is hydrated. After 120 s throws with the
 * response status, the page title and the console messages.
 */
export async function visit(page: Page, url: string): Promise<void> {
  const said: string[] = []
  const hear = (message: { text(): string }) => said.push(message.text())
  const hearError = (error: Error) => said.push(error.stack ?? error.message)
  page.on('console', hear).on('pageerror', hearError)
  const answer = await page.goto(url, { waitUntil: 'load' })
  try {
    await page.locator('html[data-hydrated]').waitFor({ timeout: 120_000 })
  } catch (cause) {
    const told = [`status ${answer?.status()}`, `title ${await page.title()}`, ...said.slice(0, 20)]
    throw new Error(`${url} is not hydrated: ${told.join('; ')}`, { cause })
  } finally {
    page.off('console', hear).off('pageerror', hearError)
  }
}

/** Keeps the layout shifts of this page from its first byte; `jumpsOf` reads them. */
export const watchShift = (page: Page) =>
  page.addInitScript(`
    globalThis.shift = 0
    globalThis.jumps = []
    const box = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(' ')
    const told = ({ node, previousRect, currentRect }) =>
      box(previousRect) + ' -> ' + box(currentRect) + ' ' + (node?.outerHTML ?? node?.textContent ?? 'gone').slice(0, 160)
    new PerformanceObserver((list) => {
      for (const { hadRecentInput, value, startTime, sources } of list.getEntries()) {
        if (hadRecentInput) continue
        globalThis.shift += value
        if (value >= 0.001) jumps.push(value.toFixed(4) + ' after ' + Math.round(startTime) + ' ms: ' + sources.map(told).join(' | '))
      }
    }).observe({ type: 'layout-shift', buffered: true })`)

/** What moved in a page by itself, where its shifts come to 0.05 or more: the bound that web.dev calls good is 0.1. */
export const jumpsOf = (page: Page) => page.evaluate<string[]>('globalThis.shift < 0.05 ? [] : [globalThis.shift + " in all", ...jumps]')

/**
 * Runs axe in the page and lists its serious and critical violations, one line each. The contrast of
 * every text takes most of the time: `npm test` checks it in one of three calls, the deep proof in all.
 */
export async function accessFaults(page: Page): Promise<string[]> {
  if (!(await page.evaluate<boolean>(`'axe' in globalThis`))) await page.evaluate(axe.source)
  const contrast = someOf([0, 1, 2], 1).includes(0)
  const options = { resultTypes: ['violations'], rules: { 'color-contrast': { enabled: contrast } } }
  const { violations } = await page.evaluate<Pick<AxeResults, 'violations'>>(
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => ({ violations }))`,
  )
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`)
}

const looks = {
  light: { theme: 'light', width: 1440 },
  dark: { theme: 'dark', width: 1440 },
  phone: { theme: 'light', width: 390 },
  'phone-dark': { theme: 'dark', width: 390 },
} as const

/** By how many pixels the page, or the panel over it, would scroll sideways. */
const sticksOut = `Math.max(...['html', 'aside'].flatMap((name) => [...document.querySelectorAll(name)]).map((one) => one.scrollWidth - one.clientWidth))`

/** The looks that are judged: together they have each colour and each width once. */
const telling = ['light', 'phone-dark'] as const

/**
 * Checks the contrast, the names and the width of the page as it stands. `npm test` draws one look: light
 * and wide, or dark and narrow. `npm run prove -- deep` checks both looks.
 */
export async function lookAt(page: Page, name: string): Promise<void> {
  const folder = process.env.E2E_SHOTS
  const drawn: readonly string[] = someOf(telling, 1)
  for (const [look, { theme, width }] of Object.entries(looks)) {
    const judged = drawn.includes(look)
    if (!judged && !folder) continue
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
    await page.setViewportSize({ width, height: width < 500 ? 844 : 900 })
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
    // A list or panel is dimmed while the page loads it again. The content policy lets no page evaluate a
    // text, so Playwright's own wait would fail at its second try.
    await expect.poll(() => page.locator('[aria-busy=true]:not([role=alert])').count(), { timeout: 60_000, interval: 50 }).toBe(0)
    if (folder) await page.screenshot({ path: join(folder, `${name}-${look}.png`), fullPage: true })
    if (!judged) continue
    expect.soft(await accessFaults(page), `${name}, ${look}`).toEqual([])
    expect.soft(await page.evaluate(sticksOut), `${name}, ${look}`).toBeLessThanOrEqual(0)
  }
  await page.setViewportSize({ width: 1440, height: 900 })
}

/** Keeps a picture for people, where E2E_SHOTS names a folder. */
export async function shoot(page: Page, name: string): Promise<void> {
  const folder = process.env.E2E_SHOTS
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`) })
}
