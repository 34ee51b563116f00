import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test, vi } from 'vitest'
import { healthPath, openHealthFile } from '#fleet/agent-health.ts'
import { programVersion } from '#fleet/program.ts'
import { commands } from './commands.ts'
import { exampleRun, exampleRunId, json, openFixtureApi, problem, runBench } from './fixture-api.ts'

test('[CLI4] bench --help lists every command', async () => {
  const { code, out } = await runBench(['--help'])
  expect(code).toBe(0)
  for (const name of Object.keys(commands)) expect(out.join('\n')).toMatch(new RegExp(`^  ${name}[| ]`, 'm'))
})

test.each(Object.keys(commands))('[CLI4] bench %s --help explains options and gives examples', async (name) => {
  const { code, out, err } = await runBench([name, '--help'])
  const text = out.join('\n')
  expect({ code, err }).toEqual({ code: 0, err: [] })
  for (const part of [`bench ${name}`, '--json', 'Examples']) expect(text).toContain(part)
})

test('[CLI4] the program itself runs', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [join(import.meta.dirname, 'bench.mjs'), '--help'])
  expect(stdout).toContain('Usage: bench COMMAND')
})

test.each([
  ['an unknown command', ['dance'], "Unknown command 'dance'"],
  ['an unknown option', ['list', '--frob'], "Unknown option '--frob'"],
  ['a missing argument', ['show'], "Missing required argument 'RUN'"],
  ['an argument too many', ['cancel', 'last', 'again'], 'Expected 1 argument but got 2'],
  ['a missing option', ['run', '--model', 'm'], '--benchmark: is needed'],
  ['a number out of range', ['run', '-m', 'm', '-b', 'x', '--limit', '0'], '--limit: must be at least 1'],
  ['a word for a number', ['list', '--limit', 'many'], '--limit: must be a number'],
  ['two ways to say how much', ['run', '-m', 'm', '-b', 'x', '--limit', '5', '--subset', '5%'], 'not both'],
  ['a percentage over 100', ['plan', '-m', 'm', '-b', 'x', '--subset', '101%'], '--subset: must be at most 100%'],
  ['benchmarks and a suite', ['run', '-m', 'm', '-b', 'x', '--suite', 'default'], 'not both'],
  ['two arguments in place of one', ['run', '-m', 'm', '-b', 'x', 'y'], 'Expected 0 arguments'],
  ['another choice', ['run', '-m', 'm', '-b', 'x', '--data', 'mine'], 'Allowed choices are auto, pinned, sample, override'],
])('[CLI5] %s is a usage error: exit code 2, nothing on stdout', async (_, args, sentence) => {
  const { code, out, err } = await runBench(args)
  expect({ code, out }).toEqual({ code: 2, out: [] })
  expect(err.join('\n')).toContain(sentence)
})

test('[CLI6] an error of the service says what happened and who must act', async () => {
  await using api = await openFixtureApi()
  const route = `GET /api/runs/${exampleRunId}`
  api.on(route, problem(401, 'unauthorized', 'Send a key.'))
  const refused = await runBench(['show', exampleRunId], { BENCH_URL: api.url })
  expect(refused.code).toBe(1)
  expect(refused.err.join()).toBe(
    'It did not work: Send a key.\nSet BENCH_API_KEY to a key of this service (cbr_…) or to your Chutes key (cpk_…).',
  )
  const wrong = await runBench(['show', exampleRunId], { BENCH_URL: api.url, BENCH_API_KEY: 'cbr_wrong' })
  expect(wrong.err.join()).toBe('It did not work: Send a key.\nThe key that was sent is the one in BENCH_API_KEY.')
  api.on(route, problem(404, 'model-not-found', 'There is no model "x".'))
  expect((await runBench(['show', exampleRunId], { BENCH_URL: api.url })).err.join()).toContain('bench models')
  api.on(route, problem(503, 'maintenance', 'Paused.', { 'retry-after': '300' }))
  expect((await runBench(['show', exampleRunId], { BENCH_URL: api.url })).err.join()).toContain('Try again in 300 s.')
  api.on(route, problem(500, 'internal', 'Request abc.'))
  expect((await runBench(['show', exampleRunId], { BENCH_URL: api.url })).err.join()).toContain('operator')
  const errors = [
    { pointer: '/epochs', message: 'too big' },
    { pointer: '/seed', message: 'too \u001b[31mlong' },
  ]
  api.on(route, problem(422, 'validation', '/epochs: too big', {}, errors))
  expect((await runBench(['show', exampleRunId], { BENCH_URL: api.url })).err.join()).toContain('/seed: too long')
})

