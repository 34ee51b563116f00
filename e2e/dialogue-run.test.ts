import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DemoModel, startDemoModel } from '#fleet/model/demo-server.ts'
import type { Run } from '#shared/contract/api.ts'
import { assertionWords, type Change, type DialogueEvidence } from '#shared/contract/evidence/dialogue.ts'
import { TrialRecord } from '#shared/contract/trial.ts'
import { demoDialogue } from '#shared/tau2/demo-dialogue.ts'
import { dialogueFacts } from '#shared/tau2/facts.ts'
import { TauTask } from '#shared/tau2/tau-task.ts'
import { netChanges } from '#web/item/evidence/dialogue-exchanges.ts'
import { count, usd } from '#web/ui/format.ts'
import { call, createRun, untilEnded, untilRecorded } from './call-api.ts'
import { chromiumPath, lookAt, openBrowser, openTab, visit } from './open-browser.ts'
import { type SharedStack, simulatedStack } from './shared-stack.ts'
import { root } from './stack.ts'

/** Dialogues of invented customers under our own words, agent and user played by two models of one server that cost differently. */
const benchmark = 'tau2_bench_telecom'
const facts = readFileSync(join(root, 'shared', 'benchmarks', benchmark, 'sample.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => dialogueFacts(TauTask.parse(JSON.parse(line)), 0))
/** The agent gives up where it would have nothing to do itself: those dialogues end with an assertion that does not hold. */
const solves = (one: (typeof facts)[number]): boolean => one.actions.some(({ party }) => party === 'assistant')

let models: DemoModel
let stack: SharedStack
let run: Run

beforeAll(async () => {
  const shared = await simulatedStack('dialogue')
  stack = shared
  models = await startDemoModel({
    port: shared.port,
    latencyMs: 5,
    answerFor(_prompt, messages) {
      for (const one of facts) {
        const turn = demoDialogue(one, solves(one), messages as Parameters<typeof demoDialogue>[2])
        if (turn) return { turn }
      }
      return { reply: 'OK' }
    },
  })
  const body = {
    model_id: 'agent',
    provider: 'dialogue',
    selected_benchmarks: [benchmark],
    profile: 'builtin',
    data: 'sample',
    subset_pct: 100,
  }
  const created = await createRun(stack.url, body)
  run = await untilRecorded(stack.url, (await untilEnded(stack.url, created.id)).id)
})
afterAll(async () => {
  await models?.close()
})

type Played = { path: string; record: TrialRecord; evidence: DialogueEvidence; changes: Change[] }

/** The trials of the run, from its record. */
async function played(): Promise<Played[]> {
  const exported = await call(stack.url, 'GET', `/api/runs/${run.id}/export?format=jsonl`)
  const lines = (await exported.text()).trimEnd().split('\n')
  return lines.map((line) => {
    const record = TrialRecord.parse(JSON.parse(line))
    if (record.evidence?.kind !== 'dialogue') throw new Error(`${record.item_id} is no dialogue`)
    const path = `/runs/${run.id}/items/${benchmark}/${record.item_id}?epoch=0`
    return { path, record, evidence: record.evidence, changes: netChanges(record.evidence.turns) }
  })
}

const section = (page: Page, title: string | RegExp) =>
  page
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: title }) })
    .last()

/** What a list of figures says behind a name. */
const figure = (page: Page, name: string) => section(page, 'Usage and timing').locator(`dt:text-is("${name}") + dd`).innerText()

