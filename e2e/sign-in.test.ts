import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getRun, untilEnded } from './call-api.ts'
import { type ChutesStandIn, startChutes } from './chutes-stand-in.ts'
import { chromiumPath, lookAt, openBrowser, openTab, shoot, visit } from './open-browser.ts'
import { newDataDir, type Stack, startStack } from './stack.ts'

/** Lifetime of an access token in seconds. The runs below take longer. */
const tokenSeconds = 4

const dir = newDataDir()
let browser: Browser
let chutes: ChutesStandIn
let stack: Stack
afterAll(() => dir.remove())
if (chromiumPath) {
  beforeAll(async () => {
    chutes = await startChutes(250)
    stack = await startStack(dir.path, {
      CHUTES_API_KEY: `cpk_${'a'.repeat(32)}.${'b'.repeat(32)}.${'C'.repeat(32)}`,
      CHUTES_MODELS_API_URL: chutes.catalogue,
      CHUTES_API_BASE_URL: chutes.url,
      BENCH_FAKE_IDP: '1',
      BENCH_FAKE_IDP_ACCESS_S: String(tokenSeconds),
    })
    const login = await fetch(`${stack.url}/api/auth/login`, { redirect: 'manual' })
    chutes.idp = new URL(login.headers.get('location')!).origin
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await stack?.stop()
    await chutes?.close()
  })
}
const noBrowser = 'no Chromium on this machine (CHROMIUM names one)'

/** Signs in as the first person of the fake identity provider, from the page that is open. */
async function signIn(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { name: 'Fake identity provider' }).waitFor()
  await page.getByRole('button', { name: 'Allow' }).click()
}
const me = (page: Page) => page.evaluate<{ has_valid_token: boolean }>(`fetch('/api/auth/me').then((answer) => answer.json())`)

test('[SIGN4] first visit, sign in, who pays, a run that outlives its tokens, settings, a key for a program, sign out', async (context) => {
  context.skip(!chromiumPath, noBrowser)
  const { page, complaints, close } = await openTab(browser)
  await visit(page, `${stack.url}/?model=chutes%2Fone&benchmarks=mmlu_pro&count=48&data=sample&profile=builtin&concurrency=2`)
  await page.getByText('Paid by the operator of this service.').first().waitFor()
  await signIn(page)
  await page.getByText('Paid by your Chutes account (ada).').first().waitFor()
  await lookAt(page, 'signed-in-start')
  const plan = page.getByRole('complementary', { name: 'Plan' })
  await plan.getByRole('button', { name: 'Run', exact: true }).first().click()
  await page.waitForURL(/\/runs\/[0-9a-f-]{36}/)
  const id = /runs\/([0-9a-f-]{36})/.exec(page.url())![1]!
  await page.getByText('Private').first().waitFor()
  const cookie = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ')
  await page.locator('header').getByText('succeeded', { exact: true }).waitFor({ timeout: 120_000 })
  expect((await getRun(stack.url, id, { cookie })).head).toMatchObject({ done: 48, failures: {} })
  expect(new Set(chutes.asked.map(({ token }) => token)).size).toBeGreaterThan(1)

  // Refresh the token from two tabs at the same time.
  const other = await page.context().newPage()
  await visit(other, `${stack.url}/settings`)
  await expect.poll(async () => (await Promise.all([me(page), me(other)])).map((one) => one.has_valid_token)).toEqual([true, true])
  await other.close()

  await visit(page, `${stack.url}/settings`)
  await page.getByText('this one').waitFor()
  await page.getByLabel('Name').fill('nightly')
  await page.getByLabel('Most $ a day').fill('1')
  await page.getByRole('button', { name: 'Make a key' }).click()
  const key = (await page.locator('code', { hasText: /^cbr_/ }).textContent())!
  await page.getByText('never used').waitFor()
  await page.getByText('$0 of $1.00 today').waitFor()
  await page.getByRole('button', { name: 'Budget of nightly' }).click()
  await page.getByLabel('$ a month', { exact: true }).fill('10')
  await page.getByRole('button', { name: 'Set', exact: true }).click()
  await page.getByText('$0 of $1.00 today, $0 of $10.00 this month').waitFor()
  await page.getByText('Set a budget').first().waitFor()
  const own = page.getByRole('region', { name: 'Provider keys' })
  await own.getByRole('combobox').selectOption('chutes')
  await own.getByRole('textbox').fill(`cpk_${'d'.repeat(32)}.${'e'.repeat(32)}.${'F'.repeat(28)}9xyz`)
  await own.getByRole('button', { name: 'Save the key' }).click()
  await own.getByText('The provider takes the key. 1 model.').waitFor()
  const defaults = page.getByRole('region', { name: 'Defaults' })
  await defaults.getByRole('button', { name: 'Choose a model' }).click()
  await defaults.getByRole('option', { name: /chutes\/one/ }).click()
  await defaults.getByRole('button', { name: 'Save the defaults' }).click()
  await defaults.getByText('Saved.', { exact: true }).waitFor()
  await lookAt(page, 'settings')
  await visit(page, `${stack.url}/?benchmarks=mmlu_pro&count=1&data=sample`)
  await page.getByText('Your default model and parameters are chosen.').waitFor()
  await plan.getByText('Paid with your Chutes key ····9xyz.').waitFor()
  await lookAt(page, 'start-with-own-key')
  await visit(page, `${stack.url}/settings`)
  await own.getByRole('button', { name: 'Delete' }).click()
  await own.getByRole('button', { name: 'Delete the key' }).click()
  await own.getByText('You have saved no key.').waitFor()
  const asKey = () => fetch(`${stack.url}/api/runs?mine=true`, { headers: { authorization: `Bearer ${key}` } })
  expect(((await (await asKey()).json()) as { runs: { id: string }[] }).runs.map((run) => run.id)).toContain(id)
  await page.getByRole('button', { name: 'Revoke' }).click()
  await page.getByRole('button', { name: 'Revoke the key' }).click()
  await page.getByText('You have no keys.').waitFor()
  expect((await asKey()).status).toBe(401)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in with your Chutes account' }).waitFor()
  expect((await page.context().cookies()).filter(({ name }) => name.includes('session'))).toEqual([])
  expect(complaints).toEqual([])
  await close()
})

