import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Provider, startProvider } from '../prove/provider/provider.ts'
import { createRun, getRun, untilEnded } from './call-api.ts'
import { chromiumPath, jumpsOf, openBrowser, openTab, shoot, visit, watchShift } from './open-browser.ts'
import { type SharedStack, simulatedStack } from './shared-stack.ts'

let browser: Browser
let provider: Provider
let stack: SharedStack
if (chromiumPath) {
  beforeAll(async () => {
    const shared = await simulatedStack('troubled')
    stack = shared
    provider = await startProvider({ port: shared.port, latency_ms: 60 })
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await provider?.close()
  })
}
const noBrowser = 'no Chromium on this machine (CHROMIUM names one)'
const body = { model_id: 'sim', provider: 'troubled', selected_benchmarks: ['mmlu_pro'], profile: 'builtin', data: 'sample' }

test('[RUN73] a provider that answers 503 to everything is told on the page, and when it is well again the run goes on', async (context) => {
  context.skip(!chromiumPath, noBrowser)
  provider.setScript([
    { fault: { kind: 'status', status: 503, body: '{"error":{"message":"no capacity left"}}' }, from: 1, to: null, share: 1 },
  ])
  const { id } = await createRun(stack.url, { ...body, subset_count: 100, concurrency: 32 })
  const { page, complaints, close } = await openTab(browser)
  await visit(page, `${stack.url}/runs/${id}`)
  await page.getByText(/The provider troubled answers 503: 32 trials wait, .*attempt \d of 5/).waitFor()
  await page.getByText('no capacity left').waitFor()
  await shoot(page, 'provider-down')
  expect((await getRun(stack.url, id)).pulse?.models[0]).toMatchObject({ waiting: 32, failure: { status: 503 } })
  provider.setScript([])
  await page.locator('header').getByText('succeeded', { exact: true }).waitFor({ timeout: 120_000 })
  expect((await untilEnded(stack.url, id)).head.failures).toEqual({})
  expect(complaints).toEqual([])
  await close()
})

test.each([1440, 390])('[UI92] while a run starts, works and ends nothing on its page jumps, %d pixels wide', async (width) => {
  if (!chromiumPath) return
  const { page, close } = await openTab(browser, { width })
  await watchShift(page)
  const { id } = await createRun(stack.url, { ...body, subset_count: 200, concurrency: 8 })
  await visit(page, `${stack.url}/runs/${id}`)
  await page.locator('header').getByText('succeeded', { exact: true }).waitFor({ timeout: 120_000 })
  await shoot(page, `steady-${width}`)
  expect(await jumpsOf(page)).toEqual([])
  await close()
})
