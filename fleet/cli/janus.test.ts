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

test('[JANUS37] the environment weighs the parts in whole numbers that sum to 100; the report names them and the server that was asked', {
  timeout: 60_000,
}, async () => {
  const own = join(folder, 'weighed.json')
  const asked = ['janus', 'run', '-t', demo.url, '-b', 'janus_streaming', '--subset', '4', '--data', join(folder, 'weighed'), '-o', own]
  const weights = { quality: 0, speed: 50, cost: 20, streaming: 20, multimodal: 10 }
  const named = Object.fromEntries(
    Object.entries(weights).map(([part, weight]) => [`JANUS_BENCH_WEIGHT_${part.toUpperCase()}`, String(weight)]),
  )
  const ran = await runBench(asked, { ...env, ...named })
  expect([ran.code, ran.err.join('\n')]).toEqual([0, expect.not.stringContaining('weights')])
  const report = JSON.parse(readFileSync(own, 'utf8')) as Record<string, unknown>
  const { speed_score, streaming_score, of_present } = JanusReport.parse(report)
  expect(report).toMatchObject({ target_url: demo.url, weights, composite_score: null })
  expect(speed_score).not.toBeCloseTo(streaming_score!, 1)
  expect(of_present).toBeCloseTo((50 * speed_score! + 20 * streaming_score!) / 70, 9)
  const shown = ran.out.slice(-12).join('\n')
  expect(shown).toMatch(/composite – .*\n {2}quality – \(counts 0 %\)\n {2}speed [\d.]+ \(counts 50 %\)/)
  expect(shown).toContain('tokens, cost unknown')
  for (const [weight, why] of [
    ['41', /must sum to 100, these to 101: quality 41, speed 20/],
    ['40.5', /JANUS_BENCH_WEIGHT_QUALITY is "40.5"; it must be a whole number/],
    ['-40', /whole number from 0 to 100/],
  ] as const) {
    const refused = await runBench(asked, { ...env, JANUS_BENCH_WEIGHT_QUALITY: weight })
    expect([refused.code, refused.err.join()]).toEqual([2, expect.stringMatching(why)])
  }
})

test('[JANUS37] official formulas keep the weights of the competition, and say so', { timeout: 60_000 }, async () => {
  const own = join(folder, 'official.json')
  const asked = [
    'janus',
    'run',
    '-t',
    demo.url,
    '-b',
    'janus_streaming',
    '--subset',
    '4',
    '--official',
    '--data',
    join(folder, 'official'),
    '-o',
    own,
  ]
  const ran = await runBench(asked, { ...env, JANUS_BENCH_WEIGHT_QUALITY: '30', JANUS_BENCH_WEIGHT_MULTIMODAL: '20' })
  expect([ran.code, ran.err.join('\n')]).toEqual([0, expect.stringContaining('The official formulas have weights of their own')])
  expect(JSON.parse(readFileSync(own, 'utf8'))).toMatchObject({ scoring: 'janus-v1', weights: { quality: 40, multimodal: 10 } })
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
  expect(ends[1]!.err.join()).toContain(`There is no file ${join(folder, 'none.json')}`)
  const odd = await runBench(['janus', 'run'], { ...env, JANUS_BENCH_SEED: 'x' })
  expect([odd.code, odd.err.join()]).toEqual([2, expect.stringContaining('JANUS_BENCH_SEED')])
})
