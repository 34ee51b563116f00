import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { commands } from './commands.ts'
import { exampleRun, exampleRunId, json, openFixtureApi, problem, runBench } from './fixture-api.ts'

test('[CLI4] bench --help lists every command', async () => {
  const { code, out } = await runBench(['--help'])
  expect(code).toBe(0)
  for (const name of Object.keys(commands)) expect(out.join('\n')).toMatch(new RegExp(`^  ${name} `, 'm'))
})

test.each(Object.keys(commands))('[CLI4] bench %s --help explains options and gives examples', async (name) => {
  const { code, out, err } = await runBench([name, '--help'])
  const text = out.join('\n')
  expect({ code, err }).toEqual({ code: 0, err: [] })
  for (const part of [`bench ${name}`, '--json', 'Examples']) expect(text).toContain(part)
})

test('[CLI4] the program itself runs', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [join(import.meta.dirname, 'bench.mjs'), '--help'])
  expect(stdout).toContain('bench COMMAND')
})

test.each([
  ['an unknown command', ['dance'], 'no command "dance"'],
  ['an unknown option', ['list', '--frob'], "Unknown option '--frob'"],
  ['a missing argument', ['show'], 'RUN is missing'],
  ['an argument too many', ['cancel', 'last', 'again'], '"again" is one argument too many'],
  ['a missing option', ['run', '--model', 'm'], '--benchmark: is needed'],
  ['a number out of range', ['run', '-m', 'm', '-b', 'x', '--limit', '0'], '--limit: must be at least 1'],
  ['a word for a number', ['list', '--limit', 'many'], '--limit: must be a number'],
  ['two ways to say how much', ['run', '-m', 'm', '-b', 'x', '--limit', '5', '--subset', '5%'], 'not both'],
  ['a preview of a local run', ['run', '--local', '--dry-run', '-b', 'x'], '--dry-run asks a service'],
  ['a percentage over 100', ['plan', '-m', 'm', '-b', 'x', '--subset', '101%'], '--subset: must be at most 100%'],
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

test('[CLI8] BENCH_API_KEY is sent as a bearer, and nothing when there is none', async () => {
  await using api = await openFixtureApi()
  api.on('GET /api/runs', json({ runs: [exampleRun()], total: 1 }))
  await runBench(['list'], { BENCH_URL: api.url, BENCH_API_KEY: 'cbr_1' })
  await runBench(['list'], { BENCH_URL: api.url })
  expect(api.asked.map((one) => one.headers.authorization)).toEqual(['Bearer cbr_1', undefined])
})
