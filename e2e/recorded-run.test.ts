import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { parse } from 'csv-parse/sync'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, type TestContext, test } from 'vitest'
import { readPdf } from '#edge/testing/read-pdf.ts'
import type { Run } from '#shared/contract/api.ts'
import { TrialRecord } from '#shared/contract/trial.ts'
import { sized } from '#shared/testing/draws.ts'
import { askedByTrials } from '../prove/provider/preflight-entries.ts'
import { type Provider, startProvider } from '../prove/provider/provider.ts'
import { createRun, getRun, untilEnded, untilRecorded } from './call-api.ts'
import { collectEvents } from './event-stream.ts'
import {
  findWrong,
  lookAtLongRun,
  narrowList,
  readFormulas,
  readOnPhone,
  scrollEarly,
  travelList,
  travelSearch,
  walkItems,
} from './item-journeys.ts'
import { chromiumPath, openBrowser } from './open-browser.ts'
import { type Recorded, readRecordedAnswers, recordedAnswersAreHere, testFile } from './recorded-answers.ts'
import type { Place } from './run-list.ts'
import { newDataDir, root, type Stack, startStack } from './stack.ts'

const missing = `../shared: the real MMLU-Pro answers are not beside the checkout (${testFile})`
const dir = newDataDir()
/** `npm test` asks every second item; `npm run prove -- deep` asks all 12,032 items. */
const stride = sized(2, 1)
let items: Recorded[] = []
let total = 0
let right = 0
let provider: Provider
let stack: Stack
let run: Run
let env: Record<string, string>
let browser: Browser | undefined

/** Writes the large integers of a Parquet file as JSON numbers. */
const plain = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? Number(value) : value)

/** Answers every prompt with what was recorded for it; prompts that several items share give their answers in turn. */
function recordedModel(all: readonly Recorded[]): (prompt: string) => { text: string } {
  const replies = Map.groupBy(all, (one) => one.prompt)
  const asked = new Map<string, number>()
  return (prompt) => {
    const list = replies.get(prompt)
    if (!list) return { text: 'This prompt is not one of the recorded ones.' }
    const turn = asked.get(prompt) ?? 0
    asked.set(prompt, turn + 1)
    return { text: list[turn % list.length]!.reply }
  }
}

// Hooks run last one first: the directory goes when the stack has stopped.
afterAll(dir.remove)
if (recordedAnswersAreHere) {
  beforeAll(async () => {
    const recorded = await readRecordedAnswers(stride)
    items = recorded.items
    total = items.length
    right = items.filter(({ letter, answer }) => letter === answer).length
    const drawn = join(dir.path, 'drawn.jsonl')
    writeFileSync(drawn, recorded.rows.map((row) => `${JSON.stringify(row, plain)}\n`).join(''))
    provider = await startProvider({ answer: recordedModel(items), chunk_chars: 400 })
    env = {
      OPENAI_BASE_URL: provider.url,
      OPENAI_MODELS: 'llama-3.1-70b',
      BENCH_DATA_OVERRIDES: JSON.stringify({ mmlu_pro: { files: [{ role: 'test', path: stride === 1 ? testFile : drawn }] } }),
    }
    stack = await startStack(dir.path, env)
    const body = { model_id: 'llama-3.1-70b', selected_benchmarks: ['mmlu_pro'], profile: 'builtin', data: 'override', concurrency: 256 }
    const created = await createRun(stack.url, body)
    run = await untilRecorded(stack.url, (await untilEnded(stack.url, created.id)).id)
    const tookS = (Date.parse(run.completed_at!) - Date.parse(run.started_at!)) / 1000
    console.log(`${run.head.done} trials in ${tookS.toFixed(1)} s, ${(run.head.done / tookS).toFixed(0)} trials/s`)
  })
  afterAll(async () => {
    await browser?.close()
    await stack?.stop()
    await provider?.close()
  })
}

/** A check of the recorded run, skipped with the reason where there is none. */
const real = (check: () => Promise<void>) => async (context: TestContext) => {
  context.skip(!recordedAnswersAreHere, missing)
  await check()
}

/** A journey through the pages of the recorded run. */
const journey = (walk: (place: Place) => Promise<void>) => async (context: TestContext) => {
  context.skip(!recordedAnswersAreHere, missing)
  context.skip(!chromiumPath, 'no Chromium on this machine (CHROMIUM names one)')
  browser ??= await openBrowser()
  await walk({ browser, url: stack.url, run })
}

