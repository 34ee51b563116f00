import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import {
  type Answer,
  exampleHead,
  exampleRun,
  exampleRunId,
  type FixtureApi,
  json,
  openFixtureApi,
  runBench,
  sse,
  streamed,
} from './fixture-api.ts'

let api: FixtureApi
beforeEach(async () => {
  api = await openFixtureApi()
  api.on(`GET /api/runs/${exampleRunId}`, json(exampleRun()))
})
afterEach(() => api[Symbol.asyncDispose]())

const bench = (...args: string[]) => runBench(args, { BENCH_URL: api.url })
const events = `GET /api/runs/${exampleRunId}/events`
const snapshot = { event_type: 'snapshot', head: exampleHead('running', 1, { right: 0, wrong: 0, failed: 0 }) }
const ended = { status: 'succeeded', overall_score: 0.75, completed_benchmarks: 1 }

test('[CLI14] bench budget sets or lifts the budget, and takes nothing that is no amount', async () => {
  const run = exampleRun()
  api.on(`PATCH /api/runs/${exampleRunId}`, ({ body }, response) =>
    json({ ...run, head: { ...run.head, budget_usd: (body as { budget_usd: number | null }).budget_usd } })({} as never, response, 1),
  )
  expect((await bench('budget', exampleRunId, '2.5')).out[0]).toMatch(/^The budget is now \$2\.50; the run is /)
  expect((await bench('budget', exampleRunId, 'none')).out[0]).toContain('no budget any more')
  expect(api.asked.filter((one) => one.method === 'PATCH').map((one) => one.body)).toEqual([{ budget_usd: 2.5 }, { budget_usd: null }])
  for (const text of ['much', '-1', '1e9x']) expect((await bench('budget', exampleRunId, '--', text)).code).toBe(2)
})

test('[CLI430] bench share changes who may read a run and says who that is; bench run says it of the run it started', async () => {
  const run = exampleRun()
  api.on(`PATCH /api/runs/${exampleRunId}`, ({ body }, response) => {
    const { visibility } = body as { visibility: string }
    json({ ...run, visibility, spec: { ...run.spec, visibility } })({} as never, response, 1)
  })
  expect((await bench('share', exampleRunId, 'private')).out).toEqual(['private: read by its owner and the operator'])
  const linked = await bench('share', exampleRunId, 'link')
  expect([linked.out[0], linked.err.at(-1)]).toEqual([
    'link: read by everybody who has its address',
    expect.stringContaining(`/runs/${exampleRunId}`),
  ])
  expect(JSON.parse((await bench('share', exampleRunId, 'public', '--json')).out[0]!)).toEqual({
    run_id: exampleRunId,
    visibility: 'public',
  })
  for (const who of ['all', '']) expect((await bench('share', exampleRunId, who)).code).toBe(2)
  expect(api.asked.filter((one) => one.method === 'PATCH')).toHaveLength(3)
})

const down = {
  agents: { joined: 1, preparing: 0, leaving: 0, silent: 0, silent_ms: null, held: 0, freed_in_ms: null },
  models: [
    {
      ...{ provider: 'openai', model: 'm', in_flight: 0, waiting: 32, hold: 'circuit', next_try_ms: 12_000, attempt: 3, attempts: 5 },
      ...{ failed: 20, failure: { reason: 'overloaded', status: 503, detail: 'no \u001b[2Jcapacity' }, slowest: null },
    },
  ],
}

test('[CLI95] watching tells what holds a run up, in a sentence and with --json as a line of its own', async () => {
  api.on(events, (asked, response) => {
    expect(asked.query.get('pulse')).toBe('1')
    const pulse = `event: pulse\ndata: ${JSON.stringify({ event_type: 'pulse', pulse: down })}\n\n`
    response.write(sse(snapshot))
    response.end(pulse + sse(streamed(2, 'run_completed', ended)))
  })
  const { progress } = await runBench(['watch', exampleRunId], { BENCH_URL: api.url }, { interactive: true })
  expect(progress.join('\n')).toContain('The provider openai answers 503: 32 trials wait')
  const { out } = await bench('watch', exampleRunId, '--json')
  expect(out.map((line) => JSON.parse(line).type)).toEqual(['pulse', 'event', 'done'])
  api.on(`GET /api/runs/${exampleRunId}`, json({ ...exampleRun('running'), pulse: down }))
  expect((await bench('show', exampleRunId)).out.join('\n')).toContain('provider openai answers 503: 32 trials wait')
})

