import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { unzipSync, zipSync } from 'fflate'
import { afterAll, expect, test } from 'vitest'
import { openLoopbackServer } from '#fleet/dataset/loopback-server.ts'
import type { HarborImported } from '#shared/contract/harbor-import.ts'
import { RunId } from '#shared/contract/ids.ts'
import { RunSpec } from '#shared/contract/run.ts'
import { episode, job } from '#shared/harbor/testing/job.ts'
import { writeJobFolder } from '#shared/harbor/write-job.ts'
import { runBench } from './fixture-api.ts'

const out = mkdtempSync(join(tmpdir(), 'bench-import-'))
afterAll(() => rmSync(out, { recursive: true }))
const env = { BENCH_DATA: join(out, 'data'), BENCH_URL: 'http://127.0.0.1:9' }

/** A job of two tasks, each attempted twice, in a folder. */
const whole = { ...job, name: 'job', episodes: ['1', '2', '3', '4'].map((name, index) => episode(name, { task: { ...episode('1').task, name: `org/${index % 2}` }, rewards: { reward: index % 2 } })) } // biome-ignore format: one job
function writeJob(folder: string, written = whole): string {
  for (const { path, text } of writeJobFolder(written)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return join(folder, written.name)
}
const foldersIn = (dir: string): string[] =>
  readdirSync(dir)
    .map((name) => join(dir, name))
    .filter((path) => existsSync(join(path, 'spec.json')))

test('[CLI191] a Harbor job is read as a run of this machine that says so everywhere, verifies, and is written as a job again', async () => {
  const folder = writeJob(join(out, 'jobs'))
  mkdirSync(join(folder, 'task__1/agent'))
  writeFileSync(join(folder, 'task__1/agent/trajectory.json'), JSON.stringify({ steps: [{ source: 'user', message: 'Write hello.' }] }))
  writeFileSync(join(folder, 'task__1/agent/recording.cast'), '{"version": 2}\n')
  const runs = join(out, 'runs')
  expect(await runBench(['import', 'harbor', folder, '-o', runs], env)).toMatchObject({
    code: 0,
    out: [
      expect.stringContaining('4 of 4 trials, succeeded'),
      '  Harbor: mean 0.500 (4 trials with a reward)',
      '  Here: mean 0.500 over 4 trials',
    ],
  })
  const [run] = foldersIn(runs)
  const spec = RunSpec.parse(JSON.parse(readFileSync(join(run!, 'spec.json'), 'utf8')))
  expect(spec.imported).toMatchObject({ from: 'harbor', job: 'job', job_id: job.id, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) })
  expect(JSON.parse(readFileSync(join(run!, 'head.json'), 'utf8'))).toMatchObject({
    status: 'succeeded',
    started_at: '2026-11-24T10:00:00.000Z',
    completed_at: '2026-11-24T10:01:00.000Z',
  })
  const bundle = readdirSync(run!).find((name) => name.endsWith('.zip'))!
  const checked = await runBench(['verify', join(run!, bundle), '--key', join(run!, 'public_key.txt'), '--json'], env)
  expect([checked.code, JSON.parse(checked.out.at(-1)!)]).toMatchObject([
    0,
    { valid: true, labels: ['imported', 'override'], overall_score: 0.5, rescored: 4 },
  ])
  expect((await runBench(['show', run!], env)).out.join('\n')).toContain(`imported from the Harbor job job (${job.id})`)
  const shown = await runBench(['show', run!, 'terminal_tasks', '0'], env)
  expect(shown.out.join('\n')).toContain('recording.cast')
  expect((await runBench(['export', run!, '-f', 'harbor', '-o', join(out, 'again.zip')], env)).code).toBe(0)
  const again = unzipSync(readFileSync(join(out, 'again.zip')))
  const result = JSON.parse(Buffer.from(again[`bench-${spec.run_id}/result.json`]!).toString())
  expect(result.stats).toMatchObject({
    n_completed_trials: 4,
    n_input_tokens: 400,
    cost_usd: null,
    evals: { 'terminus-2__maker/model__terminal_tasks': { pass_at_k: { 2: 0.5 } } },
  })
  expect(Object.keys(again).filter((path) => path.endsWith('.cast'))).toEqual([`bench-${spec.run_id}/0__0/agent/recording.cast`])
})

test('[CLI191] a ZIP of a job is read alike, and attempts that are missing make the run canceled', async () => {
  const ragged = { ...whole, episodes: whole.episodes.slice(0, 3) }
  const files = [...writeJobFolder(ragged)].map(({ path, text }) => [path, new TextEncoder().encode(text)] as const)
  writeFileSync(join(out, 'job.zip'), zipSync(Object.fromEntries(files)))
  const runs = join(out, 'ragged')
  const { code, out: said } = await runBench(['import', 'harbor', join(out, 'job.zip'), '-o', runs, '--json'], env)
  expect([code, JSON.parse(said[0]!)]).toMatchObject([0, { status: 'canceled', trials: 3, bundle: null }])
  expect(
    readFileSync(join(foldersIn(runs)[0]!, 'records.jsonl'), 'utf8')
      .trim()
      .split('\n'),
  ).toHaveLength(3)
})