const exported = async (format: string) => {
  // Parsing blocks this process for seconds; connections that were closed meanwhile are noticed in the next turn of the loop.
  await setImmediate()
  const askedMs = performance.now()
  const response = await fetch(`${stack.url}/api/runs/${run.id}/export?format=${format}`)
  expect(response.status).toBe(200)
  const readyS = (performance.now() - askedMs) / 1000
  const bytes = Buffer.from(await response.arrayBuffer())
  const wholeS = (performance.now() - askedMs) / 1000
  console.log(
    `${format}: ${bytes.length.toLocaleString('en-US')} bytes, ready after ${readyS.toFixed(1)} s, whole after ${wholeS.toFixed(1)} s`,
  )
  return bytes
}

test(
  '[END1] recorded answers of Llama-3.1-70B to real MMLU-Pro items get the counts of the official script',
  real(async () => {
    if (stride === 1) expect([right, total]).toEqual([7557, 12032])
    expect(run).toMatchObject({ status: 'succeeded', labels: ['override'], overall_score: right / total })
    const result = run.benchmarks[0]!
    expect(result).toMatchObject({
      right,
      wrong: total - right,
      failed: 0,
      completed_items: total,
      sampled_items: total,
      profile: 'builtin',
    })
    expect(run.head.benchmarks.mmlu_pro?.flags.unparsed).toBe(items.filter(({ letter }) => letter === null).length)
    const asked = askedByTrials(provider.ledger.entries)
    expect(run.head.usage.input_tokens).toBe(asked.reduce((sum, entry) => sum + entry.input_tokens, 0))
    expect([asked.length, provider.ledger.entries.length - asked.length]).toEqual([total, 1])
  }),
)

test(
  '[END1] every category has the counts that the official script would give',
  real(async () => {
    expect(items.filter((one) => one.letter !== null && one.letter !== one.official_pred)).toEqual([])
    const expected = [...Map.groupBy(items, (one) => one.category)].map(([name, list]) => {
      const right = list.filter((one) => one.letter === one.answer).length
      return { name, total: list.length, right, wrong: list.length - right, failed: 0 }
    })
    const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1)
    const shown = run.benchmarks[0]!.groups.map(({ name, total, right, wrong, failed }) => ({ name, total, right, wrong, failed }))
    expect(shown.sort(byName)).toEqual(expected.sort(byName))
  }),
)

test(
  '[END2] the CSV, JSON and JSONL exports hold every trial with the same sums',
  real(async () => {
    const csv = parse(await exported('csv'), { columns: true }) as { outcome: string; score: string; ordinal: string }[]
    expect(csv).toHaveLength(total)
    expect(csv.filter((row) => row.outcome === 'right')).toHaveLength(right)
    expect(csv.reduce((sum, row) => sum + Number(row.score), 0)).toBe(right)
    const json = JSON.parse((await exported('json')).toString('utf8')) as { run: Run; trials: { is_correct: boolean; ordinal: number }[] }
    expect(json.run.overall_score).toBe(right / total)
    expect(json.trials.map((trial) => trial.ordinal)).toEqual(Array.from({ length: total }, (_, ordinal) => ordinal))
    expect(json.trials.filter((trial) => trial.is_correct)).toHaveLength(right)
  }),
)

test(
  '[END2] the JSONL export has for every item the letter that the official script reads from the recorded answer',
  real(async () => {
    const lines = (await exported('jsonl')).toString('utf8').trimEnd().split('\n')
    const records = lines.map((line) => TrialRecord.parse(JSON.parse(line)))
    expect(new Set(records.map((record) => record.item_id)).size).toBe(total)
    // Items that share a prompt may have exchanged their answers, so they are compared as a group.
    const lettersOf = (list: { prompt: string; letter: string | null }[]) =>
      new Map([...Map.groupBy(list, (one) => one.prompt)].map(([prompt, group]) => [prompt, group.map((one) => one.letter).sort()]))
    const given = records.map((record) => ({ prompt: record.messages[0]!.content, letter: record.answer }))
    expect(lettersOf(given)).toEqual(lettersOf(items))
    const answers = new Map(items.map((one) => [String(one.question_id), one.answer]))
    expect(records.filter((record) => record.expected !== answers.get(record.source_id!))).toEqual([])
  }),
)

