import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { readAccess } from '../access-config.ts'
import { openApp } from '../testing/call-app.ts'
import { exampleBundle, openPredecessorStage, type Stage, sendLine } from '../testing/predecessor-stage.ts'
import { openSignIn } from '../testing/sign-in-stage.ts'

const page = readFileSync(join(import.meta.dirname, '../../docs/predecessors.md'), 'utf8')
const unknown = '00000000-0000-0000-0000-000000000000'
const run = (fields: string) =>
  `curl -X POST URL/api/runs -H "Content-Type: application/json" -d '{"model_id": "${unknown}", "selected_benchmarks": ["mmlu_pro"], ${fields}}'`
const badFormat = `curl "URL/api/runs/${unknown}/export?format=invalid"`

/** A test of the predecessor: its line, the statuses that it accepts, and a field that it reads. `row`: why it fails here. */
type Line = { line: string; accepts: readonly number[]; has?: string; row?: string }
const lines: readonly Line[] = [
  // test_api.py
  { line: 'curl URL/api/health', accepts: [200], has: 'status' },
  { line: 'curl URL/', accepts: [200], has: 'version', row: '`GET /`' },
  { line: 'curl URL/api/models', accepts: [200], has: 'total', row: '`models` of a new service' },
  { line: 'curl URL/api/benchmarks', accepts: [200], has: 'benchmarks' },
  { line: run('"subset_pct": 10'), accepts: [404] },
  { line: `curl URL/api/runs/${unknown}`, accepts: [404] },
  { line: 'curl URL/api/runs', accepts: [200], has: 'runs' },
  { line: `curl -X POST URL/api/runs/${unknown}/cancel`, accepts: [400], row: 'cancel of an unknown run' },
  { line: `curl URL/api/runs/${unknown}/export`, accepts: [404] },
  { line: 'curl -X POST URL/api/admin/sync-models -H "X-Admin-Secret: wrong"', accepts: [200, 401, 500] },
  { line: run('"subset_pct": 0'), accepts: [422] },
  { line: badFormat, accepts: [422], row: 'a bad export format of an unknown run' },
  // test_integration.py
  { line: 'curl URL/api/health', accepts: [200], has: 'status' },
  { line: 'curl URL/', accepts: [200], has: 'docs', row: '`GET /`' },
  { line: 'curl "URL/api/models?limit=10"', accepts: [200], has: 'models' },
  { line: 'curl "URL/api/models?limit=1"', accepts: [200], has: 'models' },
  { line: 'curl URL/api/benchmarks', accepts: [200], has: 'benchmarks', row: 'number of benchmarks' },
  { line: 'curl URL/api/benchmarks', accepts: [200], has: 'benchmarks' },
  { line: 'curl URL/api/runs', accepts: [200], has: 'runs' },
  { line: `curl URL/api/runs/${unknown}`, accepts: [404] },
  { line: run('"subset_pct": 10'), accepts: [404] },
  { line: 'curl URL/api/auth/status', accepts: [200], has: 'authenticated' },
  { line: 'curl URL/api/auth/login', accepts: [302, 307] },
  { line: 'curl -X OPTIONS URL/api/models', accepts: [200], row: 'preflight requests' },
  { line: badFormat, accepts: [422], row: 'a bad export format of an unknown run' },
  { line: `curl "URL/api/runs/${unknown}/export?format=csv"`, accepts: [404] },
]
/** Rows whose difference is in the body or in the environment of a test, not in a status that the stage answers. */
const otherwise = ['`GET /`', '`models` of a new service', 'number of benchmarks', 'preflight requests']

let stage: Stage
beforeAll(async () => {
  stage = await openPredecessorStage(await exampleBundle())
})

test('[LINE18] of the 26 HTTP tests of the predecessor 18 pass, and the other eight are rows of the table', async () => {
  expect([lines.length, lines.filter(({ row }) => row === undefined).length]).toEqual([26, 18])
  for (const { row } of lines) if (row) expect(page).toContain(`\n| ${row} |`)
  for (const { line, accepts, has, row } of lines) {
    if (line.includes('/api/auth/login') || otherwise.includes(row!)) continue
    const { status, json } = await sendLine(line, stage)
    expect([line, accepts.includes(status)]).toEqual([line, row === undefined])
    if (has && row === undefined) expect(json).toHaveProperty(has)
  }
})

test('[LINE18] the tests whose difference is no status: login, the start page and preflight', async () => {
  const login = await openSignIn().call('GET', '/api/auth/login')
  expect([302, 307]).toContain(login.status)
  const ui = 'https://ui.example'
  const { call } = openApp({ config: { access: readAccess({ CORS_ORIGINS: ui }) } })
  const preflight = await call('OPTIONS', '/api/models', { headers: { origin: ui, 'access-control-request-method': 'GET' } })
  expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, ui])
})