test('[CLI6] a service that is not there is said to be so', async () => {
  const api = await openFixtureApi()
  await api[Symbol.asyncDispose]()
  const { code, err } = await runBench(['list', '--url', api.url])
  expect(code).toBe(1)
  expect(err.join()).toMatch(/Nothing answers at .* \(ECONNREFUSED\)\. Start it here with "npm start"/)
  // A port that fetch itself refuses has no code of the system.
  expect((await runBench(['list', '--url', 'http://127.0.0.1:1'])).err.join()).toContain('Nothing answers at http://127.0.0.1:1 (bad port)')
})

test('[CLI6] a list in which nothing fits is said to be so', async () => {
  await using api = await openFixtureApi()
  api.on('GET /api/models', json({ models: [], total: 0 }))
  expect(await runBench(['models', '--provider', 'nosuch'], { BENCH_URL: api.url })).toMatchObject({ code: 0, out: ['No model fits.'] })
  expect((await runBench(['models'], { BENCH_URL: api.url })).out).toEqual([expect.stringContaining('knows no model')])
  api.on('GET /api/runs', json({ runs: [], total: 0 }))
  expect(await runBench(['list', '--state', 'failed'], { BENCH_URL: api.url })).toMatchObject({ code: 0, out: ['No run fits.'] })
})

test('[CLI6] an answer that is not ours is an error, not a crash', async () => {
  await using api = await openFixtureApi()
  api.on('GET /api/runs', (_, response) => void response.end('<html>'))
  const { code, err } = await runBench(['list'], { BENCH_URL: api.url })
  expect(code).toBe(1)
  expect(err.join()).toContain('does not understand')
})

test('[CLI7] with --json an error is a JSON line on stdout as well', async () => {
  await using api = await openFixtureApi()
  const { code, out } = await runBench(['show', exampleRunId, '--json'], { BENCH_URL: api.url })
  expect(code).toBe(1)
  expect(out.map((line) => JSON.parse(line))).toEqual([expect.objectContaining({ type: 'error', code: 'not-found', status: 404 })])
})

test('[CLI86] without --url and BENCH_URL the service of this machine is asked, at PORT', async () => {
  await using api = await openFixtureApi()
  api.on('GET /api/runs', json({ runs: [], total: 0 }))
  expect((await runBench(['list'], { PORT: new URL(api.url).port })).code).toBe(0)
  expect((await runBench(['list'], { PORT: '1' })).err.join()).toContain('http://127.0.0.1:1 ')
})

test('[CLI8] BENCH_API_KEY is sent as a bearer, and nothing when there is none', async () => {
  await using api = await openFixtureApi()
  api.on('GET /api/runs', json({ runs: [exampleRun()], total: 1 }))
  await runBench(['list'], { BENCH_URL: api.url, BENCH_API_KEY: 'cbr_1' })
  await runBench(['list'], { BENCH_URL: api.url })
  expect(api.asked.map((one) => one.headers.authorization)).toEqual(['Bearer cbr_1', undefined])
})

test.each([
  ['a model', ['run', '-m', '', '-b', 'mmlu_pro'], '--model is empty.'],
  ['a model of blanks', ['run', '-m', '  ', '-b', 'mmlu_pro'], '--model is empty.'],
  ['a benchmark, as an unset variable gives it', ['run', '-m', 'm', '-b', ''], '--benchmark is empty.'],
  ['benchmarks', ['run', '-m', 'm', '-b', ','], '--benchmark: names nothing'],
  ['one of two benchmarks', ['run', '-m', 'm', '-b', 'ifeval', '-b', ''], '--benchmark is empty.'],
  ['benchmarks to score again', ['rescore', 'last', '-b', ','], '--benchmark: names nothing'],
  ['a number', ['plan', '-m', 'm', '-b', 'x', '--limit', ''], '--limit is empty.'],
  ['a choice', ['list', '--state', ''], '--state is empty.'],
  ['an address', ['list', '--url', ''], '--url is empty.'],
  ['a run', ['cancel', ''], 'RUN is empty.'],
  ['an item', ['show', 'last', 'mmlu_pro', ' '], 'ITEM is empty.'],
  [
    'a model that the shell dropped',
    ['run', '-m', '-b', 'mmlu_pro'],
    'has no value: -b follows. A value of that name is written --model=-b.',
  ],
  ['the same by an alias and long names', ['ls', '--state', '--url', 'http://x'], 'has no value: --url follows.'],
])('[CLI80] %s that is empty is a usage error, and nothing is asked', async (_, args, sentence) => {
  await using api = await openFixtureApi()
  const { code, out, err } = await runBench(args, { BENCH_URL: api.url })
  expect({ code, out, asked: api.asked }).toEqual({ code: 2, out: [], asked: [] })
  expect(err.join('\n')).toContain(sentence)
})

test.each([
  [['ruin'], '(Did you mean run?)'],
  [['run', '--modle', 'm'], '(Did you mean --model?)'],
  [['list', '--sate', 'running'], '(Did you mean --state?)'],
])('[CLI81] %j is answered with what was probably meant', async (args, suggestion) => {
  expect((await runBench(args)).err.join('\n')).toContain(suggestion)
})