test(
  '[END3] the signed archive verifies offline, and not with one byte changed',
  real(async () => {
    const path = join(dir.path, 'result.zip')
    const bytes = await exported('zip')
    writeFileSync(path, bytes)
    const { public_key } = (await (await fetch(`${stack.url}/api/exports/public-key`)).json()) as { public_key: string }
    const whole = await verify(path, public_key)
    expect(whole.code, whole.output).toBe(0)
    expect(whole.output).toContain('verified')
    const changed = Buffer.from(readFileSync(path))
    changed[Math.floor(changed.length / 2)]! ^= 1
    writeFileSync(path, changed)
    expect((await verify(path, public_key)).code).toBe(3)
  }),
)

test(
  '[END2] the PDF names the score of all trials and the hash of the JSONL export',
  real(async () => {
    const { lines } = readPdf(await exported('pdf'))
    const { value, low, high } = run.benchmarks[0]!.estimate
    const count = total.toLocaleString('en-US')
    const points = (share: number | null) => (share! * 100).toFixed(1)
    expect(value).toBe(right / total)
    expect(lines).toEqual(expect.arrayContaining([`${points(value)} %`, count, `0 of ${count}`]))
    expect(lines.some((line) => line === 'exact' || line === `${points(low)}–${points(high)}`)).toBe(true)
    expect(lines).toContain(
      createHash('sha256')
        .update(await exported('jsonl'))
        .digest('hex'),
    )
  }),
)

function verify(path: string, key: string): Promise<{ code: number; output: string }> {
  const bench = join(root, 'fleet', 'cli', 'bench.mjs')
  return new Promise((done) => {
    execFile(process.execPath, [bench, 'verify', path, '--key', key], (error, stdout, stderr) => {
      done({ code: error === null ? 0 : Number(error.code), output: stdout + stderr })
    })
  })
}

test(
  '[END4] the stream of the finished run replays every event once, without a gap, with the result of every trial',
  real(async () => {
    const events = await collectEvents(await fetch(`${stack.url}/api/runs/${run.id}/events`))
    expect(events.map((event) => event.id)).toEqual(Array.from({ length: run.head.seq }, (_, index) => index + 1))
    const results = events.flatMap((event) =>
      event.event_type === 'benchmark_progress' ? (event.data.results as { ordinal: number }[]) : [],
    )
    expect(results.map((result) => result.ordinal).sort((a, b) => a - b)).toEqual(Array.from({ length: total }, (_, ordinal) => ordinal))
    expect(events.at(-1)).toMatchObject({ event_type: 'run_completed' })
  }),
)

test(
  '[END5] after a restart the run, its events and its items are the same',
  real(async () => {
    const before = await (await fetch(`${stack.url}/api/runs/${run.id}/events`)).text()
    await stack.stop()
    stack = await startStack(dir.path, env)
    console.log(`restart: ready after ${(stack.startedInMs / 1000).toFixed(1)} s`)
    expect(await getRun(stack.url, run.id)).toEqual(run)
    expect(await (await fetch(`${stack.url}/api/runs/${run.id}/events`)).text()).toBe(before)
    const page = await (await fetch(`${stack.url}/api/runs/${run.id}/benchmarks/mmlu_pro?outcome=right&limit=1`)).json()
    expect(page).toMatchObject({ items: { total: right }, summary: { correct: right, incorrect: total - right, errors: 0 } })
  }),
)

test('[END60] a list that is scrolled before its page comes alive stays where it is', journey(scrollEarly))

test('[END60] a long list is travelled by keys and scroll bar, line by line what the record has', journey(travelList))

test('[END61] chips count what is shown, and a category leads to its items', journey(narrowList))

test('[END62] a permalink shows the item with its list beside it, and quick keys go on through both', journey(walkItems))

test('[END62] the next wrong answer opens by key and by button, and back leads to the list', journey(findWrong))

test('[END67] a search with more hits than are counted says so, and its list is travelled to the end', journey(travelSearch))

test('[END63] formulas of real answers are set with the mark of the answer kept', journey(readFormulas))

test('[END64] on a phone the list shows questions and the item covers it', journey(readOnPhone))

test('[END66] a long run, and one of them open beside its list', journey(lookAtLongRun))
