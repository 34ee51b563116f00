import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { findTask } from '#shared/benchmarks/tasks.ts'
import { RunSpec } from '#shared/contract/run.ts'
import type { TrialRecord } from '#shared/contract/trial.ts'
import { withoutText } from '#shared/export/export-item.ts'
import { sampleBundle, sampleRun } from '#shared/export/testing/sample-run.ts'
import { answered, recordOf } from '#shared/run/testing/rescore-example.ts'
import { noTables } from '#shared/scorers/tables.ts'
import { exampleRun, exampleRunId, type FixtureApi, json, openFixtureApi, problem, runBench } from './fixture-api.ts'

const folder = await mkdtemp(join(tmpdir(), 'bench-rescore-'))
afterAll(() => rm(folder, { recursive: true }))
let api: FixtureApi
beforeEach(async () => {
  api = await openFixtureApi()
  api.on(`GET /api/runs/${exampleRunId}`, json(exampleRun()))
})
afterEach(() => api[Symbol.asyncDispose]())

const bench = (...args: string[]) => runBench(args, { BENCH_URL: api.url })
const task = (await findTask('mmlu_pro'))!

/** A trial as a run of this version keeps it. The text holds a line separator, which must not end a record's line. */
function trial(ordinal: number, letter: string, more: Partial<TrialRecord> = {}): TrialRecord {
  const evidence = answered(`I think,\u2028the answer is (${letter}).`)
  const item_metadata = { options: ['a', 'b', 'c'] }
  const { value, ...score } = task.score({ target: 'B', metadata: item_metadata }, evidence, 'builtin', noTables)
  return recordOf(ordinal, '', 'B', { ...score, score: value, evidence, item_metadata, ...more })
}
/** What an older scorer made of an answer that says B. */
const misread = { outcome: 'wrong', score: 0, answer: 'A', explanation: 'an older reading' } as const

const linesOf = (records: readonly TrialRecord[]) =>
  records.map((record) => `${JSON.stringify({ run_id: exampleRunId, ...record })}\n`).join('')
const serve = (...records: TrialRecord[]) =>
  api.on(`GET /api/runs/${exampleRunId}/export`, (asked, response) => {
    response.writeHead(asked.query.get('format') === 'jsonl' ? 200 : 500, { 'content-type': 'application/x-ndjson' }).end(linesOf(records))
  })

test('[CLI63] bench rescore ends with 0 when every score is the same', async () => {
  serve(trial(0, 'B'), trial(1, 'A'))
  const { code, out, err } = await bench('rescore', exampleRunId)
  expect([code, err]).toEqual([0, []])
  expect(out[0]?.split(/ {2,}/)).toEqual(['benchmark', 'scorer', 'trials', 'changed', 'not computed', 'old score', 'n', 'new score', 'n'])
  expect(out[1]).toMatch(/^mmlu_pro +\d +2 +0 +0 +50\.0 % \(\S+\) +2 +50\.0 % \(\S+\) +2$/)
  expect(out).toHaveLength(2)
})

test('[CLI63] what changed ends with 3 and is shown as old → new, as many as asked for', async () => {
  serve(trial(0, 'B', misread), trial(1, 'B', misread), trial(2, 'B'), trial(3, 'B', { explanation: 'otherwise' }))
  const { code, out } = await bench('rescore', exampleRunId)
  expect(code).toBe(3)
  expect(out[1]).toMatch(/^mmlu_pro +\d +4 +3 +0 +50\.0 % .* 4 +100\.0 % .* 4$/)
  expect(out).toContain('mmlu_pro 0 wrong “A” → right “B”')
  expect(out).toContain('mmlu_pro 3 right “B” → right “B” (explanation)')
  const few = await bench('rescore', exampleRunId, '--limit', '1')
  expect(few.out.filter((line) => line.includes('→'))).toHaveLength(1)
  expect(few.out.at(-1)).toContain('2 more of mmlu_pro')
})

test('[CLI63] --json lists the rescoring, then every difference and every trial that was not computed', async () => {
  serve(trial(0, 'B', misread), trial(1, 'B', { evidence: null }), trial(2, 'B'))
  const { out } = await bench('rescore', exampleRunId, '--json')
  expect(out.map((line) => JSON.parse(line))).toMatchObject([
    { type: 'rescore', run_id: exampleRunId, benchmark: 'mmlu_pro', headline: 'accuracy', counts: { trials: 3, changed: 1 } },
    { type: 'difference', benchmark: 'mmlu_pro', item_id: '0', before: { answer: 'A' }, after: { answer: 'B', score: 1 } },
    { type: 'not_recomputed', benchmark: 'mmlu_pro', ordinal: 1, reason: 'no-evidence' },
  ])
})

