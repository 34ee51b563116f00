import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod'
import { runBench } from '#fleet/cli/fixture-api.ts'
import { ItemPage, type Run, RunItemDetail } from '#shared/contract/api.ts'
import { RunComposites } from '#shared/contract/composite.ts'
import { RunComposite } from '#shared/contract/janus.ts'
import { TrialRecord } from '#shared/contract/trial.ts'
import { call, createRun, getRun, untilEnded, untilRecorded } from './call-api.ts'
import { collectEvents } from './event-stream.ts'
import { chromiumPath, lookAt, openBrowser, openTab, visit } from './open-browser.ts'
import { newDataDir, root, type Stack, startStack } from './stack.ts'

/** The acceptance of the suite: a run of its five benchmarks with the demo model, started over the API, as everything of the service shows it. */
const suite = ['janus_cost', 'janus_multimodal', 'janus_research', 'janus_streaming', 'janus_tool_use']
const body = { model_id: 'demo-model', selected_benchmarks: suite, subset_pct: 1, subset_seed: '43' }

/** What is asked of the report, under its official names. */
const Report = z.object({
  run_id: z.string(),
  model: z.string(),
  composite_score: z.number(),
  speed_score: z.number(),
  total_tasks: z.int(),
  passed_tasks: z.int(),
  failed_tasks: z.int(),
  avg_ttft_seconds: z.number(),
  max_gap_seconds: z.number(),
  benchmark_metrics: z.record(z.string(), z.record(z.string(), z.unknown())),
  results: z.array(
    z.object({ task_id: z.string(), benchmark: z.string(), success: z.boolean(), streaming_metrics: z.record(z.string(), z.number()) }),
  ),
})
const dir = newDataDir()
let stack: Stack
let run: Run
let records: TrialRecord[]

// Hooks run last one first: the directory goes when the stack has stopped.
afterAll(dir.remove)
beforeAll(async () => {
  stack = await startStack(dir.path, {}, root, { sandboxes: true })
  run = await ended((await createRun(stack.url, body)).id)
  records = (await exported('jsonl'))
    .trimEnd()
    .split('\n')
    .map((line) => TrialRecord.parse(JSON.parse(line)))
})
afterAll(() => stack?.stop())

const ended = async (id: string): Promise<Run> => untilRecorded(stack.url, (await untilEnded(stack.url, id)).id)
const get = (path: string): Promise<Response> => call(stack.url, 'GET', path)
const items = async (id: string) => ItemPage.parse(await (await get(`/api/runs/${id}/items?limit=100`)).json()).items
const asked = async (id: string): Promise<string[]> =>
  (await items(id)).map(({ benchmark, item_hash }) => `${benchmark} ${item_hash}`).sort()
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

async function exported(format: string): Promise<string> {
  const response = await get(`/api/runs/${run.id}/export?format=${format}`)
  expect(response.status).toBe(200)
  return text(response.body!)
}

/** How the first answer of a record came in, as the report has it; tools may have been called in it. */
function streamOf(record: TrialRecord) {
  return streamsOf(record)[0]!
}

/** How every answer of a record came in. */
function streamsOf(record: TrialRecord) {
  if (record.evidence?.kind !== 'exchange') throw new Error(`${record.benchmark} has no exchange`)
  return record.evidence.turns.map(({ stream }) => stream!)
}

test('[JANUS30] one per cent of the suite is at least one item of every benchmark, the same again for the same seed', async () => {
  expect(run.status).toBe('succeeded')
  expect(run.benchmarks.map(({ benchmark_name, sampled_items }) => [benchmark_name, sampled_items]).sort()).toEqual(
    suite.map((name) => [name, 1]),
  )
  const [again, other] = await Promise.all([body, { ...body, subset_seed: '44' }].map((one) => createRun(stack.url, one)))
  const [first, same, different] = await Promise.all([
    asked(run.id),
    ended(again!.id).then(({ id }) => asked(id)),
    ended(other!.id).then(({ id }) => asked(id)),
  ])
  expect(first).toHaveLength(5)
  expect(same).toEqual(first)
  expect(different).toHaveLength(5)
  expect(different).not.toEqual(first)
})

test('[JANUS31] every item of the run is a row of the database, the same in lists, by its address, in the record and in its events', async () => {
  const rows = await items(run.id)
  expect(rows.map(({ benchmark }) => benchmark).sort()).toEqual(suite)
  expect(records.map(({ benchmark }) => benchmark).sort()).toEqual(suite)
  for (const row of rows) {
    const path = `/api/runs/${run.id}/items/${row.benchmark}/${row.item_id}?epoch=0`
    const { item, record } = RunItemDetail.parse(await (await get(path)).json())
    expect(item).toEqual(row)
    expect(record).toEqual(records.find(({ item_hash }) => item_hash === row.item_hash))
    expect(row).toMatchObject({
      response: expect.stringMatching(/\S/),
      outcome: expect.stringMatching(/^(right|wrong)$/),
      stream_end: 'done',
    })
  }
  const events = await collectEvents(await get(`/api/runs/${run.id}/events`))
  const told = events.flatMap((event) => (event.event_type === 'benchmark_progress' ? (event.data.results as { ordinal: number }[]) : []))
  expect([events.at(-1)?.event_type, told.length]).toEqual(['run_completed', 5])
})

