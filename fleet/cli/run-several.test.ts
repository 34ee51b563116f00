import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { exampleRun, type FixtureApi, json, openFixtureApi, problem, runBench } from './fixture-api.ts'

const folder = mkdtempSync(join(tmpdir(), 'bench-several-'))
afterAll(() => rmSync(folder, { recursive: true }))
const idOf = (number: number): string => `00000000-0000-4000-8000-00000000000${number}`
const preview = {
  ...{
    trials: 1,
    benchmarks: [],
    detectable_pct: null,
    input_tokens: 1,
    output_tokens: 1,
    cost_usd: null,
    roles: {},
    minutes: null,
    notes: [],
  },
}
type Body = {
  model_id: string
  reasoning_effort?: string
  reasoning_budget_tokens?: number
  routing?: object
  name?: string
  subset_seed?: string
  sampling?: string
  agent?: object
}

let api: FixtureApi
beforeEach(async () => {
  api = await openFixtureApi()
  api.on('POST /api/runs/plan', json(preview))
  api.on('POST /api/runs', (asked, response, count) => json({ ...exampleRun('queued'), id: idOf(count) }, 201)(asked, response, count))
})
afterEach(() => api[Symbol.asyncDispose]())
const bodies = (path = '/api/runs') => api.asked.filter((one) => one.method === 'POST' && one.path === path).map(({ body }) => body as Body)
const bench = (...args: string[]) => runBench(['run', '-b', 'mmlu_pro', ...args], { BENCH_URL: api.url })

test('[LINE14] --agent gives the command of a preset; another command beside it is a usage error', async () => {
  await runBench(['run', '-b', 'terminal_tasks', '-m', 'a', '--agent', 'goose'], { BENCH_URL: api.url })
  expect(bodies()[0]!.agent).toMatchObject({
    command: expect.stringContaining('goose run'),
    install: expect.stringContaining('sha512sum -c'),
  })
  expect((await bench('-m', 'a', '--agent', 'goose', '--agent-command', 'true')).code).toBe(2)
  expect((await bench('-m', 'a', '--agent', 'nobody')).code).toBe(2)
})

test('[LINE8] --sampling legacy asks for the draw of the predecessor', async () => {
  await bench('-m', 'a', '--subset', '1%', '--seed', 's', '--sampling', 'legacy')
  await bench('-m', 'a')
  expect(bodies().map(({ sampling }) => sampling)).toEqual(['legacy', 'sha256'])
  expect((await bench('-m', 'a', '--sampling', 'other')).code).toBe(2)
})

test('[CLI163] several models and levels are a run each, alike in all else, and their ids come one a line', async () => {
  const { code, out, err } = await bench('-m', 'a', '-m', 'b', '--reasoning-effort', 'low', '--reasoning-effort', 'high', '--seed', 's')
  expect({ code, out }).toEqual({ code: 0, out: [1, 2, 3, 4].map(idOf) })
  expect(err[0]).toBe('4 runs: a, reasoning effort low; a, reasoning effort high; b, reasoning effort low; b, reasoning effort high')
  const told = bodies().map(({ model_id, reasoning_effort, name, subset_seed }) => [model_id, reasoning_effort, name, subset_seed])
  expect(told).toEqual([
    ['a', 'low', 'a · low', 's'],
    ['a', 'high', 'a · high', 's'],
    ['b', 'low', 'b · low', 's'],
    ['b', 'high', 'b · high', 's'],
  ])
  const keys = api.asked.flatMap(({ headers }) => headers['idempotency-key'] ?? [])
  expect(new Set(keys).size).toBe(4)
  const lines = (await bench('-m', 'a', '-m', 'b', '--name', 'both', '--json')).out.map((line) => JSON.parse(line))
  expect(lines).toMatchObject([{ type: 'run' }, { type: 'run' }])
  expect(bodies().slice(4)).toMatchObject([
    { model_id: 'a', name: 'both' },
    { model_id: 'b', name: 'both' },
  ])
  expect(await bench('-m', 'a', '-m', 'a')).toMatchObject({ code: 2, out: [] })
  expect(await bench()).toMatchObject({ code: 2, out: [] })
})

test('[CLI164] of several runs none begins where the service refuses one, and a dry run shows each', async () => {
  const dry = await bench('-m', 'a', '-m', 'b', '--dry-run')
  expect(dry.out.filter((line) => line.includes('run '))).toEqual([
    expect.stringContaining('run 1 of 2: a'),
    expect.stringContaining('run 2 of 2: b'),
  ])
  const lines = (await bench('-m', 'a', '-m', 'b', '--dry-run', '--json')).out.map((line) => JSON.parse(line))
  expect(lines).toMatchObject([
    { type: 'plan', model_id: 'a' },
    { type: 'plan', model_id: 'b' },
  ])
  api.on('POST /api/runs/plan', (asked, response, count) =>
    (count % 2 === 0 ? problem(404, 'model-not-found', 'There is no model "b".') : json(preview))(asked, response, count),
  )
  const refused = await bench('-m', 'a', '-m', 'b')
  expect({ code: refused.code, out: refused.out, err: refused.err.join() }).toMatchObject({
    code: 1,
    out: [],
    err: expect.stringContaining('There is no model "b"'),
  })
  expect(bodies()).toEqual([])
})