test('[CLI192] what is no job, holds several, or would unpack elsewhere is refused with a sentence; an episode that cannot be read is told', async () => {
  const said = async (path: string) => {
    const { code, err } = await runBench(['import', 'harbor', path, '-o', join(out, 'none')], env)
    return [code, err.join('\n')]
  }
  expect(await said(join(out, 'nowhere'))).toEqual([1, expect.stringContaining('is not there')])
  mkdirSync(join(out, 'empty'))
  expect(await said(join(out, 'empty'))).toEqual([1, expect.stringContaining('no result.json')])
  const several = join(out, 'several')
  writeJob(several)
  cpSync(join(several, 'job'), join(several, 'other'), { recursive: true })
  expect(await said(several)).toEqual([1, expect.stringContaining('holds 2 jobs')])
  writeFileSync(join(out, 'evil.zip'), zipSync({ '../result.json': new Uint8Array([123]) }))
  expect(await said(join(out, 'evil.zip'))).toEqual([1, expect.stringContaining('../result.json')])
  expect(existsSync(join(out, 'none'))).toBe(false)
  writeFileSync(join(several, 'other/task__2/result.json'), '{')
  expect(await said(join(several, 'other'))).toEqual([0, expect.stringContaining('task__2/result.json is left out')])
  expect((await runBench(['import', 'inspect', several], env)).code).toBe(2)
})

test('[CLI230] with --service or --url the service reads the job, a folder packed and a ZIP as it is; what it leaves out is told', async () => {
  const taken: { path: string; entries: string[]; filename: string }[] = []
  const answer: HarborImported = {
    ...{ job: 'job', job_id: job.id, sha256: 'a'.repeat(64), left_out_total: 2 },
    runs: [
      {
        ...{ run_id: RunId.parse('11111111-1111-4111-8111-111111111111'), url: '/runs/1', agent: 'oracle', model: 'maker/model' },
        ...{ status: 'succeeded', trials: 4, planned: 4, artifacts: 2, made: false },
        means: {
          mean: 0.5,
          scored: 4,
          no_reward: 1,
          failed: 1,
          harbor: [{ data_set: 'set', metrics: [{ name: 'mean', value: 2 / 3 }], trials: 3, errors: 2 }],
        },
      },
    ],
    left_out: [{ entry: 'task__1/result.json', text: 'it is missing' }],
  }
  await using server = await openLoopbackServer(async (path, response, request) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    const form = await new Response(Buffer.concat(pieces), { headers: { 'content-type': request.headers['content-type']! } }).formData()
    const file = form.get('file') as File
    taken.push({ path, filename: file.name, entries: Object.keys(unzipSync(new Uint8Array(await file.arrayBuffer()))) })
    response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  })
  const folder = writeJob(join(out, 'sent'))
  const packed = join(out, 'sent.zip')
  writeFileSync(packed, zipSync({ 'job/result.json': new Uint8Array([123]) }))
  const lines = await runBench(['import', 'harbor', folder, '--url', server.origin], env)
  expect([lines.code, lines.out, lines.err]).toEqual([
    0,
    [
      '11111111-1111-4111-8111-111111111111  maker/model, oracle: 4 of 4 trials, succeeded; imported before',
      '  Harbor: mean 0.667 (3 trials with a reward, 2 with an error)',
      '  Here: mean 0.500 over 4 trials, 1 of them 0 for a missing reward; 1 failed',
    ],
    ['task__1/result.json is left out: it is missing', '1 more files are left out.'],
  ])
  const json = await runBench(['import', 'harbor', packed, '--service', '--visibility', 'link', '--json'], {
    ...env,
    BENCH_URL: server.origin,
  })
  expect(JSON.parse(json.out[0]!)).toEqual(answer.runs[0])
  expect(taken.map(({ path, filename }) => [path, filename])).toEqual([
    ['/api/import/harbor?visibility=private', 'job.zip'],
    ['/api/import/harbor?visibility=link', 'sent.zip'],
  ])
  expect(taken[0]!.entries.toSorted()).toEqual([...writeJobFolder(whole)].map(({ path }) => path).toSorted())
  expect((await runBench(['import', 'harbor', folder, '--service', '-o', 'x'], env)).code).toBe(2)
  expect((await runBench(['import', 'harbor', join(out, 'nowhere'), '--service'], env)).err.join()).toContain('is not there')
})
