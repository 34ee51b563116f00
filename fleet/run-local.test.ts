import { appendFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { strFromU8, unzipSync } from 'fflate'
import { afterAll, expect, test } from 'vitest'
import { CreateRun } from '#shared/contract/create-run.ts'
import type { StreamedEvent } from '#shared/contract/event.ts'
import type { TrialRecord } from '#shared/contract/trial.ts'
import { runBench } from './cli/fixture-api.ts'
import { pinnedKey, verifyFile } from './cli/verify.ts'
import { openLocalKey } from './local-key.ts'
import { codeVersion } from './program.ts'
import { runLocal } from './run-local.ts'

const folder = mkdtempSync(join(tmpdir(), 'bench-run-local-'))
afterAll(() => rmSync(folder, { recursive: true }))
const nowhere = 'http://127.0.0.1:9'
const env = { BENCH_DATA: join(folder, 'data'), HF_ENDPOINT: nowhere, GITHUB_RAW_ENDPOINT: nowhere, GITHUB_ARCHIVE_ENDPOINT: nowhere }
const sample = ['run', '--local', '-b', 'mmlu_pro', '--limit', '20', '--profile', 'builtin', '--data', 'sample']
const newOut = (): string => mkdtempSync(join(folder, 'out-'))
const jsonLines = <T>(path: string): T[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line)) // each file is written as such lines

test('[CLI25] a run over the sample with the demo model ends signed, and the verifier computes every score and metric anew', async () => {
  const out = newOut()
  const { code, out: printed } = await runBench([...sample, '--json', '--out', out], env)
  const said = printed.map((line) => JSON.parse(line))
  const { head, dir, bundle, metrics } = said.at(-1)
  expect({ code, kinds: [said[0].type, said[1].type, said.at(-1).type] }).toEqual({ code: 0, kinds: ['run', 'event', 'done'] })
  expect(head).toMatchObject({ status: 'succeeded', done: 20, total: 20, failures: {}, cost_usd: 0 })

  const records = jsonLines<TrialRecord>(join(dir, 'records.jsonl'))
  expect(new Set(records.map(({ ordinal }) => ordinal))).toHaveLength(20)
  expect(records.every((record) => record.evidence !== null && record.calls === 1 && record.messages.length > 0)).toBe(true)
  const right = records.filter(({ outcome }) => outcome === 'right').length
  expect(metrics.mmlu_pro.accuracy).toMatchObject({ value: right / 20, n: 20 })
  expect(jsonLines<StreamedEvent>(join(dir, 'events.jsonl'))).toEqual(
    said.filter(({ type }) => type === 'event').map(({ type: _, ...event }) => event),
  )

  const keys = [pinnedKey(readFileSync(join(dir, 'public_key.txt'), 'utf8'))]
  const { report, exitCode } = await verifyFile(bundle, { keys, now: new Date() })
  expect({ exitCode, errors: report.errors, items: report.items, rescored: report.rescored }).toEqual({
    exitCode: 0,
    errors: [],
    items: 20,
    rescored: 20,
  })
  expect(report.checks.filter(({ ok }) => ok !== true)).toEqual([])
})

test('[CLI118] what a local run signs names the version of the code, or VERSION where it is set', async () => {
  const signedVersion = async (more: Record<string, string>) => {
    const { out } = await runBench([...sample, '--limit', '1', '--json', '--out', newOut()], { ...env, ...more })
    const files = unzipSync(readFileSync(JSON.parse(out.at(-1)!).bundle))
    const name = Object.keys(files).find((path) => path.endsWith('results.json'))!
    return JSON.parse(strFromU8(files[name]!)).run.code_version
  }
  expect(await signedVersion({})).toBe(codeVersion())
  expect(await signedVersion({ VERSION: '9.9.9+elsewhere' })).toBe('9.9.9+elsewhere')
})