test('[JANUS32] the report of the run has how every answer came in, item by item as recorded, and in the aggregate', async () => {
  const report = Report.parse(JSON.parse(await exported('janus')))
  expect(report).toMatchObject({ run_id: run.id, model: 'demo-model', total_tasks: 5, passed_tasks: 5, failed_tasks: 0 })
  expect(report.results.map(({ benchmark }) => benchmark).sort()).toEqual(suite)
  const streams = records.map(streamOf)
  for (const [index, record] of records.entries()) {
    const facts = streams[index]!
    const shown = report.results.find(({ benchmark }) => benchmark === record.benchmark)!
    expect(shown).toMatchObject({ task_id: record.source_id, success: true })
    expect(shown.streaming_metrics).toMatchObject({
      ttft_seconds: facts.first_token_ms! / 1000,
      max_gap_seconds: facts.max_gap_ms! / 1000,
      total_chunks: facts.chunks,
      keep_alive_count: 0,
    })
    if (facts.content_chunks < 3) expect(shown.streaming_metrics).not.toHaveProperty('continuity_score')
    else {
      const { sd_ms, mean_ms, long } = facts.content!
      const even = 1 / (1 + sd_ms / mean_ms)
      expect(shown.streaming_metrics.continuity_score).toBeCloseTo((1 - long / (facts.content_chunks - 1)) * even, 9) // by the mended formula
    }
    expect(facts.max_gap_ms).toBeGreaterThan(0)
  }
  expect(report.avg_ttft_seconds).toBeCloseTo(mean(streams.map(({ first_token_ms }) => first_token_ms! / 1000)), 9)
  expect(report.max_gap_seconds).toBe(Math.max(...streams.map(({ max_gap_ms }) => max_gap_ms! / 1000)))
  const streamed = streams[records.findIndex(({ benchmark }) => benchmark === 'janus_streaming')]!
  expect(report.benchmark_metrics.janus_streaming).toMatchObject({
    samples: 1,
    avg_ttft_ms: expect.closeTo(streamed.first_token_ms!, 6),
    p99_ttft_ms: expect.closeTo(streamed.first_token_ms!, 6),
    continuity_score: expect.closeTo(
      report.results.find(({ benchmark }) => benchmark === 'janus_streaming')!.streaming_metrics.continuity_score!,
      9,
    ),
  })
})

test('[JANUS33] the composite of the run is its five parts by 40, 20, 15, 15 and 10, the same over the API as in the report', async () => {
  const composite = RunComposite.parse(await (await get(`/api/janus/composite-score/${run.id}`)).json())
  const report = Report.parse(JSON.parse(await exported('janus')))
  expect(composite).toMatchObject({
    run_id: run.id,
    status: 'succeeded',
    profiles: Object.fromEntries(suite.map((name) => [name, 'janus-v2'])),
  })
  for (const { composite: whole, parts, absent, weights, benchmarks } of [composite.mended, composite.official]) {
    expect(weights).toEqual({ quality: 40, speed: 20, cost: 15, streaming: 15, multimodal: 10 })
    expect([absent, Object.keys(benchmarks).sort()]).toEqual([[], suite])
    const { quality, speed, cost, streaming, multimodal } = parts
    expect(whole).toBeCloseTo(0.4 * quality! + 0.2 * speed! + 0.15 * cost! + 0.15 * streaming! + 0.1 * multimodal!, 9)
    expect(quality).toBeCloseTo(mean([benchmarks.janus_research!.score, benchmarks.janus_tool_use!.score]), 9)
    expect(multimodal).toBe(benchmarks.janus_multimodal!.score)
    expect(whole).toBeGreaterThan(0)
  }
  expect(composite.mended.composite).toBe(report.composite_score)
  expect(composite.mended.parts.speed).toBe(report.speed_score)
})

test('[JANUS34] the run has P50, P90 and P99 of how its answers came in, with units and the number of answers, alone and per benchmark', async () => {
  const { streaming } = await getRun(stack.url, run.id)
  const streams = records.map((record) => streamsOf(record).at(-1)!) // of an exchange its last answer
  expect(streaming).toMatchObject({ n: streams.length, ends: { done: streams.length, closed: 0, cut: 0, stalled: 0 } })
  const units = {
    first_token_ms: 'ms',
    max_gap_ms: 'ms',
    max_token_gap_ms: 'ms',
    chunk_rate: 'chunks/s',
    token_rate: 'tokens/s',
    continuity: 'share',
  }
  // Every answer has a first token; rates, gaps and evenness only those that came in several pieces.
  for (const [name, unit] of Object.entries(units)) expect(streaming!.figures[name], name).toMatchObject({ unit, n: expect.any(Number) })
  const several = streams.filter(({ max_token_gap_ms }) => max_token_gap_ms !== null).length
  const n = (name: string) => streaming!.figures[name]!.n
  expect([n('first_token_ms'), n('max_token_gap_ms'), several > 1]).toEqual([streams.length, several, true])
  const known = streams.map(({ first_token_ms }) => first_token_ms!).sort((a, b) => a - b)
  const { least, most, p50, p90, p99 } = streaming!.figures.first_token_ms!
  expect([least, most, p99]).toEqual([known[0], known[4], known[4]])
  expect(Math.abs(p50 / known[2]! - 1)).toBeLessThanOrEqual(0.02)
  expect(p90).toBeLessThanOrEqual(known[4]!)
  for (const { benchmark_name, estimates } of run.benchmarks)
    expect(estimates.streaming, benchmark_name).toMatchObject({
      n: 1,
      figures: { first_token_ms: { n: 1, unit: 'ms', p50: expect.any(Number) } },
    })
})

