import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { exampleHead, exampleRun, exampleRunId, type FixtureApi, json, openFixtureApi, runBench, sse, streamed } from './fixture-api.ts'

let api: FixtureApi
beforeEach(async () => {
  api = await openFixtureApi()
  api.on('POST /api/runs', json(exampleRun('queued'), 201))
  api.on(`GET /api/runs/${exampleRunId}`, json(exampleRun()))
})
afterEach(() => api[Symbol.asyncDispose]())

const started = () => api.asked.filter(({ method, path }) => method === 'POST' && path === '/api/runs')
const bench = (...args: string[]) => runBench(args, { BENCH_URL: api.url })
const events = `GET /api/runs/${exampleRunId}/events`
const snapshot = (status: string, seq: number, counts: Parameters<typeof exampleHead>[2]) => ({
  event_type: 'snapshot',
  head: exampleHead(status, seq, counts),
})
const results = (...outcomes: string[]) => ({
  completed: 0,
  total: 5,
  current_accuracy: null,
  ...{ unleased: 0, recovered: 0 },
  results: outcomes.map((outcome, ordinal) => ({
    ...{ ordinal, attempt: 1, item_id: String(ordinal), epoch: 0, group: null, outcome, answer: null, expected: null, flags: [] },
    score: outcome === 'failed' ? null : outcome === 'right' ? 1 : 0,
    ...{ failure: outcome === 'failed' ? 'provider/overloaded' : null, retryable: false, latency_ms: 5, ttft_ms: null },
    ...{ usage: { input_tokens: 1, output_tokens: 1, cached_tokens: 0, reasoning_tokens: 0 }, cost_usd: 0.5 },
  })),
})
const ended = { status: 'succeeded', overall_score: 0.75, completed_benchmarks: 1 }

test('[CLI9] bench run sends what the options say, under a fresh Idempotency-Key', async () => {
  const options = [
    '--subset',
    '5%',
    '--seed',
    's',
    '-k',
    '2',
    '--profile',
    'builtin',
    '--data',
    'sample',
    '--budget-usd',
    '1.5',
    '--top-p',
    '0.9',
  ]
  const { code, out } = await bench('run', '-m', 'demo-model', '-b', 'mmlu_pro,gpqa_diamond', '-b', 'ifeval', ...options)
  expect({ code, out }).toEqual({ code: 0, out: [exampleRunId] })
  expect(started()[0]?.body).toMatchObject({
    model_id: 'demo-model',
    selected_benchmarks: ['mmlu_pro', 'gpqa_diamond', 'ifeval'],
    ...{ subset_pct: 5, subset_seed: 's', epochs: 2, profile: 'builtin', data: 'sample', budget_usd: 1.5, top_p: 0.9 },
  })
  await bench('run', '-m', 'demo-model', '-b', 'mmlu_pro', '--limit', '200')
  expect(started()[1]?.body).toMatchObject({ subset_count: 200, subset_pct: 100 })
  await bench('run', '-m', 'demo-model', '--suite', 'default')
  expect(started()[2]?.body).toMatchObject({ suite: 'default' })
  expect(started()[2]?.body).not.toHaveProperty('selected_benchmarks')
  const keys = started().map((one) => one.headers['idempotency-key'])
  expect(new Set(keys)).toHaveLength(3)
})

test('[CLI60] bench run names another judge and allows the model to judge itself; without that it says nothing of judges', async () => {
  await bench('run', '-m', 'm', '-b', 'hle', '--judge', 'lab/judge', '--judge-provider', 'openai', '--allow-self-judge')
  await bench('run', '-m', 'm', '-b', 'hle', '--judge', 'lab/judge', '--user-model', 'lab/user')
  await bench('run', '-m', 'm', '-b', 'hle')
  expect(started()[0]?.body).toMatchObject({ judge: { model_id: 'lab/judge', provider: 'openai' }, allow_self_judge: true })
  expect(started()[1]?.body).toMatchObject({ judge: { model_id: 'lab/judge' }, roles: { user: { model_id: 'lab/user' } } })
  for (const name of ['judge', 'roles', 'allow_self_judge']) expect(started()[2]?.body).not.toHaveProperty(name)
  const { code, err } = await bench('run', '-m', 'm', '-b', 'hle', '--judge-provider', 'openai')
  expect(code).toBe(2)
  expect(err.join()).toContain('name it with --judge')
})