test('[CLI25] people are told what is asked, that the data is a sample, where the results are and how to check them', async () => {
  const out = newOut()
  const { code, out: printed, err } = await runBench([...sample, '--out', out], env)
  expect(code).toBe(0)
  expect(err.slice(0, 2)).toEqual(['demo-model on demo (answers are invented)', 'mmlu_pro: 20 items, profile builtin, sample data'])
  const text = printed.join('\n')
  expect(text).toMatch(/mmlu_pro {2}.* % \(.* succeeded 20\/20 {2}SAMPLE/)
  const [, bundle, key] = /bench verify (\S+) --key (\S+)/.exec(text) ?? []
  const verified = await runBench(['verify', bundle!, '--key', key!])
  expect([verified.code, verified.out[1]]).toEqual([0, expect.stringMatching(/ · overall score \d+\.\d % · demo model, sample data$/)])
})

test('[CLI27] an interrupted run is paused: finished trials stay on disk, nothing is signed', async () => {
  const interrupted = new AbortController()
  const request = CreateRun.parse({ model_id: 'demo-model', subset_count: 40 })
  const { head, dir, bundle } = await runLocal({
    ...{ model: 'demo-model', benchmarks: ['mmlu_pro'], profile: 'builtin', data: 'sample', concurrency: 4, request },
    ...{ subset: { pct: 100, count: 40, seed: null, sampling: 'sha256' }, out: newOut(), env, signal: interrupted.signal },
    onEvent: ({ event_type }) => event_type === 'benchmark_progress' && interrupted.abort(),
  })
  expect({ status: head.status, bundle, leased: head.leased }).toEqual({ status: 'paused', bundle: null, leased: 0 })
  expect(head.done).toBeGreaterThan(0)
  expect(jsonLines(join(dir, 'records.jsonl'))).toHaveLength(head.done)
  expect(jsonLines<StreamedEvent>(join(dir, 'events.jsonl')).map(({ event_type }) => event_type)).toContain('run_paused')
  expect(JSON.parse(readFileSync(join(dir, 'head.json'), 'utf8'))).toEqual(head)
  expect(readdirSync(dir).filter((name) => name.endsWith('.zip'))).toEqual([])
})

test('[CLI27] an interrupted command ends with exit code 130, also before its run began', async () => {
  const before = await runBench([...sample, '--out', newOut()], env, { signal: AbortSignal.abort() })
  expect({ code: before.code, out: before.out }).toEqual({ code: 130, out: [] })
  const interrupted = new AbortController()
  const say = (line: string) => line.includes('"run_started"') && interrupted.abort()
  const during = await runBench([...sample, '--json', '--out', newOut()], env, { signal: interrupted.signal, say })
  expect(during.code).toBe(130)
  expect(JSON.parse(during.out.at(-1)!)).toMatchObject({ type: 'done', head: { status: 'paused' }, bundle: null })
})

test.each([
  ['benchmark', ['-b', 'nope'], {}, 'There is no benchmark "nope". Known are: mmlu_pro,'],
  ['profile', ['-b', 'mmlu_pro', '--profile', 'odd'], {}, 'MMLU-Pro has no profile "odd"; it has: official,'],
  ['model', ['-b', 'mmlu_pro', '-m', 'gpt'], {}, 'There is no model "gpt" here. Set CHUTES_API_KEY, OPENAI_BASE_URL or LMSTUDIO_BASE_URL'],
  ['provider', ['-b', 'mmlu_pro', '--provider', 'x'], {}, 'There is no provider "x" here. Configured: none.'],
  ['data', ['-b', 'mmlu_pro', '--data', 'override'], {}, 'MMLU-Pro is not offered on override data here'],
  [
    'model of a known provider',
    ['-b', 'mmlu_pro', '-m', 'c'],
    { OPENAI_BASE_URL: nowhere, OPENAI_MODELS: 'a,b' },
    'There are: a, b, and demo-model.',
  ],
])('[CLI28] an unknown %s is refused with a sentence, and nothing is written', async (_, args, more, sentence) => {
  const out = join(newOut(), 'never')
  const { code, err, out: printed } = await runBench(['run', '--local', ...args, '--out', out], { ...env, ...more })
  expect({ code, printed, exists: existsSync(out) }).toEqual({ code: 1, printed: [], exists: false })
  expect(err.join('\n')).toContain(sentence)
})

test('[CLI28] without --model only a local run has one', async () => {
  const { code, err } = await runBench(['run', '-b', 'mmlu_pro'], env)
  expect({ code, err }).toEqual({ code: 2, err: [expect.stringContaining('--model: is needed')] })
})

test('[CLI28] a folder that cannot be made is said to be so', async () => {
  const { code, err } = await runBench([...sample, '--out', '/dev/null/runs'], env)
  expect({ code, err }).toEqual({ code: 1, err: [expect.stringContaining('The results could not be written: ENOTDIR')] })
})

test('[RUN9, CLI28] a run whose data cannot be had is parked before its first trial, and ends here with the reason', async () => {
  const pinned = ['run', '--local', '-b', 'mmlu_pro', '--limit', '3', '--profile', 'builtin', '--data', 'pinned']
  const { code, out } = await runBench([...pinned, '--out', newOut()], env)
  expect(code).toBe(1)
  expect(out[0]).toContain('parked')
  expect(out.find((line) => line.startsWith('parked (dataset/unavailable): '))).toContain('127.0.0.1:9')
  expect(out.at(-2)).toContain('signed   nothing: the run did not reach its end')
})

test('[CLI29] a seed is made once, readable by its owner only; a configured key comes first and must be one', async () => {
  const out = newOut()
  const made = openLocalKey(out, undefined)
  expect(openLocalKey(out, '').fingerprint).toBe(made.fingerprint)
  expect(statSync(join(out, 'signing-key')).mode & 0o777).toBe(0o600)
  expect(readdirSync(out)).toEqual(['signing-key'])
  expect(openLocalKey(out, Buffer.alloc(32, 7).toString('base64')).fingerprint).not.toBe(made.fingerprint)
  const { code, err } = await runBench([...sample, '--out', out], { ...env, BENCH_SIGNING_PRIVATE_KEY: 'secret-text' })
  expect(code).toBe(1)
  expect(err.join()).toMatch(/^BENCH_SIGNING_PRIVATE_KEY cannot be used: a signing key is PEM/)
  expect(err.join()).not.toContain('secret-text')
})

/** A run of forty trials that was stopped after its first results. */
async function stopped() {
  const interrupted = new AbortController()
  const say = (line: string) => line.includes('"benchmark_progress"') && interrupted.abort()
  const asked = ['run', '--local', '-b', 'mmlu_pro', '--limit', '40', '--profile', 'builtin', '--data', 'sample', '--concurrency', '4']
  const { out } = await runBench([...asked, '--json', '--out', newOut()], env, { signal: interrupted.signal, say })
  const { dir, head } = JSON.parse(out.at(-1)!) as { dir: string; head: { done: number; status: string } }
  expect(head.done).toBeLessThan(40)
  return { dir, done: head.done }
}
const recordsOf = (dir: string) => jsonLines<TrialRecord & { run_id: string }>(join(dir, 'records.jsonl'))

test('[CLI92] a local run that was stopped goes on from its folder, asks nothing twice, and its bundle verifies', async () => {
  const { dir, done } = await stopped()
  const { code, out } = await runBench(['resume', dir], env)
  expect([code, out[0]]).toEqual([0, 'demo-model  succeeded'])
  expect(recordsOf(dir)).toHaveLength(40)
  expect(new Set(recordsOf(dir).map(({ ordinal }) => ordinal))).toHaveLength(40)
  expect(done).toBeGreaterThan(0)
  const ids = jsonLines<StreamedEvent>(join(dir, 'events.jsonl')).map(({ id }) => id)
  expect(ids).toEqual(ids.map((_, at) => at + 1))
  const [, bundle, key] = /bench verify (\S+) --key (\S+)/.exec(out.join('\n')) ?? []
  expect(await runBench(['verify', bundle!, '--key', key!])).toMatchObject({ code: 0 })
  expect(await runBench(['resume', dir], env)).toMatchObject({ code: 1, err: [expect.stringContaining('has ended (succeeded)')] })
})

test('[CLI92] after a process that died the results that no event tells of count, and unfinished lines are dropped', async () => {
  const { dir } = await stopped()
  const path = join(dir, 'events.jsonl')
  const events = readFileSync(path, 'utf8').split('\n').slice(0, -1)
  const first = events.findIndex((line) => line.includes('"benchmark_progress"'))
  writeFileSync(path, `${events.slice(0, first).join('\n')}\n{"id":${first + 1},"event_ty`)
  appendFileSync(join(dir, 'records.jsonl'), '{"run_id":"torn')
  const kept = readFileSync(join(dir, 'records.jsonl'), 'utf8').split('\n').slice(0, -1)
  const { code, out } = await runBench(['resume', dir, '--json'], env)
  expect([code, JSON.parse(out.at(-1)!).head]).toMatchObject([0, { status: 'succeeded', done: 40, leased: 0, retried: 0 }])
  expect(readFileSync(join(dir, 'records.jsonl'), 'utf8').split('\n').slice(0, kept.length)).toEqual(kept)
  expect(recordsOf(dir)).toHaveLength(40)
})

test('[CLI92] a folder that holds no run, or one that cannot go on, is refused', async () => {
  const dir = newOut()
  for (const name of ['spec.json', 'records.jsonl']) writeFileSync(join(dir, name), '{}')
  expect(await runBench(['resume', dir], env)).toMatchObject({
    code: 1,
    err: [expect.stringContaining('is not the folder of a local run')],
  })
})

test('[CLI93] bench show reads the folder of a local run: the run, the items of a benchmark, one item', async () => {
  const { dir, done } = await stopped()
  const run = await runBench(['show', dir], env)
  expect(run.out.join('\n')).toContain('demo-model  paused')
  expect(run.out.join('\n')).toContain(`bench resume `)
  const items = await runBench(['show', dir, 'mmlu_pro', '--limit', '1'], env)
  expect(items.out.at(-1)).toBe(`1 of ${done} items`)
  const [record] = recordsOf(dir)
  const item = await runBench(['show', dir, 'mmlu_pro', record!.item_id], env)
  expect(item.out[0]).toContain(record!.outcome)
  expect(item.out.join('\n')).toContain(record!.messages[0]!.content.split('\n')[0])
  expect(await runBench(['show', dir, 'nosuch'], env)).toMatchObject({ code: 1, err: [expect.stringContaining('it has: mmlu_pro')] })
  expect(await runBench(['show', dir, 'mmlu_pro', 'none'], env)).toMatchObject({ code: 1, err: [expect.stringContaining('no answer')] })
  expect(existsSync(join(dir, 'head.json'))).toBe(true)
})

test('[CLI162] a local run of given answers asks nobody, is signed as a replay, and goes on from its folder', async () => {
  const ask = CreateRun.parse({
    model_id: 'kept answers',
    selected_benchmarks: ['mmlu_pro'],
    replay: [
      { item: '0', epoch: 1, texts: ['No idea.'] },
      { epoch: 0, texts: ['The answer is (A).'] },
      { item: '0', texts: ['The answer is (B).'] },
    ],
  })
  const start = (signal: AbortSignal) =>
    runLocal({
      ...{
        model: 'kept answers',
        benchmarks: ['mmlu_pro'],
        profile: 'builtin',
        data: 'sample',
        concurrency: 4,
        out: newOut(),
        env,
        signal,
      },
      subset: { pct: 100, count: 3, seed: null, sampling: 'sha256' },
      request: { ...ask, epochs: 2, max_failure_share: 1 },
      onEvent: () => undefined,
    })
  const { spec, head, dir, bundle } = await start(new AbortController().signal)
  expect(spec).toMatchObject({ model: { provider: 'replay', slug: 'kept answers' }, replay: { answers: 3 } })
  const records = jsonLines<TrialRecord>(join(dir, 'records.jsonl'))
  expect(records.every(({ usage, calls }) => usage.output_tokens === 0 && calls === 0)).toBe(true)
  const failed = records.filter(({ failure }) => failure)
  const known = records.filter(({ epoch, item_id }) => epoch === 0 || item_id === '0')
  expect(failed.map(({ failure }) => failure)).toEqual(failed.map(() => expect.objectContaining({ at: 'replay', reason: 'no-answer' })))
  expect([failed.length + known.length, head.status, head.failures]).toEqual([6, 'succeeded', { 'replay/no-answer': failed.length }])
  const { report } = await verifyFile(bundle!, { keys: [pinnedKey(readFileSync(join(dir, 'public_key.txt'), 'utf8'))], now: new Date() })
  expect([report.errors, report.labels, report.rescored]).toEqual([[], ['replay', 'sample'], known.length])

  const stopped = await start(AbortSignal.abort())
  expect(stopped.head.status).toBe('paused')
  const resumed = await runBench(['resume', stopped.dir, '--json'], env)
  expect(JSON.parse(resumed.out.at(-1)!)).toMatchObject({
    type: 'done',
    head: { done: 6, failures: { 'replay/no-answer': failed.length } },
  })
  const again = await start(AbortSignal.abort())
  writeFileSync(join(again.dir, 'replay.json'), '[{"texts":["other"]}]')
  const refused = await runBench(['resume', again.dir, '--json'], env)
  expect(JSON.parse(refused.out.at(-1)!)).toMatchObject({ head: { status: 'paused', done: 0, parked: { reason: 'replay/mismatch' } } })
})