test('[PROV18] each budget is a run, like each level', async () => {
  const { code, err } = await bench('-m', 'a', '--reasoning-effort', 'low', '--thinking-budget', '1024', '--thinking-budget', '4096')
  expect({ code, first: err[0] }).toEqual({
    code: 0,
    first: '3 runs: a, reasoning effort low; a, reasoning budget 1024 tokens; a, reasoning budget 4096 tokens',
  })
  expect(bodies().map(({ reasoning_effort, reasoning_budget_tokens, name }) => [reasoning_effort, reasoning_budget_tokens, name])).toEqual([
    ['low', undefined, 'a · low'],
    [undefined, 1024, 'a · 1024 tokens'],
    [undefined, 4096, 'a · 4096 tokens'],
  ])
  for (const wrong of [
    ['--thinking-budget', '0'],
    ['--thinking-budget', 'x'],
    ['--thinking-budget', '1', '--thinking-budget', '1'],
  ])
    expect(await bench('-m', 'a', ...wrong)).toMatchObject({ code: 2, out: [] })
})

test('[PROV18] a sweep is a run at each level that the model takes; the others are told and not started', async () => {
  api.on('POST /api/runs/plan', (asked, response, count) => {
    const { reasoning_effort } = asked.body as Body
    const why = 'org/m takes these levels of reasoning.'
    const refused = problem(422, 'validation', why, {}, [{ pointer: '/reasoning_effort', message: why }])
    const taken = reasoning_effort === 'low' || reasoning_effort === 'high'
    return (taken ? json(preview) : refused)(asked, response, count)
  })
  const swept = await bench('-m', 'a', '--sweep-thinking')
  expect({ code: swept.code, out: swept.out }).toEqual({ code: 0, out: [1, 2].map(idOf) })
  expect(bodies().map(({ reasoning_effort }) => reasoning_effort)).toEqual(['low', 'high'])
  expect(swept.err.filter((line) => line.startsWith('left out: '))).toEqual([
    expect.stringContaining('a, reasoning effort none: '),
    expect.stringContaining('a, reasoning effort medium: '),
  ])
  expect((await bench('-m', 'a', '--reasoning-effort', 'low', '--reasoning-effort', 'none')).code).toBe(1)
  expect((await bench('-m', 'a', '--sweep-thinking', '--reasoning-effort', 'low')).code).toBe(2)
  expect(bodies()).toHaveLength(2)
})

test('[PROV18] a sweep that finds no level, or is refused for something else, starts nothing', async () => {
  for (const [pointer, asked] of [
    ['/reasoning_effort', 4],
    ['/model_id', 1],
  ] as const) {
    const before = bodies('/api/runs/plan').length
    api.on('POST /api/runs/plan', problem(422, 'validation', 'It does not reason.', {}, [{ pointer, message: 'no' }]))
    expect(await bench('-m', 'a', '--sweep-thinking')).toMatchObject({ code: 1, out: [] })
    expect(bodies('/api/runs/plan').length - before).toBe(asked)
  }
  expect(bodies()).toEqual([])
})

test('[PROV18] routing is given wish by wish', async () => {
  const wishes = ['order=deepinfra, together', 'allow_fallbacks=false', 'sort=price', 'max_price.prompt=0.5', 'max_price.completion=2']
  expect((await bench('-m', 'a', ...wishes.flatMap((one) => ['--routing', one]))).code).toBe(0)
  expect(bodies()[0]!.routing).toEqual({
    ...{ order: ['deepinfra', 'together'], allow_fallbacks: false, sort: 'price', max_price: { prompt: 0.5, completion: 2 } },
  })
  for (const wrong of [['order'], ['order=a', 'order=b'], ['luck=1'], ['sort=luck'], ['order=,']])
    expect([wrong, (await bench('-m', 'a', ...wrong.flatMap((one) => ['--routing', one]))).code]).toEqual([wrong, 2])
})

test('[CLI165] waiting follows every run to its end and says which; exit code 0 only when all succeeded', async () => {
  const end = (status: 'succeeded' | 'failed', number: number) => {
    api.on(`GET /api/runs/${idOf(number)}`, json({ ...exampleRun(status), id: idOf(number) }))
    api.on(`GET /api/runs/${idOf(number)}/events`, (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end('event: done\ndata: {}\n\n')
    })
  }
  for (const number of [1, 2]) end('succeeded', number)
  const good = await bench('-m', 'a', '-m', 'b', '--wait')
  expect(good.code).toBe(0)
  expect(good.err.filter((line) => line.startsWith('run '))).toEqual([`run 1 of 2: ${idOf(1)}`, `run 2 of 2: ${idOf(2)}`])
  end('failed', 3)
  end('succeeded', 4)
  const bad = await bench('-m', 'a', '-m', 'b', '--wait', '--json')
  expect(bad.code).toBe(1)
  expect(bad.out.map((line) => JSON.parse(line).type)).toEqual(['run', 'run', 'done', 'done'])
})

test('[CLI163] on this machine several runs go one after the other, each with its own folder', async () => {
  const nowhere = 'http://127.0.0.1:9'
  const env = { BENCH_DATA: join(folder, 'data'), HF_ENDPOINT: nowhere, GITHUB_RAW_ENDPOINT: nowhere, GITHUB_ARCHIVE_ENDPOINT: nowhere }
  const sample = [
    'run',
    '--local',
    '-b',
    'mmlu_pro',
    '--limit',
    '3',
    '-k',
    '3',
    '--profile',
    'builtin',
    '--data',
    'sample',
    '--out',
    join(folder, 'out'),
  ]
  const replayed = ['--response-text', 'The answer is (A).', '-m', 'first', '-m', 'second', '--json']
  const { code, out } = await runBench([...sample, ...replayed], env)
  const done = out.map((line) => JSON.parse(line)).filter(({ type }) => type === 'done')
  expect(code).toBe(0)
  expect(done.map(({ spec, head }) => [spec.model.slug, head.status, head.done])).toEqual([
    ['first', 'succeeded', 9],
    ['second', 'succeeded', 9],
  ])
  expect(readdirSync(join(folder, 'out')).filter((name) => name.includes('-')).length).toBeGreaterThanOrEqual(2)
})