test('[CLI61] the plan and a run tell who judges and what that takes, apart from the model', async () => {
  const one = { name: 'hle', items: 5, epochs: 1, trials: 5, data_source: 'pinned', profile: 'official', half_width_pct: 9 }
  const preview = {
    trials: 5,
    benchmarks: [{ ...one, roles: { judge: 'lab/judge' } }],
    input_tokens: 10,
    output_tokens: 20,
    cost_usd: 0.25,
    minutes: 1,
    notes: [],
  }
  api.on('POST /api/runs/plan', json({ ...preview, roles: { judge: { input_tokens: 4000, output_tokens: 300, cost_usd: 0.5 } } }))
  const plan = (await bench('plan', '-m', 'm', '-b', 'hle')).out.join('\n')
  expect(plan).toContain('official, judged by lab/judge')
  expect(plan).toMatch(/judge besides: about 4,000 tokens in, 300 out.*cost \$0\.50/)
  api.on('POST /api/runs/plan', json({ ...preview, benchmarks: [one] }))
  expect((await bench('plan', '-m', 'm', '-b', 'hle')).out.join('\n')).not.toContain('judg')

  const run = exampleRun()
  const usage = { input_tokens: 4000, output_tokens: 300, cached_tokens: 0, reasoning_tokens: 0 }
  const judge = {
    model: { id: 'j', slug: 'lab/judge', provider: 'openai' },
    price: null,
    params: run.spec.benchmarks[0]!.params,
    schema: true,
  }
  const spec = { ...run.spec, benchmarks: run.spec.benchmarks.map((planned) => ({ ...planned, roles: { judge } })) }
  api.on(`GET /api/runs/${exampleRunId}`, json({ ...run, spec, head: { ...run.head, roles: { judge: { usage, cost_usd: 0.5 } } } }))
  const shown = (await bench('show', exampleRunId)).out.join('\n')
  expect(shown).toMatch(/judge {2}lab\/judge {2}· {2}tokens 4,000 in, 300 out {2}· {2}cost \$0\.50/)
  expect(shown).toContain('cost $0.0123')
})

test('[CLI10] --wait follows the run over a broken connection, from the last number it saw', async () => {
  api.on(events, (asked, response, count) => {
    if (count === 1) {
      response.write(
        sse(snapshot('running', 2, { right: 1, wrong: 0, failed: 0 }), streamed(3, 'benchmark_progress', results('right', 'wrong'))),
      )
      setImmediate(() => response.destroy())
      return
    }
    expect(asked.query.get('after')).toBe('3')
    const rest = [
      streamed(3, 'benchmark_progress', results('right', 'wrong')),
      streamed(4, 'benchmark_progress', results('right', 'failed')),
    ]
    response.end(`: beat\n\n${sse(...rest, streamed(5, 'run_completed', ended))}event: done\ndata: {}\n\n`)
  })
  const { code, out, err } = await bench('run', '-m', 'demo-model', '-b', 'mmlu_pro', '--wait')
  expect(code).toBe(0)
  const text = out.join('\n')
  expect(text).toContain('75.0 % (50.0–90.0)')
  for (const part of [
    'SAMPLE',
    'demo, sample',
    '$0.0123',
    'failed  1 × provider/overloaded',
    'had no room: try again later',
    `${api.url}/runs/${exampleRunId}`,
  ])
    expect(text).toContain(part)
  expect(err[1]).toContain('running  ·  1/5  ·  score so far 100.0 %')
})