test('[JANUS35] the signed archive of the run verifies, and not with one byte changed', async () => {
  const path = join(dir.path, 'janus.zip')
  const bytes = Buffer.from(await (await get(`/api/runs/${run.id}/export?format=zip`)).arrayBuffer())
  const verify = async () => {
    writeFileSync(path, bytes)
    return runBench(['verify', path], { BENCH_URL: stack.url })
  }
  const whole = await verify()
  expect([whole.code, whole.out.join('\n')]).toEqual([0, expect.stringContaining('verified')])
  bytes[Math.floor(bytes.length / 2)]! ^= 1
  expect((await verify()).code).toBe(3)
})

test('[JANUS36] pages show the run with its streams in the aggregate, and an item with the way its answer came in', async (context) => {
  context.skip(!chromiumPath, 'no Chromium on this machine (CHROMIUM names one)')
  const browser = await openBrowser()
  const { page, complaints, close } = await openTab(browser)
  try {
    await visit(page, `${stack.url}/runs/${run.id}`)
    await page.getByText('How answers came in').click()
    const streams = page.locator('details', { hasText: 'How answers came in' })
    const figure = (title: string) => streams.locator('dl > div', { hasText: title }).innerText()
    expect(await figure('To the first token')).toMatch(/p50 [\d.]+ m?s · p90 [\d.]+ m?s · p99 [\d.]+ m?s\s+n = 5 streams/)
    expect(await figure('Tokens a second')).toMatch(/p50 [\d.]+ tokens\/s · .* tokens\/s\s+n = \d streams/)
    expect(await figure('Continuity')).toMatch(/p50 [01]\.\d\d · /)
    expect(await figure('Broken streams')).toContain('0 cut (0.0 %) · 0 stalled (0.0 %)')
    await lookAt(page, 'janus-run')
    const { item_id } = (await items(run.id)).find(({ benchmark }) => benchmark === 'janus_streaming')!
    await visit(page, `${stack.url}/runs/${run.id}/items/janus_streaming/${item_id}?epoch=0`)
    expect(await page.getByRole('img', { name: /^Timeline of the answer, .*first to last token/ }).getAttribute('aria-label')).toMatch(
      /\d ms/,
    )
    await page.getByText(/^first token after [\d.]+ m?s · whole after .* · \d+ tokens$/).waitFor()
    for (const title of ['First byte to first token', 'Longest silence between tokens', 'Token rate', 'Continuity'])
      await page.getByText(title, { exact: true }).waitFor()
    await lookAt(page, 'janus-item')
    expect(complaints).toEqual([])
  } finally {
    await close()
    await browser.close()
  }
})

test('[JANUS63] the page of a run shows its composite with every part, its weight and number, by both readings; and what was not run', async (context) => {
  context.skip(!chromiumPath, 'no Chromium on this machine (CHROMIUM names one)')
  const some = await createRun(stack.url, { ...body, selected_benchmarks: ['janus_cost', 'janus_streaming'], subset_count: 3 })
  await ended(some.id)
  const browser = await openBrowser()
  const { page, complaints, close } = await openTab(browser)
  try {
    await visit(page, `${stack.url}/runs/${run.id}`)
    const composite = page.getByRole('region', { name: 'Janus composite: Mended formulas' })
    const rows = await composite.getByRole('row').allInnerTexts()
    const shown = rows.map((text) => text.replaceAll(/\s+/g, ' '))
    for (const [title, weight] of Object.entries({ Quality: 40, Speed: 20, Cost: 15, Streaming: 15, Multimodal: 10 }))
      expect(shown.find((text) => text.startsWith(title))).toMatch(new RegExp(`^${title} ${weight} % .*\\d+\\.\\d %`))
    const { readings } = RunComposites.parse(await (await get(`/api/runs/${run.id}/composites`)).json()).composites[0]!
    expect(shown[1]).toContain(`${(readings[0]!.value! * 100).toFixed(1)} %`)
    await page.locator('summary', { hasText: 'Official formulas' }).click()
    await lookAt(page, 'janus-composite')
    await visit(page, `${stack.url}/runs/${some.id}`)
    await page.getByText('Not run: janus_research, janus_tool_use, janus_multimodal. Without them there is no composite.').waitFor()
    await lookAt(page, 'janus-composite-some')
    expect(complaints).toEqual([])
  } finally {
    await close()
    await browser.close()
  }
})
