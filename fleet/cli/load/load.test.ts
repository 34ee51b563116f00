import { expect, test } from 'vitest'
import { openLoopbackServer } from '#fleet/dataset/loopback-server.ts'
import { runBench } from '../fixture-api.ts'
import { loadText, stepFigures } from './load-text.ts'

const run_id = '11111111-1111-4111-8111-111111111111'
type Fault = (path: string, times: number) => { status: number; headers?: Record<string, string> } | undefined

/** A service that takes tasks and ends each at the second look. `fault` answers in its place. */
async function openService(fault: Fault = () => undefined) {
  const asked: string[] = []
  const looks = new Map<string, number>()
  let tasks = 0
  const server = await openLoopbackServer(async (path, response, request) => {
    const call = `${request.method} ${path}`
    asked.push(call)
    for await (const _ of request);
    const reply = (status: number, body: object, headers: Record<string, string> = {}) =>
      void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
    const broken = fault(call, asked.filter((one) => one === call).length)
    if (broken) return reply(broken.status, {}, broken.headers)
    if (path === '/sample-tasks/count-lines.zip') return void response.writeHead(200).end('PK')
    if (call === 'POST /api/tasks') return reply(200, { id: `t${++tasks}` })
    if (path.endsWith('/execute-async')) return reply(200, { runs_queued: 10, run_id })
    if (request.method === 'DELETE') return reply(200, { success: true })
    looks.set(path, (looks.get(path) ?? 0) + 1)
    const ended = looks.get(path)! > 1
    reply(200, { status: ended ? 'completed' : 'running', total_runs: 10, passed_runs: ended ? 9 : 1, failed_runs: ended ? 1 : 0 })
  })
  return { ...server, asked, url: server.origin }
}
const bench = (url: string, ...args: string[]) => runBench(['load', ...args], { BENCH_URL: url, BENCH_API_KEY: 'cbr_test' })

test('[LINE12] each user uploads, executes, polls and deletes its tasks, and a table tells of every kind of request', async () => {
  await using service = await openService()
  const { code, out } = await bench(service.url, '--users', '25', '--episodes', '10')
  expect(code).toBe(0)
  const calls = Map.groupBy(service.asked, (call) => call.replace(/t\d+/, 'T'))
  expect([...calls].map(([call, all]) => [call, all.length])).toEqual([
    ['GET /sample-tasks/count-lines.zip', 1],
    ['POST /api/tasks', 25],
    ['POST /api/tasks/T/execute-async', 25],
    ['GET /api/tasks/T', 50],
    ['DELETE /api/tasks/T', 25],
  ])
  expect(out.map((line) => line.split(/\s+/).slice(0, 4).join(' ')).slice(0, 5)).toEqual([
    'request sent waited failed',
    'upload 25 0 0',
    'execute 25 0 0',
    'poll 50 0 0',
    'delete 25 0 0',
  ])
  expect(out.join()).toContain('200 × 50')
  expect(out.at(-1)).toMatch(/^250 episodes: 225 passed, 25 failed, 0 open after /)
})

test('[LINE12] 429 is waited for and sent again; a request that fails ends its task and the exit code is 1', async () => {
  await using busy = await openService((call, times) =>
    call === 'POST /api/tasks' && times === 1 ? { status: 429, headers: { 'retry-after': '2' } } : undefined,
  )
  const waited = await bench(busy.url, '--users', '1', '--json')
  expect([waited.code, waited.pauses[0]]).toEqual([0, 2000])
  expect(JSON.parse(waited.out[0]!)).toMatchObject({ step: 'upload', sent: 2, waited: 1, failed: 0, statuses: { 200: 1, 429: 1 } })
  await using broken = await openService((call) => (call.endsWith('/execute-async') ? { status: 500 } : undefined))
  const failed = await bench(broken.url, '--users', '2', '--json')
  expect(failed.code).toBe(1)
  const lines = failed.out.map((line) => JSON.parse(line))
  expect(lines.find(({ step }) => step === 'execute')).toMatchObject({ failed: 2, statuses: { 500: 2 } })
  expect(lines.at(-1)).toMatchObject({ type: 'load', clean: false, episodes: { asked: 0, open: 0 } })
})

test('[LINE12] what has not ended in time is open, and its task stays', async () => {
  await using slow = await openService((call) => (call.startsWith('GET /api/tasks/') ? { status: 503 } : undefined))
  const { code, out } = await bench(slow.url, '--users', '1', '--episodes', '10', '--most', '30')
  expect(code).toBe(1)
  expect(out.join('\n')).toMatch(/10 episodes: 0 passed, 0 failed, 10 open.*\nTasks left in the service: t1/)
})

test('[LINE12] a load is bounded, and figures are those of the requests', async () => {
  expect((await bench('http://127.0.0.1:9', '--users', '200', '--tasks', '2', '--episodes', '100')).code).toBe(2)
  const sent = [1, 2, 3, 4].map((n) => ({ step: 'poll' as const, status: n === 4 ? null : 200, took_ms: n * 1000 }))
  expect(stepFigures(sent)).toEqual([
    {
      ...{ step: 'poll', sent: 4, waited: 0, failed: 1, statuses: { 200: 3, 'no answer': 1 } },
      ...{ p50_ms: 2000, p90_ms: 4000, p99_ms: 4000, max_ms: 4000 },
    },
  ])
  const report = { sent, episodes: { asked: 1, passed: 1, failed: 0, open: 0 }, left: [], took_ms: 2000 }
  expect(loadText(report, null).at(-1)).toBe('1 episodes: 1 passed, 0 failed, 0 open after 2 s, 0.50 a second')
})