test('[SIGN5] who denies, and who comes back with what another browser began, is told so on the settings page', async (context) => {
  context.skip(!chromiumPath, noBrowser)
  const { page, complaints, close } = await openTab(browser, { width: 390, theme: 'dark' })
  await visit(page, `${stack.url}/settings`)
  await page.getByRole('link', { name: 'Sign in with Chutes' }).click()
  await page.getByRole('button', { name: 'Deny' }).click()
  await page.getByText('You did not allow this service to sign you in.').waitFor()
  await shoot(page, 'sign-in-denied')
  await page.goto(`${stack.url}/api/auth/callback?code=stolen&state=foreign`)
  await page.getByText('was not begun in this browser').waitFor()
  expect(complaints).toEqual([])
  await close()
})

test('[SIGN12] a run goes on while its page is closed, and is parked once its owner has signed out, until he signs in again and resumes it', async (context) => {
  context.skip(!chromiumPath, noBrowser)
  const { page, close } = await openTab(browser)
  await visit(page, `${stack.url}/settings`)
  await page.getByRole('link', { name: 'Sign in with Chutes' }).click()
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.getByText('Signed in with Chutes as').waitFor()
  const body = {
    model_id: 'chutes/one',
    selected_benchmarks: ['mmlu_pro'],
    profile: 'builtin',
    data: 'sample',
    subset_count: 120,
    concurrency: 2,
  }
  const start = `fetch('/api/runs', { method: 'POST', headers: { 'content-type': 'application/json' }, body: ${JSON.stringify(JSON.stringify(body))} }).then((answer) => answer.json())`
  const { id } = await page.evaluate<{ id: string }>(start)
  await visit(page, `${stack.url}/runs/${id}`)
  await page.getByText('in flight').waitFor()
  const out = `fetch('/api/auth/logout', { method: 'POST' }).then((answer) => answer.status)`
  expect(await page.evaluate(out)).toBe(200)
  const admin = { headers: { 'x-admin-secret': stack.adminSecret } }
  const head = async () =>
    ((await (await fetch(`${stack.url}/api/runs/${id}`, admin)).json()) as { head: { status: string; failures: object } }).head
  await expect.poll(async () => (await head()).status, { timeout: 60_000 }).toBe('paused')
  await visit(page, `${stack.url}/settings`)
  await page.getByRole('link', { name: 'Sign in with Chutes' }).click()
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.getByText('Signed in with Chutes as').waitFor()
  await visit(page, `${stack.url}/runs/${id}`)
  await page.getByRole('button', { name: 'Resume' }).first().click()
  const ended = await untilEnded(stack.url, id, admin.headers)
  expect([ended.head.status, ended.head.failures]).toEqual(['succeeded', {}])
  await close()
})

