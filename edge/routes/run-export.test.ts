import { parse } from 'csv-parse/sync'
import { unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { Run, RunItem } from '#shared/contract/api.ts'
import { TrialRecord } from '#shared/contract/trial.ts'
import { episodeRecord } from '#shared/episode/testing/ended-episode.ts'
import { openSigningKey } from '#shared/export/signing-key.ts'
import { initialHead } from '#shared/run/apply.ts'
import { bearer, giveKey, openApp } from '../testing/call-app.ts'
import { exampleEnded, examplePlanned, exampleSpec, exampleTrial, exampleTrials } from '../testing/example-records.ts'

const seed = '<b>bold</b>, "x"'
const spec = exampleSpec({ owner_id: 'anna', subset: { pct: 100, count: 4, seed, sampling: 'sha256' } })
const path = `/api/runs/${spec.run_id}/export`

function endedApp(trials = exampleTrials(), run = spec) {
  const app = openApp()
  app.record.runs.set(run.run_id, exampleEnded(run))
  app.record.trials.set(run.run_id, trials)
  return app
}

test('[API31] CSV has the predecessor’s columns in its order, then ours, one row a trial', async () => {
  const response = await endedApp().call('GET', path)
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(response.headers.get('content-disposition')).toBe(`attachment; filename="benchmark_results_${spec.run_id}.csv"`)
  const text = await response.text()
  const rows = parse(text, { columns: true }) as Record<string, string>[]
  expect(text.split('\r\n')[0]).toMatch(
    /^run_id,model_slug,subset_pct,subset_count,subset_seed,run_status,run_started_at,run_completed_at,overall_score,benchmark_name,benchmark_status,benchmark_score,sampled_items,completed_items,item_id,prompt,response,expected,is_correct,score,latency_ms,error,epoch,/,
  )
  expect(rows).toHaveLength(4)
  expect(rows[0]).toMatchObject({ subset_seed: seed, is_correct: 'true', score: '1', input_tokens: '100', cost_usd: '0.00014' })
  expect(rows[1]).toMatchObject({ is_correct: 'false', score: '0' })
  expect(rows[2]).toMatchObject({ is_correct: '', score: '', error: 'too many requests', failure: 'provider/rate-limited' })
  expect(rows[3]!.answer).toBe("'=1+1")
})

test('[API31] long texts are cut at 500 characters in CSV, and a run without trials is one row', async () => {
  const long = exampleTrial({ ordinal: 0, messages: [{ role: 'user', content: 'x'.repeat(800) }] })
  const [row] = parse(await (await endedApp([long]).call('GET', path)).text(), { columns: true }) as Record<string, string>[]
  expect(row!.prompt).toHaveLength(500)
  const none = parse(await (await endedApp([]).call('GET', path)).text(), { columns: true }) as Record<string, string>[]
  expect(none).toMatchObject([{ run_id: spec.run_id, benchmark_name: 'mmlu_pro', item_id: '' }])
})

test('[API32] JSON holds the run and its items, JSONL the whole records, over any number of pages', async () => {
  const trials = Array.from({ length: 1000 }, (_, ordinal) => exampleTrial({ ordinal }))
  const app = endedApp(trials, { ...spec, benchmarks: [examplePlanned({ name: 'mmlu_pro', total_items: 1000, sampled_items: 1000 })] })
  const whole = z.object({ run: Run, trials: z.array(RunItem) }).parse(await (await app.call('GET', `${path}?format=json`)).json())
  expect(whole.trials.map((item) => item.ordinal)).toEqual(trials.map((trial) => trial.record.ordinal))
  const lines = (await (await app.call('GET', `${path}?format=jsonl`)).text()).trimEnd().split('\n')
  expect(lines.map((line) => TrialRecord.parse(JSON.parse(line)))).toEqual(trials.map((trial) => trial.record))
  const empty = await (await endedApp([]).call('GET', `${path}?format=json`)).json()
  expect(empty).toMatchObject({ trials: [] })
})

test('[API32] the archive comes signed, or is 503 without a signing key; another format is 422', async () => {
  const { call, deps } = endedApp()
  expect(await (await call('GET', `${path}?format=zip`)).json()).toMatchObject({ status: 503, code: 'signing-not-configured' })
  deps.signer = openSigningKey(btoa('\x07'.repeat(32)))
  const response = await call('GET', `${path}?format=zip`)
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/zip'])
  const members = unzipSync(new Uint8Array(await response.arrayBuffer()))
  expect(Object.keys(members)).toEqual(expect.arrayContaining(['results.json', 'manifest.json', 'signature.txt', 'public_key.txt']))
  expect((await call('GET', `${path}?format=docx`)).status).toBe(422)
  expect(await (await call('HEAD', path)).text()).toBe('')
})

test('[API33] a run that has not ended is 400', async () => {
  const app = endedApp()
  app.record.runs.set(spec.run_id, { spec, head: initialHead(spec), metrics: {}, updated_at: spec.created_at })
  expect(await (await app.call('GET', path)).json()).toMatchObject({ status: 400, code: 'export-not-ready' })
})

test('[API33] a run whose last results are on their way to the record is exported when they have arrived', async () => {
  const app = endedApp()
  const ended = app.record.runs.get(spec.run_id)!
  app.living.set(spec.run_id, { spec, head: ended.head })
  app.record.runs.set(spec.run_id, { ...ended, head: { ...ended.head, status: 'running' } })
  const { findRun } = app.deps.store
  let looks = 0
  app.deps.store.findRun = (run_id) => {
    if (++looks === 2) app.record.runs.set(spec.run_id, ended)
    return findRun(run_id)
  }
  expect((await app.call('GET', path)).status).toBe(200)
  expect(looks).toBe(2)
})

test('[API26] exports of gated data hold no text for those who do not own the run', async () => {
  const gated = exampleSpec({ owner_id: 'anna', benchmarks: [examplePlanned({ name: 'gpqa_diamond', gated: true })] })
  const app = endedApp(exampleTrials('gpqa_diamond'), gated)
  const anna = bearer(await giveKey(app, 'anna'))
  app.deps.signer = openSigningKey(btoa('\x07'.repeat(32)))
  const unpacked = async (headers: Record<string, string>) => {
    const bytes = new Uint8Array(await (await app.call('GET', `${path}?format=zip`, { headers })).arrayBuffer())
    return Object.values(unzipSync(bytes))
      .map((member) => new TextDecoder().decode(member))
      .join()
  }
  expect(await unpacked({})).not.toMatch(/Question|It is B|too many/)
  expect(await unpacked(anna)).toMatch(/Question/)
  for (const format of ['csv', 'json', 'jsonl']) {
    expect(await (await app.call('GET', `${path}?format=${format}`)).text()).not.toMatch(/Question|It is B|too many/)
    expect(await (await app.call('GET', `${path}?format=${format}`, { headers: anna })).text()).toMatch(/Question/)
  }
})

test('[API190] a run with terminal tasks is exported as a Harbor job; any other is 422', async () => {
  const own = exampleSpec({ owner_id: 'anna', benchmarks: [examplePlanned({ name: 'terminal_tasks', total_items: 1, sampled_items: 1 })] })
  const app = endedApp([{ ...exampleTrial({ ordinal: 0 }), record: episodeRecord() }], own)
  const response = await app.call('GET', `${path}?format=harbor`)
  expect([response.status, response.headers.get('content-type'), response.headers.get('x-trials')]).toEqual([200, 'application/zip', null])
  expect(response.headers.get('content-disposition')).toBe(`attachment; filename="benchmark_results_${own.run_id}.harbor.zip"`)
  const members = unzipSync(new Uint8Array(await response.arrayBuffer()))
  expect(Object.keys(members)).toContain(`bench-${own.run_id}/write-hello__0/agent/trajectory.json`)
  expect(await (await endedApp().call('GET', `${path}?format=harbor`)).json()).toMatchObject({ status: 409, code: 'export-no-episodes' })
})
