import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { strFromU8, unzipSync } from 'fflate'
import { afterAll, expect, test } from 'vitest'
import { startDemoModel } from '#fleet/model/demo-server.ts'
import { JanusReport } from '#shared/janus/read-report.ts'
import { runBench } from './fixture-api.ts'
import { pinnedKey, verifyFile } from './verify.ts'

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

test('[JANUS64] suites stand apart: train and dev of the public tasks are asked by themselves, dev where nothing is named', {
  timeout: 60_000,
}, async (context) => {
  context.skip(spawnSync('bwrap', ['--version']).status !== 0, 'public tasks run code, which needs bubblewrap')
  const suites = (await runBench(['janus', 'list-suites', '--json'], env)).out.map(
    (line) => JSON.parse(line) as { suite: string; title: string },
  )
  expect(suites.map(({ suite }) => suite)).toEqual(['public/dev', 'public/train', 'private/test', 'janus/intelligence'])
  const ask = async (name: string, ...more: string[]) => {
    const report = join(folder, `${name}.json`)
    const ran = await runBench(['janus', 'run', '-t', demo.url, '--subset', '2', '--data', join(folder, name), '-o', report, ...more], {
      ...env,
      PATH: process.env.PATH,
    })
    expect([name, ran.code, ran.err.join('\n')]).toEqual([name, 0, expect.any(String)])
    return JanusReport.parse(JSON.parse(readFileSync(report, 'utf8')))
  }
  const [dev, train] = [await ask('dev'), await ask('train', '-s', 'public/train')]
  expect([dev.suite, dev.total_tasks, train.suite, train.total_tasks]).toEqual(['public/dev', 2, 'public/train', 3])
  expect(dev.results.every(({ task_id }) => task_id.startsWith('public/dev/'))).toBe(true)
  expect(train.results.every(({ task_id }) => task_id.startsWith('public/train/'))).toBe(true)
})

/** Two lines of own items: what a file must hold and no archive may. */
const ownItem = (id: string, prompt: string) => ({
  ...{ id, benchmark: 'janus_cost', subtype: 'concise_response', suite: 'private/test', prompt },
  evaluation: { type: 'contains_and_length', required: ['heron'], max_words: 3, baseline_tokens: 10 },
})

test('[JANUS65] own items are asked as the suite private/test, and nothing of their texts is in the archive for others', {
  timeout: 60_000,
}, async () => {
  const items = join(folder, 'own')
  mkdirSync(items)
  const lines = [ownItem('concise_001', 'Which secret bird stands still?'), ownItem('concise_002', 'Which hidden wader has grey wings?')]
  writeFileSync(join(items, 'cost.jsonl'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  const [report, runs] = [join(folder, 'own.json'), join(folder, 'own-runs')]
  const ran = await runBench(['janus', 'run', '-t', demo.url, '-s', 'private/test', '--items', items, '--data', runs, '-o', report], env)
  expect([ran.code, ran.err.join('\n')]).toEqual([0, expect.any(String)])
  expect(JanusReport.parse(JSON.parse(readFileSync(report, 'utf8')))).toMatchObject({ suite: 'private/test', total_tasks: 2 })
  const [run] = readdirSync(runs).filter((name) => existsSync(join(runs, name, 'records.jsonl')))
  const dir = join(runs, run!)
  expect(readFileSync(join(dir, 'records.jsonl'), 'utf8')).toContain('secret bird')
  const archive = readdirSync(dir).find((name) => name.endsWith('.zip'))!
  const files = Object.values(unzipSync(readFileSync(join(dir, archive)))).map((bytes) => strFromU8(bytes))
  expect(files.length).toBeGreaterThan(2)
  for (const text of files) expect(text).not.toMatch(/secret bird|hidden wader|heron|289, all of it/)
  const keys = [pinnedKey(readFileSync(join(dir, 'public_key.txt'), 'utf8'))]
  const { report: found } = await verifyFile(join(dir, archive), { keys, now: new Date() })
  expect([found.errors, found.items]).toEqual([[], 2])
})

test('[JANUS66] a line that is no item is told by its file, line and field, and nothing is asked', async () => {
  const items = join(folder, 'wrong.jsonl')
  const good = ownItem('concise_001', 'Which bird?')
  const wrong = [
    good,
    { ...good, id: 'concise_002', evaluation: { ...good.evaluation, max_words: 'three' } },
    { ...good, id: 'concise_003', subtype: 'short' },
    { ...good, id: 'concise_004', benchmark: 'janus_speed' },
    { ...good, id: 'concise_005', more: true },
    good,
  ]
  writeFileSync(items, ['', ...wrong.map((line) => JSON.stringify(line)), '{"id": '].join('\n'))
  const asked = ['janus', 'run', '-t', demo.url, '-s', 'private/test', '--data', join(folder, 'never')]
  const refused = await runBench(asked, { ...env, JANUS_PRIVATE_DATASET_PATH: items })
  expect(refused.code).toBe(2)
  const said = refused.err.join('\n')
  expect(said).toContain(`${items}:3: evaluation.max_words: Invalid input: expected number`)
  expect(said).toContain(`${items}:4: subtype: is none of concise_response, efficient_explanation, minimal_tools, direct_answer`)
  expect(said).toContain(`${items}:5: benchmark: is none of janus_research, janus_tool_use`)
  expect(said).toMatch(/:6: .*more/)
  expect(said).toContain(`${items}:7: id: concise_001 is also that of ${items}:2`)
  expect(said).toContain(`${items}:8: this is no JSON`)
  expect(existsSync(join(folder, 'never'))).toBe(false)
  for (const [more, why] of [
    [[], 'made of your own items'],
    [['--items', join(folder, 'none')], 'There is nothing at'],
  ] as const)
    expect((await runBench([...asked, ...more], env)).err.join()).toContain(why)
  expect((await runBench(['janus', 'run', '--items', items], env)).err.join()).toContain('--items belongs to --suite private/test')
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
