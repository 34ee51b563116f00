import { afterEach, beforeEach, expect, test } from 'vitest'
import { exampleBoard, exampleLeaderboard } from '#shared/board/testing/example-board.ts'
import { exampleRun, exampleRunId, type FixtureApi, json, openFixtureApi, runBench } from './fixture-api.ts'

let api: FixtureApi
beforeEach(async () => {
  api = await openFixtureApi()
})
afterEach(() => api[Symbol.asyncDispose]())
const bench = (...args: string[]) => runBench(['leaderboard', ...args], { BENCH_URL: api.url })

test('[CLI130] bench leaderboard asks for the board that is named and shows ranks, intervals, n and what is not ranked', async () => {
  api.on('GET /api/leaderboard', json({ ...exampleLeaderboard(), total: 9 }))
  const { out, err, code } = await bench('mmlu_pro', '--profile', 'official', '--sort', 'best', '--limit', '5')
  expect(code).toBe(0)
  expect(Object.fromEntries(api.asked[0]!.query)).toEqual({ benchmark: 'mmlu_pro', profile: 'official', sort: 'best', limit: '5' })
  const text = out.join('\n')
  expect(text).toContain('mmlu_pro, version 3, official, data org/set at 01234567')
  expect(text).toContain('org/model-a @ chutes')
  expect(text).toMatch(/71\.0 % \(69\.0–73\.0\) +72\.0 % \(70\.0–74\.0\) +12,032 +\$1\.50 +1 min 35 s +2 of 24,064/)
  expect(text).toContain('(demo model)')
  expect(text).toContain('1 run, 1 not public, 2 withdrawn')
  expect(text).toMatch(/Not ranked, 1:[\s\S]*22222222-1111-4111-8111-111111111111 +org\/model-a +601 of 12,032 items +99\.0 %/)
  expect(err.join('\n')).toContain('2 of 9; more with --limit')
})

test('[CLI130] with --json the answer is one line; without a board it says which there are', async () => {
  api.on('GET /api/leaderboard', json(exampleLeaderboard()))
  expect(JSON.parse((await bench('--json')).out.join('\n'))).toEqual(exampleLeaderboard())
  api.on('GET /api/leaderboard', json({ ...exampleLeaderboard(), board: null, rows: [], apart: [], boards: [exampleBoard, exampleBoard] }))
  expect((await bench('ifeval')).out).toEqual(['No ended run fits. There are boards of: mmlu_pro.'])
  api.on('GET /api/leaderboard', json({ ...exampleLeaderboard(), board: null, rows: [], apart: [], boards: [] }))
  expect((await bench()).out.join('\n')).toContain('Start one over a whole benchmark')
})

test('[CLI131] --withdraw and --restore tell the service of the run, and do not go together', async () => {
  api.on(`GET /api/runs/${exampleRunId}`, json(exampleRun('succeeded')))
  api.on(`PUT /api/runs/${exampleRunId}/leaderboard`, (asked, response, count) => {
    const { listed } = asked.body as { listed: boolean }
    json({ listed, withdrawn: listed ? null : { by: 'owner', at: '2026-01-02T03:04:05.000Z' } })(asked, response, count)
  })
  expect((await bench('--withdraw', exampleRunId)).out).toEqual([`Run ${exampleRunId} is withdrawn from the leaderboard.`])
  expect((await bench('--restore', exampleRunId)).out).toEqual([`Run ${exampleRunId} may stand on the leaderboard again.`])
  expect(api.asked.filter(({ method }) => method === 'PUT').map(({ body }) => body)).toEqual([{ listed: false }, { listed: true }])
  expect((await bench('--restore', exampleRunId, '--withdraw', exampleRunId)).code).toBe(2)
})
