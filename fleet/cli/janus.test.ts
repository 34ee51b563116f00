import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { startDemoModel } from '#fleet/model/demo-server.ts'
import { JanusReport } from '#shared/janus/read-report.ts'
import { runBench } from './fixture-api.ts'

const folder = mkdtempSync(join(tmpdir(), 'bench-janus-'))
const demo = await startDemoModel({ port: 0, answerFor: () => ({ reply: 'It is 289, all of it said once.' }), latencyMs: 20 })
afterAll(async () => {
  await demo.close()
  rmSync(folder, { recursive: true })
})
const env = { BENCH_DATA: join(folder, 'data'), BENCH_URL: 'http://127.0.0.1:9', JANUS_BENCH_MODEL: 'demo-model' }
const file = join(folder, 'report.json')

test('[JANUS25] bench janus asks a server for the suite and writes a report, which it shows, analyses and compares', {
  timeout: 60_000,
}, async () => {
  const asked = ['janus', 'run', '-t', demo.url, '-b', 'janus_cost', '--subset', '10', '--data', join(folder, 'runs'), '-o', file]
  const ran = await runBench(asked, env)
  expect([ran.code, ran.out.at(-1), ran.err.join('\n')]).toEqual([0, file, expect.any(String)])
  const report = JanusReport.parse(JSON.parse(readFileSync(file, 'utf8')))
  expect(report).toMatchObject({ model: 'demo-model', total_tasks: 4, failed_tasks: 0, composite_score: null, scoring: 'janus-v2' })
  expect(report.results.every(({ streaming_metrics }) => streaming_metrics?.ttft_seconds !== undefined)).toBe(true)
  const shown = await runBench(['janus', 'show', file], env)
  expect([shown.code, shown.out.join('\n')]).toEqual([0, expect.stringContaining('composite – (not run: janus_research')])
  const other = join(folder, 'deltas.json')
  expect(await runBench(['janus', 'compare', file, file, '-o', other], env)).toMatchObject({ code: 0, out: [other] })
  expect(JSON.parse(readFileSync(other, 'utf8'))).toMatchObject({ same_scoring: true, winner_by_category: { cost: 'tie' } })
  expect((await runBench(['janus', 'analyze', file, '--json'], env)).out[0]).toContain('"tasks_by_benchmark":{"janus_cost"')
})

test('[JANUS25] what there is is listed; what is no report, no number and no action is refused in words', async () => {
  expect((await runBench(['janus', 'list-suites'], env)).out.join()).toContain('janus/intelligence')
  expect((await runBench(['janus', 'list-benchmarks'], env)).out).toHaveLength(6)
  const bad = join(folder, 'bad.json')
  writeFileSync(bad, '{"run_id": 1}')
  const ends = await Promise.all(
    [['show', bad], ['show', join(folder, 'none.json')], ['show'], ['frob']].map((words) => runBench(['janus', ...words], env)),
  )
  expect(ends.map(({ code }) => code)).toEqual([1, 1, 2, 2])
  const odd = await runBench(['janus', 'run'], { ...env, JANUS_BENCH_SEED: 'x' })
  expect([odd.code, odd.err.join()]).toEqual([2, expect.stringContaining('JANUS_BENCH_SEED')])
})