test('[TEAM12] a second person joins a team by a link that no server sees, reads its run as a viewer, and cancels it as a runner', async (context) => {
  context.skip(!chromiumPath, noBrowser)
  const ada = await openTab(browser)
  await visit(ada.page, `${stack.url}/settings`)
  await ada.page.getByRole('link', { name: 'Sign in with Chutes' }).click()
  await ada.page.getByRole('button', { name: 'Allow' }).click()
  await ada.page.getByText('Signed in with Chutes as').waitFor()
  await visit(ada.page, `${stack.url}/settings`) // alive
  await ada.page.getByLabel('New team').fill('Evals')
  await ada.page.getByRole('button', { name: 'Make a team' }).click()
  await ada.page.getByRole('button', { name: 'Make a link' }).click()
  const link = (await ada.page.locator('code', { hasText: '/join#' }).textContent())!
  await ada.page.getByRole('button', { name: 'rename', exact: true }).click()
  await ada.page.getByLabel('Name of the team').fill('Evaluation')
  await ada.page.getByRole('button', { name: 'Save the name' }).click()
  await ada.page.getByText('Evaluation', { exact: true }).first().waitFor()
  await ada.page.getByRole('button', { name: 'keys', exact: true }).click()
  const keys = ada.page.getByRole('region', { name: 'API keys of the team' })
  await keys.getByLabel('Name').fill('ci')
  await keys.getByRole('button', { name: 'Make a key' }).click()
  await keys.locator('code', { hasText: /^cbr_/ }).waitFor()
  await lookAt(ada.page, 'team')

  const choice = 'model=chutes%2Fone&benchmarks=mmlu_pro&count=120&data=sample&profile=builtin&concurrency=2'
  const starter = await ada.page.context().newPage()
  await visit(starter, `${stack.url}/?${choice}`)
  await starter.getByLabel('Run for').selectOption('Evaluation')
  await starter.getByText('Its members read the run.').waitFor()
  await shoot(starter, 'team-start')
  await starter.getByRole('complementary', { name: 'Plan' }).getByRole('button', { name: 'Run', exact: true }).first().click()
  await starter.waitForURL(/\/runs\/[0-9a-f-]{36}/)
  const run = starter.url()
  await starter.close()

  const grace = await openTab(browser, { width: 390, theme: 'dark' })
  const asked: string[] = []
  grace.page.on('request', (request) => asked.push(request.url(), request.headers().referer ?? ''))
  await visit(grace.page, link)
  await grace.page.getByText('You were invited to a team.').waitFor()
  expect(grace.page.url()).toBe(`${stack.url}/join`)
  await grace.page.getByRole('link', { name: 'Sign in with Chutes' }).click()
  await grace.page.getByLabel('grace').check()
  await grace.page.getByRole('button', { name: 'Allow' }).click()
  await grace.page.getByRole('heading', { name: 'Evaluation' }).waitFor() // the page is alive: it has asked for the invitation
  await lookAt(grace.page, 'join')
  await grace.page.getByRole('button', { name: 'Join as grace' }).click()
  await grace.page.getByRole('link', { name: 'See its runs' }).click()
  await grace.page.waitForURL(/\/runs\?team=/)
  await grace.page.getByRole('link', { name: 'chutes/one' }).first().waitFor()
  await shoot(grace.page, 'team-runs')
  expect(asked.filter((text) => text.includes(link.split('#')[1]!))).toEqual([])
  const cancel = grace.page.getByRole('button', { name: 'Cancel' })
  await visit(grace.page, run)
  await grace.page.getByRole('heading', { name: 'chutes/one' }).waitFor()
  expect(await cancel.count()).toBe(0)
  await shoot(grace.page, 'team-run')
  const byHand = `fetch('/api/runs/${run.slice(-36)}/cancel', { method: 'POST' }).then((answer) => answer.status)`
  expect(await grace.page.evaluate(byHand)).toBe(403)

  await visit(ada.page, `${stack.url}/settings`)
  await ada.page.getByRole('button', { name: 'Members of Evaluation' }).click()
  await ada.page.getByLabel('Role of grace').selectOption('runner')
  await ada.page.getByText('Changed the role of a member').waitFor()
  await visit(grace.page, run)
  await cancel.click()
  await grace.page.getByRole('button', { name: 'Cancel the run' }).click()
  await grace.page.locator('header').getByText('canceled', { exact: true }).waitFor()
  expect([ada.complaints, grace.complaints]).toEqual([[], [expect.stringContaining('403')]])
  await ada.close()
  await grace.close()
})

test('[BUDGET7] 200 starts at once at the running service reserve and spend no more than the budget of $1', async () => {
  const headers = { 'content-type': 'application/json' }
  const call = async (method: string, path: string, body?: object) =>
    fetch(`${stack.url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  expect((await call('PUT', '/api/budgets/person/admin', { day_usd: 1 })).status).toBe(404) // nobody has started anything under that name
  const price = { input_per_million_usd: 0, output_per_million_usd: 1000, cached_input_per_million_usd: null }
  const body = {
    model_id: 'chutes/one',
    selected_benchmarks: ['mmlu_pro'],
    profile: 'builtin',
    data: 'sample',
    subset_count: 1,
    max_tokens: 300,
    price,
  }
  expect((await call('POST', '/api/runs', { ...body, price: { ...price, output_per_million_usd: 0 } })).status).toBe(201)
  expect((await call('PUT', '/api/budgets/person/local', { day_usd: 1 })).status).toBe(200)
  const answers = await Promise.all(Array.from({ length: 200 }, () => call('POST', '/api/runs', body)))
  const codes = new Set(answers.map(({ status }) => status))
  expect(codes).toEqual(new Set([201, 402]))
  const { budgets } = (await (await call('GET', '/api/budgets')).json()) as { budgets: { id: string; day: Record<string, number> }[] }
  const { day } = budgets.find(({ id }) => id === 'local')!
  expect(day.spent_usd! + day.reserved_usd!).toBeLessThanOrEqual(1)
  expect(answers.filter(({ status }) => status === 201).length).toBeGreaterThanOrEqual(3)
})