test('[CLI96] bench agents tells how each agent is, and ends with exit code 1 when none could take work', async () => {
  const agent = { session: null, host: null, version: '1', capabilities: ['llm'], slots: 8, free_slots: 8, running: 0, draining: false }
  const times = { first_seen: '2026-01-01T00:00:00.000Z', last_seen: '2026-01-01T00:02:00.000Z' }
  const frozen = { ...agent, ...times, agent_id: 'frozen', connected: true, silent: true, last_seen: '2026-01-01T00:00:40.000Z' }
  const well = { ...agent, ...times, agent_id: 'well', connected: true, silent: false }
  const at =
    (agents: unknown[]): Answer =>
    (asked, response, times) => {
      response.setHeader('date', 'Thu, 01 Jan 2026 00:02:00 GMT')
      json({ agents, runs: [] })(asked, response, times)
    }
  api.on('GET /api/agents', at([well, frozen]))
  const { code, out } = await bench('agents')
  expect([code, out.length]).toEqual([0, 3])
  expect(out[1]).toMatch(/^well +idle +0 of 8 +now/)
  expect(out[2]).toMatch(/^frozen +silent +0 of 8 +1 min 20 s ago/)
  api.on('GET /api/agents', at([frozen]))
  expect((await bench('agents')).out[1]).toMatch(/^frozen +silent +0 of 8 +1 min 20 s ago/)
  expect((await bench('agents', '--json')).code).toBe(1)
})

test('[UI91] a run that has not begun says what it waits for, and its watching says when nobody can be heard', async () => {
  const silent = {
    maintenance_mode: false,
    message: '',
    version: '1',
    agents: 0,
    silent_agents: 1,
    free_slots: 0,
    local: true,
    demo: false,
  }
  api.on('GET /api/status', json(silent))
  api.on(`GET /api/runs/${exampleRunId}`, json(exampleRun('queued')))
  api.on(`GET /api/runs/${exampleRunId}/pending`, json({ agents: 0, silent_agents: 1, given: 0, reasons: [] }))
  expect((await bench('show', exampleRunId)).out.join('\n')).toContain('the only one has not been heard for 15 s or longer')
  api.on(events, (_, response) => void response.end(sse(snapshot) + sse(streamed(2, 'run_completed', ended))))
  expect((await bench('watch', exampleRunId)).err.join('\n')).toContain('the only one has not been heard')
  api.on(`GET /api/runs/${exampleRunId}`, json(exampleRun('running')))
  expect((await bench('show', exampleRunId)).out.join('\n')).not.toContain('waits for an agent')
})

test('[UI91] the watching of a run that no agent works on asks again for what it waits', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  let end = () => undefined as unknown
  api.on(`GET /api/runs/${exampleRunId}`, json(exampleRun('queued')))
  api.on(events, (_, response) => {
    response
      .writeHead(200, { 'content-type': 'text/event-stream' })
      .write(sse({ ...snapshot, head: exampleHead('queued', 1, { right: 0, wrong: 0, failed: 0 }) }))
    end = () => response.end(sse(streamed(10, 'run_completed', ended)))
  })
  api.on(`GET /api/runs/${exampleRunId}/pending`, (asked, response, count) => {
    json({ agents: count > 1 ? 0 : 1, silent_agents: count > 1 ? 1 : 0, given: 0, reasons: [] })(asked, response, count)
    if (count > 3) end()
  })
  const watched = runBench(['watch', exampleRunId], { BENCH_URL: api.url }, { interactive: true, columns: 120 })
  const asked = () => api.asked.filter(({ path }) => path.endsWith('/pending')).length
  const lookAgain = () => {
    vi.advanceTimersByTime(3000)
    expect(asked()).toBeGreaterThan(3)
  }
  await vi.waitFor(lookAgain, { interval: 20, timeout: 50_000 })
  const { progress } = await watched
  expect(progress).toContain('0/5 · The run waits for an agent: the only one has not been heard for 15 s or longer.')
})
