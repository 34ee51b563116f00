import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, type TestContext, test } from 'vitest'
import { type Provider, startProvider } from '../prove/provider/provider.ts'
import { call, createRun, untilEnded, untilRecorded, untilRun } from './call-api.ts'
import { chromiumPath, lookAt, openBrowser, openTab, visit } from './open-browser.ts'
import { changeFields, lookAtFigures, lookForAlarm, readKeyDate } from './page-manners.ts'
import { withFrozen, without } from './parts.ts'
import { newDataDir, type Stack, startStack } from './stack.ts'

/**
 * Every state that a page can be in, good or bad, looked at by axe and for its width, and kept as a picture where E2E_SHOTS names a folder:
 * `npm run screenshots -- --states FOLDER`.
 */
const dir = newDataDir()
let browser: Browser
let provider: Provider
let stack: Stack
afterAll(() => dir.remove())
if (chromiumPath) {
  beforeAll(async () => {
    provider = await startProvider({ latency_ms: 60, answer: modelAndJudge })
    stack = await startStack(dir.path, { OPENAI_BASE_URL: provider.url, OPENAI_MODELS: 'sim,strict-judge' })
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await stack?.stop()
    await provider?.close()
  })
}

/** When the first bundle was signed, and runs that ended well and with failures. */
let exportedAt: Date
const ended = { well: '', incomplete: '' }

const sample = { model_id: 'sim', profile: 'builtin', data: 'sample' }
const exam = { ...sample, selected_benchmarks: ['mmlu_pro'] }

const longAnswer = `Let $x^2\\,dx$ be given. Then
$$\\int_0^1 \\frac{x^4 (1-x)^4}{1+x^2}\\,dx = \\frac{22}{7} - \\pi + \\sum_{k=1}^{\\infty} \\frac{(-1)^{k+1}}{k} - \\ln 2 + \\prod_{n=1}^{3} \\frac{2n}{2n-1} + \\oint_{\\gamma} f(z)\\,dz$$

\`\`\`python
def the_longest_line_of_this_answer(first_argument: int, second_argument: list[str], third_argument: dict[str, float]) -> str:
    return "A"  # as derived above
\`\`\`

The answer is (A)`

/** Knows by the prompt whether it is asked as the model or as the judge of another's answer; some answers the judge cannot decide. */
function modelAndJudge(prompt: string): { text: string } {
  if (!/INCORRECT/.test(prompt)) return { text: longAnswer }
  return { text: prompt.length % 5 === 0 ? 'I cannot decide.' : prompt.length % 2 === 0 ? '**CORRECT**' : 'It is INCORRECT.' }
}

/** Walks to a state in a fresh tab. */
const state = (walk: (page: Page) => Promise<void>) => async (context: TestContext) => {
  context.skip(!chromiumPath, 'no Chromium on this machine (CHROMIUM names one)')
  const { page, close } = await openTab(browser)
  try {
    await walk(page)
  } finally {
    provider.setScript([])
    await close()
  }
}
const soon = { timeout: 120_000, interval: 100 }
const inHeader = (page: Page, word: string) => page.locator('header').getByText(word, { exact: true }).waitFor({ timeout: 120_000 })
const refuse = (status: number, share: number, message: string) =>
  provider.setScript([{ fault: { kind: 'status', status, body: JSON.stringify({ error: { message } }) }, from: 1, to: null, share }])
/** Requests from that number on are never answered. */
const hang = (from: number) => provider.setScript([{ fault: { kind: 'hang', when: 'headers' }, from, to: null, share: 1 }])
const cancel = (id: string) => call(stack.url, 'POST', `/api/runs/${id}/cancel`)

test(
  '[END66] before the first run the list of runs and the fleet say what to do',
  state(async (page) => {
    await visit(page, `${stack.url}/runs`)
    await page.getByText('No run yet.').waitFor()
    await lookAt(page, 'runs-empty')
    await visit(page, `${stack.url}/agents`)
    await page.getByRole('cell', { name: /^idle/ }).waitFor()
    await lookAt(page, 'fleet')
  }),
)

test(
  '[END66] the start page shows price, budget and the smallest difference of a model with a price',
  state(async (page) => {
    await visit(
      page,
      `${stack.url}/?model=sim&benchmarks=mmlu_pro,gpqa_diamond,aime_2025,ifeval&pct=10&price_in=0.4&price_out=1.6&budget=25&temperature=0.6`,
    )
    await page.getByRole('complementary', { name: 'Plan' }).getByText('$').first().waitFor()
    await lookAt(page, 'start-priced')
  }),
)

