import { expect, test } from 'vitest'
import { exampleBundle, openPredecessorStage, type Sent, sendLine } from '../testing/predecessor-stage.ts'

/** Lines of the predecessors' documents as they were printed, with this service for their host, and a status that their scripts take for success. */
const lines: readonly (readonly [line: string, status: number, check?: (sent: Sent) => void])[] = [
  // Chutes Bench Runner, README and INTERNAL
  ['curl URL/api/health', 200, ({ json }) => expect(json).toMatchObject({ status: 'healthy' })],
  ['curl URL/api/status', 200, ({ json }) => expect(json).toMatchObject({ maintenance_mode: false, message: expect.any(String) })],
  ['curl URL/api/models', 200, ({ json }) => expect(json).toMatchObject({ models: expect.any(Array), total: expect.any(Number) })],
  ['curl URL/api/benchmarks', 200, ({ json }) => expect(json).toMatchObject({ benchmarks: expect.any(Array) })],
  [
    `curl -X POST URL/api/runs -H "Content-Type: application/json" -d '{"model_id": "MODEL", "subset_pct": 1, "benchmark_names": ["mmlu_pro"]}'`,
    201,
    ({ json }) => expect(json).toMatchObject({ subset_pct: 1, selected_benchmarks: ['mmlu_pro'], status: 'queued' }),
  ],
  [
    `curl -X POST URL/api/runs/api -H "Authorization: Bearer CHUTES" -H "Content-Type: application/json" -d '{"model_id": "MODEL", "subset_pct": 5, "selected_benchmarks": ["mmlu_pro"]}'`,
    201,
    ({ json }) => expect(json).toMatchObject({ subset_pct: 5 }),
  ],
  [
    `curl -X POST URL/api/runs/api -H "Authorization: Bearer CHUTES" -H "Content-Type: application/json" -d '{"model_id": "MODEL", "benchmark_names": ["tau_bench_telecom"], "subset_count": 2}'`,
    201,
    ({ json }) => expect(json).toMatchObject({ selected_benchmarks: ['tau2_bench_telecom'] }),
  ],
  [
    'curl URL/api/runs/RUN',
    200,
    ({ json }) =>
      expect(json).toMatchObject({ benchmarks: [{ metrics: { total_items: 1000, correct: 2, accuracy: expect.any(Number) } }] }),
  ],
  ['curl "URL/api/runs?status=running"', 200, ({ json }) => expect(json).toEqual({ runs: [], total: 0 })],
  ['curl URL/api/runs/RUN/benchmarks/mmlu_pro', 200, ({ json }) => expect(json).toMatchObject({ summary: { total_items: 4 } })],
  [
    'curl -o results.csv "URL/api/runs/RUN/export?format=csv"',
    200,
    ({ text }) => expect(text.split('\n')[0]).toMatch(/^run_id,model_slug,subset_pct,/),
  ],
  [
    'curl -X POST URL/api/exports/verify -F "file=@results.zip"',
    200,
    ({ json }) => expect(json).toMatchObject({ errors: [], valid: true, hash_match: true }),
  ],
  ['curl URL/api/exports/public-key', 200, ({ json }) => expect(json).toMatchObject({ algorithm: 'ed25519' })],
  [
    'curl -X POST URL/api/admin/runs/CANCELED/requeue -H "X-Admin-Secret: ADMIN"',
    200,
    ({ json }) => expect(json).toMatchObject({ success: true }),
  ],
  ['curl URL/api/auth/status', 200, ({ json }) => expect(json).toMatchObject({ authenticated: false })],
  ['curl URL/openapi.json', 200],
  ['curl URL/redoc', 302],
  ['curl URL/api-docs', 302],
  // TBench Runner, README and scripts
  [
    'curl -X POST "URL/api/tasks?name=my-task&model=openrouter/openai/gpt-5.2&agent=terminus-2&num_runs=10" -F "file=@task.zip"',
    200,
    ({ json }) => expect(json).toMatchObject({ name: 'my-task', num_runs: 10, status: 'pending', total_runs: 0 }),
  ],
  [
    'curl -X POST "URL/api/tasks?name=mine&agent=claude-code" -F "file=@task.zip"',
    200,
    ({ json }) => expect(json).toMatchObject({ agent: 'claude-code' }),
  ],
  [
    'curl -X POST "URL/api/tasks?name=mine&agent=terminus-1" -F "file=@task.zip"',
    200,
    ({ json }) => expect(json).toMatchObject({ agent: 'terminus-1' }),
  ],
  [
    'curl -X POST URL/api/tasks/TASK/execute-async',
    200,
    ({ json }) => expect(json).toMatchObject({ runs_queued: 3, poll_url: expect.any(String) }),
  ],
  ['curl -X POST URL/api/tasks/TASK/execute-async -H "Content-Type: application/octet-stream"', 200],
  [
    'curl "URL/api/tasks?skip=0&limit=50"',
    200,
    ({ json }) => expect(json).toEqual(expect.arrayContaining([expect.objectContaining({ name: 'my-task' })])),
  ],
  ['curl URL/api/tasks/TASK', 200, ({ json }) => expect(json).toMatchObject({ runs: expect.any(Array), total_runs: 6 })],
  ['curl URL/api/tasks/TASK/runs', 200],
  ['curl URL/api/stats', 200, ({ json }) => expect(json).toMatchObject({ tasks: { total: 5 }, runs: { total: expect.any(Number) } })],
  ['curl -X DELETE URL/api/tasks/SPARE', 200],
]

test('[LINE16] every line that the predecessors printed gives what it gave', { timeout: 60_000 }, async () => {
  const stage = await openPredecessorStage(await exampleBundle())
  const answers: [string, number, string][] = []
  for (const [line, status, check] of lines) {
    const sent = await sendLine(line, stage)
    answers.push([line, sent.status, sent.status === status ? '' : sent.text])
    if (sent.status === status) check?.(sent)
  }
  expect(answers).toEqual(lines.map(([line, status]) => [line, status, '']))
})

test('[LINE16] the one line that is refused on purpose says how it is done', async () => {
  const stage = await openPredecessorStage(await exampleBundle())
  const line = 'curl -X POST "URL/api/tasks/TASK/execute-async?openrouter_api_key=sk-or-v1-0123456789abcdef&timeout_seconds=1200"'
  const { status, json } = await sendLine(line, stage)
  expect(status).toBe(422)
  expect(json).toMatchObject({ detail: expect.stringContaining('header') })
})