test('[CLI82] shells complete commands, options and their choices', async () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined)
  onTestFinished(() => log.mockRestore())
  // The completion library writes to the console itself.
  const inProcess = async (...args: string[]): Promise<string> => {
    log.mockClear()
    await runBench(args)
    return log.mock.calls.flat().join('\n')
  }
  const [bash, zsh, fish] = [
    await inProcess('completion', 'bash'),
    await inProcess('completion', 'zsh'),
    await inProcess('completion', 'fish'),
  ]
  const names = (text: string) => text.split('\n').map((one) => one.split('\t')[0])
  const options = names(await inProcess('complete', '--', 'run', '--bench'))
  const states = names(await inProcess('complete', '--', 'list', '--state', 'f'))
  // A shell starts a process.
  const called = await promisify(execFile)(process.execPath, [join(import.meta.dirname, 'bench.mjs'), 'complete', '--', ''])
  for (const script of [bash, zsh, fish]) expect(script).toContain('bench complete --')
  expect(names(called.stdout)).toEqual(expect.arrayContaining(Object.keys(commands)))
  expect(options).toContain('--benchmark')
  expect(states).toContain('failed')
})

test('[CLI83] bench --version says which version this is', async () => {
  expect(await runBench(['--version'])).toMatchObject({ code: 0, out: [programVersion()], err: [] })
  expect(programVersion()).toMatch(/^\d+\.\d+\.\d+/)
})

test.each([
  ['a usage error', ['run', '--json', '-m', 'm', '-b', ','], 2, 'usage'],
  ['an unknown option', ['list', '--frob', '--json'], 2, 'usage'],
  ['a run that has no id', ['show', 'nonsense', '--json'], 1, 'run-not-found'],
])('[CLI7] with --json %s is one JSON line on stdout and a sentence on stderr', async (_, args, exit, type) => {
  const { code, out, err } = await runBench(args)
  expect(code).toBe(exit)
  expect(out.map((line) => JSON.parse(line))).toEqual([{ type: 'error', code: type, status: null, message: expect.stringMatching(/\w/) }])
  expect(err.join()).not.toMatch(/^\{/)
})

test('[CLI85] what the program itself gets wrong is told in a sentence, with its stack only for BENCH_DEBUG', async () => {
  const broken = { BENCH_URL: 'http://127.0.0.1:9' }
  const nonsense = () => {
    throw new TypeError('no such thing\n    at nowhere')
  }
  const env = (debug: string | undefined) => Object.defineProperty({ ...broken, BENCH_DEBUG: debug }, 'BENCH_API_KEY', { get: nonsense })
  const quiet = await runBench(['list'], env(undefined))
  expect(quiet.code).toBe(1)
  expect(quiet.err.join('\n')).toMatch(/fault of this program: TypeError: no such thing\n/)
  expect(quiet.err.join('\n')).not.toContain('    at ')
  expect((await runBench(['list'], env('1'))).err.join('\n')).toContain('    at ')
})

test.each([
  [{ BENCH_PROVIDERS: '[{"name":"x"}]' }, /^BENCH_PROVIDERS is not a list of providers \(0\.id: /],
  [
    { BENCH_PROVIDERS: '[{"id":"x","kind":"openai","base_url":"http://127.0.0.1:9/v1","api_key_env":"NONE"}]' },
    /from NONE, which is not set/,
  ],
  [{ CHUTES_API_KEY: 'cpk_1', CHUTES_RATE_LIMIT: 'many' }, /^CHUTES_RATE_LIMIT is "many"; it must be /],
])('[CLI85] a variable that does not fit is told as what it is: %o', async (env, said) => {
  const { code, err, out } = await runBench(['run', '--local', '-m', 'some-model', '-b', 'mmlu_pro', '--json'], env)
  expect([code, err.join('\n')]).toEqual([1, expect.stringMatching(said)])
  expect(err.join()).not.toContain('fault of this program')
  expect(out.map((line) => JSON.parse(line))).toEqual([
    { type: 'error', code: 'bad-setting', status: null, message: expect.stringMatching(said) },
  ])
})

test('[AGENT33] bench agent --health answers by exit code', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'bench-health-'))
  const health = () => runBench(['agent', '--health', '--name', 'box', '--data-dir', dir])
  expect(await health()).toMatchObject({ code: 1, out: ['not ok: no agent of this name runs here'] })
  openHealthFile(healthPath(dir, 'box'), 'http://edge', () => new Date()).write({ connected: true, running: 0, draining: false })
  expect(await health()).toMatchObject({ code: 0, out: ['ok: connected to http://edge, 0 trials in work'] })
  rmSync(dir, { recursive: true })
})