test(
  '[END66] without an agent a run and the fleet say so, and who must act',
  state(async (page) => {
    await without(stack, 'agent', async () => {
      const { id } = await createRun(stack.url, { ...exam, subset_count: 10 })
      await visit(page, `${stack.url}/runs/${id}`)
      await page.getByText('none is connected').waitFor()
      await lookAt(page, 'no-agent')
      await visit(page, `${stack.url}/agents`)
      await page.getByRole('heading', { name: 'Add an agent' }).waitFor()
      await lookAt(page, 'fleet-gone')
      await cancel(id)
    })
    await untilRun(stack.url, (await createRun(stack.url, { ...exam, subset_count: 1 })).id, (run) => run.status === 'succeeded')
  }),
)

test(
  '[END66] a canceled run shows the mean of what exists, and its bundle is verified in part',
  state(async (page) => {
    const selected_benchmarks = ['ifeval', 'mmlu_pro', 'aime_2025', 'gpqa_diamond']
    hang(provider.ledger.entries.length + 18) // one look and sixteen trials are answered
    const half = { subset_count: 8, epochs: 1, concurrency: 8, name: 'Stopped half way' }
    const { id } = await createRun(stack.url, { ...sample, selected_benchmarks, ...half })
    await untilRun(stack.url, id, (run) => run.head.done === 16)
    await cancel(id)
    await untilRecorded(stack.url, id)
    await visit(page, `${stack.url}/runs/${id}`)
    await page.getByText('Mean of 2 of 4 benchmarks').waitFor()
    await lookAt(page, 'canceled')
    const bytes = Buffer.from(await (await call(stack.url, 'GET', `/api/runs/${id}/export?format=zip`)).arrayBuffer())
    exportedAt = new Date()
    await visit(page, `${stack.url}/verify`)
    await page.getByLabel('choose a ZIP').setInputFiles({ name: 'result.zip', mimeType: 'application/zip', buffer: bytes })
    await page
      .getByRole('status', { name: 'Verdict' })
      .getByText(/^Valid/)
      .waitFor()
    await lookAt(page, 'verify-partial')
  }),
)

test(
  '[END66] a failed and an incomplete run say why, and what failed',
  state(async (page) => {
    refuse(400, 1, 'this model takes no such parameter')
    const { id } = await createRun(stack.url, { ...exam, subset_count: 20 })
    await visit(page, `${stack.url}/runs/${id}`)
    await inHeader(page, 'failed')
    await untilRecorded(stack.url, id)
    await visit(page, `${stack.url}/runs/${id}`)
    await page.getByText('Failures, not counted as wrong').waitFor()
    await page.getByRole('region', { name: 'Failures by class' }).getByText('which parameter to leave out').waitFor() // FAIL16
    await lookAt(page, 'failed')
    refuse(400, 0.3, 'this model takes no such parameter')
    const incomplete = await createRun(stack.url, { ...exam, subset_count: 40 })
    await untilEnded(stack.url, incomplete.id)
    ended.incomplete = (await untilRecorded(stack.url, incomplete.id)).id
    await visit(page, `${stack.url}/runs/${incomplete.id}`)
    await page.getByText('Failures, not counted as wrong').waitFor()
    await lookAt(page, 'incomplete')
  }),
)

test(
  '[END66] a run that a provider refuses to go on with is parked, and says who must act',
  state(async (page) => {
    refuse(402, 1, 'Insufficient balance: top up your account')
    const { id } = await createRun(stack.url, { ...exam, subset_count: 20 })
    await visit(page, `${stack.url}/runs/${id}`)
    await inHeader(page, 'parked')
    await lookAt(page, 'parked')
    await cancel(id)
  }),
)

test(
  '[END66] a judged run shows its judge, and an item long formulas and code',
  state(async (page) => {
    const selected = { selected_benchmarks: ['aa_lcr', 'mmlu_pro'], subset_count: 12, epochs: 2 }
    const { id } = await createRun(stack.url, { ...sample, ...selected, max_failure_share: 1, judge: { model_id: 'strict-judge' } })
    await untilEnded(stack.url, id)
    const run = await untilRecorded(stack.url, id)
    await visit(page, `${stack.url}/runs/${id}`)
    await page.getByText('strict-judge').first().waitFor()
    await lookAt(page, 'judged')
    for (const { benchmark_name } of run.benchmarks) {
      await visit(page, `${stack.url}/runs/${id}?benchmark=${benchmark_name}#items`)
      await page.getByRole('region', { name: 'Lines of the list' }).getByRole('link').first().click()
      await page.getByRole('article').getByRole('heading', { name: 'Answer', exact: true }).waitFor()
      await page.locator('.katex').first().waitFor()
      await lookAt(page, `item-${benchmark_name}`)
    }
    await visit(page, `${stack.url}/runs`)
    await page.getByRole('row').nth(2).waitFor()
    await lookAt(page, 'runs')
  }),
)