test('[TAU40] the page of a dialogue shows turns, calls with arguments and results, what changed on both sides, and tokens and cost of agent and user apart', async (context) => {
  context.skip(!chromiumPath, 'no Chromium on this machine (CHROMIUM names one)')
  const all = await played()
  expect([run.status, all.length]).toEqual(['succeeded', 32])
  const { path, record, evidence, changes } = all.find(
    (one) => one.record.outcome === 'right' && ['assistant', 'user'].every((party) => one.changes.some((change) => change.party === party)),
  )!
  const browser = await openBrowser()
  const { page, complaints, close } = await openTab(browser)
  try {
    await visit(page, stack.url + path)
    const changed = section(page, 'Changed')
    await changed.locator('li').first().waitFor()
    const told = await changed.locator('li').allInnerTexts()
    expect(told.map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual(
      changes.map(({ party, path: of }) => `${party === 'assistant' ? 'company' : 'phone'} ${of}`),
    )
    for (const check of evidence.assertions!) await page.getByText(assertionWords(check), { exact: true }).waitFor()
    expect(await page.getByText('✓ held', { exact: true }).count()).toBe(evidence.assertions!.length)

    const dialogue = section(page, 'Dialogue')
    const said = evidence.turns.filter((turn) => turn.type === 'said')
    expect(await dialogue.locator('ol .eyebrow').allTextContents()).toEqual(
      said.map(({ party }) => (party === 'assistant' ? 'Agent' : 'User')),
    )
    for (const { text } of said) if (text !== '') await dialogue.getByText(text.split('\n')[0]!, { exact: false }).first().waitFor()
    const calls = said.flatMap((turn) => turn.calls)
    expect(await dialogue.locator('summary code').allTextContents()).toEqual(calls.map(({ name }) => name))
    const result = evidence.turns.find((turn) => turn.type === 'result')!
    await dialogue.locator('summary').first().click()
    expect(await dialogue.locator('details[open] pre').allTextContents()).toEqual([calls[0]!.arguments, result.content])

    const user = record.roles!.user!
    const figures = ['Input', 'Output', 'Cost', 'Calls', 'User simulator', 'its tokens', 'its cost', 'its calls']
    expect(await Promise.all(figures.map((name) => figure(page, name)))).toEqual([
      `${count(record.usage.input_tokens)} tokens`,
      `${count(record.usage.output_tokens)} tokens`,
      usd(record.cost_usd),
      count(record.calls),
      user.model_reported ?? user.model,
      `${count(user.usage.input_tokens)} in, ${count(user.usage.output_tokens)} out`,
      usd(user.cost_usd),
      count(user.calls),
    ])
    expect([record.cost_usd! > 0, user.cost_usd! > 0, user.usage.input_tokens === record.usage.input_tokens]).toEqual([true, true, false])
    await lookAt(page, 'dialogue')
    expect(complaints).toEqual([])
  } finally {
    await close()
    await browser.close()
  }
})

test('[STREAM14] the same page lists every call of agent and user with its course, and its numbers when it is opened', async (context) => {
  context.skip(!chromiumPath, 'no Chromium on this machine (CHROMIUM names one)')
  const { path, record } = (await played()).find((one) => one.record.outcome === 'right')!
  const asked = record.transcript!.filter((step) => step.type === 'model_call')
  expect(asked.length).toBe(record.calls + record.roles!.user!.calls)
  const browser = await openBrowser()
  const { page, complaints, close } = await openTab(browser)
  try {
    await visit(page, stack.url + path)
    await page.getByText(`How the answers of ${asked.length} calls came in`).click()
    const list = page.locator('details', { hasText: `How the answers of ${asked.length} calls came in` }).first()
    const rows = list.locator(':scope > ol > li')
    const heads = (await rows.allInnerTexts()).map((text) => text.split('\n')[0])
    expect(heads).toEqual(asked.map(({ role }, index) => `${index + 1} ${role === 'model' ? 'Model' : 'User simulator'}`))
    expect(await list.getByRole('img', { name: /^Timeline of the answer, .* in all/ }).count()).toBe(asked.length)
    await rows.nth(1).locator('summary').click()
    await rows.nth(1).getByText('Chunks', { exact: true }).waitFor()
    expect(await rows.nth(0).getByText('Chunks', { exact: true }).isVisible()).toBe(false)
    await lookAt(page, 'dialogue-calls')
    expect(complaints).toEqual([])
  } finally {
    await close()
    await browser.close()
  }
})

test('[TAU40] where an assertion did not hold the page names it, and says what nobody changed', async (context) => {
  context.skip(!chromiumPath, 'no Chromium on this machine (CHROMIUM names one)')
  const { path, evidence, changes } = (await played()).find(({ record }) => record.outcome === 'wrong')!
  const fallen = evidence.assertions!.filter(({ held }) => !held)
  expect([fallen.length > 0, changes]).toEqual([true, []])
  const browser = await openBrowser()
  const { page, complaints, close } = await openTab(browser, { theme: 'dark', width: 390 })
  try {
    await visit(page, stack.url + path)
    const outcome = section(page, 'Outcome')
    for (const check of fallen)
      expect(await outcome.locator('li', { hasText: assertionWords(check) }).innerText()).toContain('✗ did not hold')
    await page.getByText('No call changed anything for good.', { exact: true }).waitFor()
    await page.getByText('I cannot help with that.', { exact: true }).first().waitFor()
    await lookAt(page, 'dialogue-fallen')
    expect(complaints).toEqual([])
  } finally {
    await close()
    await browser.close()
  }
})
