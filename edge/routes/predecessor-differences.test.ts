import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { card as aime } from '#shared/benchmarks/aime_2025/card.ts'
import { cards } from '#shared/benchmarks/cards.ts'
import { card as ifbench } from '#shared/benchmarks/ifbench/card.ts'
import { card as ifeval } from '#shared/benchmarks/ifeval/card.ts'
import { CreateRun } from '#shared/contract/create-run.ts'
import { bundleLimits } from '#shared/export/bundle-limits.ts'
import { providerKinds } from '#shared/providers/provider.ts'
import { chutesKey } from '../testing/call-app.ts'
import { exampleBundle, openPredecessorStage, type Stage, sendLine } from '../testing/predecessor-stage.ts'

const page = readFileSync(join(import.meta.dirname, '../../docs/predecessors.md'), 'utf8')
const rows = page
  .slice(page.indexOf('## What still differs on purpose'))
  .split('\n')
  .filter((line) => /^\| (?!what \||---)/.test(line))
  .map((line) => line.slice(2, -2).split(' | '))

let stage: Stage
beforeAll(async () => {
  stage = await openPredecessorStage(await exampleBundle())
})
const status = async (line: string): Promise<number> => (await sendLine(line, stage)).status
/** As a visitor without a key. */
const strange = async (method: string, path: string, headers: Record<string, string> = {}, body?: string) =>
  (await stage.send(method, path, headers, body)).status
const json = { 'content-type': 'application/json' }
const unknown = '12345678-1234-4234-8234-123456789012'
const runs = '/api/runs'
const create = (fields: string) => `curl -X POST URL/api/runs -H "Content-Type: application/json" -d '{"model_id": "MODEL", ${fields}}'`