test('[CLI97] a service that goes away while a run is watched is told once, and its return', async () => {
  api.on(events, (_, response, count) => {
    if (count < 4) return void response.writeHead(502).end('gone')
    const done = streamed(3, 'run_completed', ended)
    response.end(`${sse(snapshot('running', 2, { right: 1, wrong: 0, failed: 0 }), done)}event: done\ndata: {}\n\n`)
  })
  const { code, err } = await bench('watch', exampleRunId)
  expect(code).toBe(0)
  expect(err.filter((line) => line.includes('HTTP 502'))).toEqual([expect.stringContaining('Trying again for two minutes.')])
  expect(err.filter((line) => line === 'Connected again.')).toHaveLength(1)
})

test('[CLI10] progress shows counts, rate and remaining time on a terminal', async () => {
  api.on(events, (_, response) => {
    const first = snapshot('running', 1, { right: 0, wrong: 0, failed: 0 })
    response.end(sse(first, streamed(2, 'benchmark_progress', results('right', 'wrong')), streamed(3, 'run_completed', ended)))
  })
  const lines = async (columns: number) =>
    (await runBench(['watch', exampleRunId], { BENCH_URL: api.url }, { interactive: true, columns })).progress
  expect((await lines(120))[1]).toBe(
    `${'█'.repeat(10)}${'░'.repeat(14)}  running   40 %  2/5  ·  score so far 50.0 %  ·  $1.01  ·  2 s left  ·  2.0/s`,
  )
  for (const columns of [100, 80, 60, 40, 20]) for (const line of await lines(columns)) expect(line.length).toBeLessThan(columns)
})

test('[CLI89] Ctrl-C while watching says that the run goes on, how to look again and how to end it; one option cancels it', async () => {
  const stop = new AbortController()
  api.on(events, (_, response) => {
    response.write(sse(snapshot('running', 1, { right: 0, wrong: 0, failed: 0 })))
    setImmediate(() => stop.abort())
  })
  const run = ['run', '-m', 'demo-model', '-b', 'mmlu_pro', '--wait']
  const left = await runBench(run, { BENCH_URL: api.url }, { signal: stop.signal })
  expect(left.code).toBe(130)
  expect(left.err.at(-1)).toMatch(
    new RegExp(`goes on, and so does what it spends[^]*bench watch ${exampleRunId}[^]*bench cancel ${exampleRunId}`),
  )
  expect(api.asked.some(({ path }) => path.endsWith('/cancel'))).toBe(false)

  api.on(`POST /api/runs/${exampleRunId}/cancel`, json({ success: true, message: 'Canceled' }))
  const again = new AbortController()
  api.on(events, () => void setImmediate(() => again.abort()))
  const canceled = await runBench([...run, '--cancel-on-interrupt', '--json'], { BENCH_URL: api.url }, { signal: again.signal })
  expect(canceled.err.at(-1)).toBe('The run is canceled; what is scored stays.')
  expect(JSON.parse(canceled.out.at(-1) ?? '')).toMatchObject({ type: 'error', code: 'interrupted' })
  expect(api.asked.filter(({ path }) => path.endsWith('/cancel'))).toHaveLength(1)
})

test('[CLI90] where no agent is connected, starting and watching say that trials wait', async () => {
  const status = { maintenance_mode: false, message: '', version: '1', local: false, demo: false }
  api.on(events, (_, response) => void response.end(sse(snapshot('succeeded', 9, undefined))))
  for (const [agents, said] of [
    [0, true],
    [1, false],
  ] as const) {
    api.on('GET /api/status', json({ ...status, agents }))
    for (const args of [
      ['run', '-m', 'm', '-b', 'mmlu_pro'],
      ['watch', exampleRunId],
    ])
      expect((await bench(...args)).err.join('\n').includes('none is connected')).toBe(said)
  }
})