test('[CLI64] scores that cannot be computed again end with 1, are counted with their reason and leave the score', async () => {
  serve(trial(0, 'B'), withoutText(trial(1, 'B')), withoutText(trial(2, 'A')))
  const { code, out } = await bench('rescore', exampleRunId)
  expect(code).toBe(1)
  expect(out[1]).toMatch(/^mmlu_pro +\d +3 +0 +2 +66\.7 % .* 3 +100\.0 % .* 1$/)
  expect(out.at(-1)).toBe('mmlu_pro: not computed again: 2 withheld')
})

test('[CLI64] a benchmark or profile without a scorer here, a run that goes on and one without the benchmark are said and end with 1', async () => {
  const run = exampleRun()
  run.spec.benchmarks[0]!.profile = 'of-old'
  api.on(`GET /api/runs/${exampleRunId}`, json(run))
  const gone = await bench('rescore', exampleRunId)
  expect([gone.code, gone.out]).toEqual([1, ['This program has no scorer for mmlu_pro with profile of-old.']])
  const other = await bench('rescore', exampleRunId, '-b', 'ifeval')
  expect([other.code, other.err[0]]).toEqual([1, 'The run has no benchmark ifeval; it has: mmlu_pro.'])
  api.on(`GET /api/runs/${exampleRunId}`, json(exampleRun('running')))
  expect((await bench('rescore', exampleRunId)).err[0]).toContain('The run is running.')
})

const kept = (computed_by: string) => ({
  ...{ id: '22222222-2222-4222-8222-222222222222', run_id: exampleRunId, benchmark: 'mmlu_pro', profile: 'builtin', computed_by },
  ...{ code_version: '1', created_at: '2026-11-22T01:00:00.000Z', headline: 'accuracy', missing_tables: [], before: {}, after: {} },
  ...{ from: { version: 1, fingerprint: null }, to: { version: 1, fingerprint: null } },
  counts: { trials: 1, failed: 0, unchanged: 1, changed: 0, not_recomputed: {} },
})

test('[CLI65] --save lets the service compute and keep; without it nothing is sent', async () => {
  serve(trial(0, 'B'))
  await bench('rescore', exampleRunId)
  expect(api.asked.every((one) => one.method === 'GET')).toBe(true)
  api.on(`POST /api/runs/${exampleRunId}/rescore`, json({ rescores: [kept('edge')], total: 1 }, 201))
  const { code, out } = await bench('rescore', exampleRunId, '--save')
  expect([code, api.asked.at(-1)?.body]).toEqual([0, { benchmark: 'mmlu_pro' }])
  expect(out.at(-1)).toBe('kept: rescoring 22222222-2222-4222-8222-222222222222 of mmlu_pro, computed by the service')
})

test('[CLI65] what the service cannot compute is sent as computed here', async () => {
  serve(trial(0, 'B', misread), trial(1, 'B'), trial(2, 'B', { evidence: null }))
  api.on(`POST /api/runs/${exampleRunId}/rescore`, problem(422, 'rescore-elsewhere', 'It reads tables.'))
  api.on(`POST /api/runs/${exampleRunId}/rescores`, json(kept('client'), 201))
  const { code, out } = await bench('rescore', exampleRunId, '--save')
  expect([code, out.at(-1)]).toEqual([3, 'kept: rescoring 22222222-2222-4222-8222-222222222222 of mmlu_pro, computed by the client'])
  expect(api.asked.at(-1)?.body).toMatchObject({
    ...{ benchmark: 'mmlu_pro', to: { version: task.card.version, fingerprint: task.card.fingerprint } },
    changed: [{ ordinal: 0, after: { outcome: 'right', score: 1, answer: 'B' } }],
    not_recomputed: [{ ordinal: 2, reason: 'no-evidence' }],
  })
})

test('[CLI66] the folder of a local run is scored again, the last line of a trial counting, without any service', async () => {
  const dir = join(folder, 'run')
  await mkdir(dir)
  await writeFile(join(dir, 'spec.json'), JSON.stringify(RunSpec.parse(exampleRun().spec)))
  await writeFile(join(dir, 'events.jsonl'), '')
  await writeFile(join(dir, 'records.jsonl'), linesOf([trial(1, 'B', misread), trial(0, 'B', misread), trial(1, 'B', { attempt: 2 })]))
  const { code, out } = await bench('rescore', dir)
  expect([code, out.filter((line) => line.includes('→'))]).toEqual([3, ['mmlu_pro 0 wrong “A” → right “B”']])
  expect(api.asked).toEqual([])
  expect((await bench('rescore', dir, '--save')).code).toBe(2)
  expect((await bench('rescore', folder)).err[0]).toContain('is not the folder of a run')
})

test('[CLI66] an exported ZIP is scored again; a file that is none is refused in a sentence', async () => {
  const path = join(folder, 'bundle.zip')
  await writeFile(path, await sampleBundle(sampleRun(3)))
  const { code, out } = await bench('rescore', path)
  expect(code).toBe(1)
  expect(out).toEqual(['letters', 'digits'].map((name) => `This program has no scorer for ${name} with profile builtin.`))
  await writeFile(path, 'no archive')
  expect((await bench('rescore', path)).err[0]).toContain('cannot be read')
})