/** What shows a row to be true, by its first cell. */
const checks: Readonly<Record<string, () => Promise<void> | void>> = {
  '`POST /api/runs` without a key': async () =>
    expect(await strange('POST', runs, json, JSON.stringify({ model_id: 'm', selected_benchmarks: ['mmlu_pro'] }))).toBe(401),
  cancel: async () => expect(await strange('POST', `${runs}/${stage.names.RUN}/cancel`)).toBe(401),
  'cancel of an unknown run': async () => {
    expect(await strange('POST', `${runs}/${unknown}/cancel`)).toBe(401)
    expect(await status(`curl -X POST URL/api/runs/${unknown}/cancel`)).toBe(404)
  },
  'no benchmark named': async () => expect(await status(create('"subset_count": 1'))).toBe(422),
  'an unknown benchmark beside known ones': async () =>
    expect(await status(create('"selected_benchmarks": ["mmlu_pro", "nothing"]'))).toBe(422),
  'unknown fields in a body': async () => {
    const { json: told, ...sent } = await sendLine(create('"selected_benchmarks": ["mmlu_pro"], "budget": 1'), stage)
    expect([sent.status, told]).toEqual([422, expect.objectContaining({ errors: [expect.objectContaining({ pointer: '/budget' })] })])
  },
  'a key in an address': async () =>
    expect(await status(`curl -X POST "URL/api/tasks/TASK/execute-async?openrouter_api_key=${chutesKey}"`)).toBe(422),
  '`/api/ops/overview`, `/api/ops/sandy/*`': async () => {
    for (const path of ['overview', 'sandy/resources', 'sandy/metrics', 'sandy/sandboxes'])
      expect([path, await strange('GET', `/api/ops/${path}`)]).toEqual([path, 401])
  },
  'bearer keys not of the form `cpk_` or `cak_`': async () =>
    expect(await strange('POST', `${runs}/api`, { ...json, authorization: 'Bearer anything' }, '{}')).toBe(401),
  'a run id that is no UUID, `limit=-1`': async () =>
    expect([await status('curl URL/api/runs/17'), await status('curl "URL/api/runs?limit=-1"')]).toEqual([404, 422]),
  'a bad export format of an unknown run': async () =>
    expect(await status(`curl "URL/api/runs/${unknown}/export?format=nothing"`)).toBe(404),
  'export of a canceled run': async () => expect(await status('curl "URL/api/runs/CANCELED/export?format=csv"')).toBe(200),
  'preflight requests': async () =>
    expect(await strange('OPTIONS', runs, { origin: 'https://ui.example', 'access-control-request-method': 'POST' })).toBe(204),
  '`GET /`': async () => {
    const answer = await stage.send('GET', '/', { accept: 'application/json' })
    expect(await answer.json()).toMatchObject({ name: expect.any(String), version: expect.any(String), docs: '/docs' })
  },
  errors: async () => {
    const answer = await stage.send('GET', `${runs}/${unknown}`, {})
    expect([answer.headers.get('content-type'), await answer.json()]).toEqual([
      expect.stringContaining('application/problem+json'),
      expect.objectContaining({ detail: expect.any(String) }),
    ])
  },
  '`results.json` above 8 MiB of items': () => expect(bundleLimits.listed_bytes).toBe(8 * 2 ** 20),
  'number of benchmarks': () => expect(cards.length).toBe(23),
  '`models` of a new service': async () => {
    const { json: list } = await sendLine('curl URL/api/models', stage)
    expect((list as { models: unknown[] }).models).not.toEqual([])
  },
  '`models.total`': async () => {
    const { json: list } = await sendLine('curl "URL/api/models?limit=1&offset=100"', stage)
    expect(list).toMatchObject({ models: [], total: expect.any(Number) })
    expect((list as { total: number }).total).toBeGreaterThan(0)
  },
  'default draw of a subset': () => expect(CreateRun.parse({ model_id: 'm', selected_benchmarks: ['mmlu_pro'] }).sampling).toBe('sha256'),
  '`ifbench`': () => expect([ifbench.total_items, ifeval.total_items]).toEqual([300, 541]),
  '`aime_2025`': () => expect(aime.total_items).toBe(30),
  'ids of tasks and episodes': () => expect(stage.names.TASK).toMatch(/^[0-9a-f-]{36}$/),
  '`GET /api/agents`': async () => {
    expect((await sendLine('curl URL/api/agents', stage)).json).toMatchObject({ agents: [] })
    expect((await sendLine('curl URL/api/tasks/agents', stage)).json).toEqual(
      expect.arrayContaining([expect.objectContaining({ id: 'terminus-2', harness: 'harbor' })]),
    )
  },
  '`GET /api/models` of the TBench Runner': async () =>
    expect((await sendLine('curl URL/api/models', stage)).json).toMatchObject({ models: expect.any(Array), total: expect.any(Number) }),
  '`start`, `execute-one` and `execute` of a task': async () => {
    for (const way of ['start', 'execute-one', 'runs/1/execute'])
      expect([way, await status(`curl -X POST URL/api/tasks/TASK/${way}`)]).toEqual([way, 404])
  },
  'Gremium as a provider': () => expect(providerKinds.filter((kind) => kind.includes('gremium'))).toEqual([]),
}

/** Rows that another test guards, or that a service alone cannot show. */
const elsewhere: Readonly<Record<string, string>> = {
  '`/api/auth/callback`': 'edge/routes/sign-in.test.ts',
  'event ids': 'edge/routes/run-events.test.ts',
  '`benchmarks[].metrics` before the end of a benchmark': 'edge/routes/predecessor-metrics.test.ts',
  'retry of a task': 'edge/routes/task-execute.test.ts',
  'leaderboard of the harness': 'edge/routes/leaderboard.test.ts',
  'WebSocket of a run': 'edge/routes/run-events.test.ts',
  'Python command lines of the harness': 'another program',
  'Redis, Celery, S3, Terraform, Render': 'another platform',
}

test('[LINE17] every row of the table has four cells, none of them empty, and something that shows it', () => {
  expect(rows.length).toBeGreaterThan(25)
  expect(rows.filter((cells) => cells.length !== 4 || cells.some((cell) => cell.trim() === ''))).toEqual([])
  expect(rows.map(([what]) => what).toSorted()).toEqual([...Object.keys(checks), ...Object.keys(elsewhere)].toSorted())
})

test.each(Object.entries(checks))('[LINE17] the table is right about %s', async (_what, check) => {
  await check()
})