test(
  '[END66] a provider that is down is told on the page of a run',
  state(async (page) => {
    refuse(503, 1, 'no capacity left')
    const { id } = await createRun(stack.url, { ...exam, subset_count: 20, concurrency: 32 })
    await visit(page, `${stack.url}/runs/${id}`)
    await page.getByText(/The provider openai answers 503: 20 trials wait/).waitFor()
    await lookAt(page, 'provider-down')
    provider.setScript([])
    await inHeader(page, 'succeeded')
    ended.well = (await untilRecorded(stack.url, id)).id
  }),
)

test(
  '[FLEET70] [END66] an agent that stands still is told on the pages of a run and of the fleet, and its trials are given back',
  state(async (page) => {
    hang(provider.ledger.entries.length + 12)
    const { id } = await createRun(stack.url, { ...exam, subset_count: 20, concurrency: 4 })
    await visit(page, `${stack.url}/runs/${id}`)
    await page.getByText(/requests in flight, the slowest \d+ s of 180 s for its first token/).waitFor({ timeout: 120_000 })
    await lookAt(page, 'working')
    await withFrozen(stack, 'agent', async () => {
      await page.getByText(/1 agent has not been heard for \d+ s; \d trials are given back in \d+ s/).waitFor({ timeout: 120_000 })
      await lookAt(page, 'agent-frozen')
      await visit(page, `${stack.url}/agents`)
      await page.getByRole('cell', { name: 'silent', exact: true }).waitFor()
      await lookAt(page, 'fleet-frozen')
      await untilRun(stack.url, id, (run) => run.head.leased === 0)
    })
    await cancel(id)
  }),
)

test(
  '[UI90] while the server is away a page keeps what it had, says how old that is, and goes on by itself',
  state(async (page) => {
    const { id } = await createRun(stack.url, { ...exam, subset_count: 100, epochs: 8, concurrency: 8 })
    await visit(page, `${stack.url}/runs/${id}`)
    const done = () => page.getByRole('progressbar').first().getAttribute('aria-valuenow').then(Number)
    await expect.poll(done, soon).toBeGreaterThan(20)
    const list = await openTab(browser)
    await visit(list.page, `${stack.url}/runs`)
    await list.page.getByText('Stopped half way').waitFor()
    await page.evaluate('globalThis.sameDocument = true')
    await without(stack, 'host', async () => {
      const age = page.getByText(/What stands here is as it was \d+ s ago/)
      await age.waitFor()
      const before = [await done(), Number.parseInt((await age.innerText()).replace(/\D+/g, ''), 10)] as const
      expect(before[0]).toBeGreaterThan(20)
      await lookAt(page, 'server-away')
      await expect.poll(async () => Number.parseInt((await age.innerText()).replace(/\D+/g, ''), 10), soon).toBeGreaterThan(before[1])
      expect(await done()).toBe(before[0])
      await page.getByRole('button', { name: 'Pause' }).click()
      const refused = page.getByRole('alert').filter({ has: page.getByRole('button', { name: 'Close' }) })
      await refused.getByRole('button', { name: 'Try again' }).waitFor()
      await refused.getByRole('button', { name: 'Close' }).click()
      expect(await page.getByRole('alert').allInnerTexts()).toEqual([])
      await list.page.getByText(/What stands here is as it was \d+ s ago/).waitFor({ timeout: 120_000 })
      expect(await list.page.getByText('Stopped half way').count()).toBe(1)
      await lookAt(list.page, 'runs-server-away')
    })
    await page.getByText('What stands here is as it was').waitFor({ state: 'hidden', timeout: 120_000 })
    await list.page.getByText('What stands here is as it was').waitFor({ state: 'hidden', timeout: 120_000 })
    await inHeader(page, 'succeeded')
    expect(await page.evaluate('globalThis.sameDocument')).toBe(true)
    await list.close()
  }),
)

test(
  '[UI95] a changed field of the start page keeps focus and place',
  state((page) => changeFields(page, stack.url)),
)

test(
  '[UI96] numbers stand digit under digit in their columns, names as they are written',
  state((page) => lookAtFigures(page, `${stack.url}/runs/${ended.incomplete}`)),
)

test(
  '[UI97] zeros do not warn, and samples are loud once a page',
  state((page) => lookForAlarm(page, stack.url, ended.well, ended.incomplete)),
)

test(
  '[UI98] a key has its own date',
  state((page) => readKeyDate(page, stack.url, exportedAt)),
)