test.each([
  ['incomplete', 1],
  ['failed', 1],
  ['canceled', 1],
  ['succeeded', 0],
])('[CLI11] a run that ends as %s gives exit code %i', async (status, expected) => {
  api.on(events, (_, response) => void response.end(sse(snapshot(status, 9, undefined))))
  api.on(`GET /api/runs/${exampleRunId}`, json(exampleRun(status)))
  expect((await bench('watch', exampleRunId)).code).toBe(expected)
})

test('[CLI12] with --json stdout has JSON lines only: the run first, its events, the ended run last', async () => {
  api.on(events, (_, response) => {
    response.end(
      sse(
        snapshot('running', 1, { right: 0, wrong: 0, failed: 0 }),
        streamed(2, 'benchmark_progress', results('right')),
        streamed(3, 'run_completed', ended),
      ),
    )
  })
  const { out } = await bench('run', '-m', 'demo-model', '-b', 'mmlu_pro', '--wait', '--json')
  expect(out.map((line) => JSON.parse(line).type)).toEqual(['run', 'event', 'event', 'done'])
})

test('[CLI10] a run that is gone ends the watching at once', async () => {
  const { code, err, pauses } = await bench('watch', exampleRunId)
  expect({ code, pauses }).toEqual({ code: 1, pauses: [] })
  expect(err.join()).toContain('There is nothing at')
})

test.each([
  ['cancel', 'cancel'],
  ['pause', 'pause'],
  ['resume', 'resume'],
  ['retry', 'retry-failed'],
])('[CLI14] bench %s sends the command', async (name, route) => {
  api.on(`POST /api/runs/${exampleRunId}/${route}`, json({ success: true, message: 'As you wish' }))
  expect((await bench(name, exampleRunId)).out).toEqual(['As you wish'])
})

test('[CLI15] model names and texts are shown without terminal sequences', async () => {
  api.on(`GET /api/runs/${exampleRunId}`, json(exampleRun('succeeded', 'evil\u001b]0;owned\u0007\u001b[2J')))
  const { out } = await bench('show', exampleRunId)
  expect(out[0]).toBe('evil  succeeded  [demo, sample]')
})

test('[CLI16] an export arrives whole or not at all, and replaces nothing unasked', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'bench-export-'))
  const path = join(dir, 'run.csv')
  const route = `GET /api/runs/${exampleRunId}/export`
  api.on(route, (asked, response) => void response.end(asked.query.get('format')))
  expect((await bench('export', exampleRunId, '-f', 'csv', '-o', path)).out).toEqual([path])
  expect(readFileSync(path, 'utf8')).toBe('csv')
  expect((await bench('export', exampleRunId, '-f', 'csv', '-o', path)).err.join()).toContain('is there already')
  api.on(route, (_, response) => {
    response.writeHead(200, { 'content-length': '100' }).write('half')
    setImmediate(() => response.destroy())
  })
  expect((await bench('export', exampleRunId, '-o', path, '--force')).code).toBe(1)
  expect(readFileSync(path, 'utf8')).toBe('csv')
  expect(existsSync(`${path}.part`)).toBe(false)
  writeFileSync(path, '')
  rmSync(dir, { recursive: true })
})

test('[CLI504] DEFAULT_MODEL and DEFAULT_TEMPERATURE stand in where a command names none', async () => {
  const env = { BENCH_URL: api.url, DEFAULT_MODEL: 'org/usual', DEFAULT_TEMPERATURE: '0.2' }
  const asked = async (...more: string[]) => {
    expect((await runBench(['run', '-b', 'mmlu_pro', ...more], env)).code).toBe(0)
    return started().at(-1)!.body
  }
  expect(await asked()).toMatchObject({ model_id: 'org/usual', temperature: 0.2 })
  expect(await asked('-m', 'org/other', '--temperature', '1')).toMatchObject({ model_id: 'org/other', temperature: 1 })
  const wrong = await runBench(['run', '-b', 'mmlu_pro'], { ...env, DEFAULT_TEMPERATURE: 'warm' })
  expect([wrong.code, wrong.err.join()]).toEqual([2, expect.stringContaining('DEFAULT_TEMPERATURE is to be a number')])
})
