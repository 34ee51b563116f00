import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import * as z from 'zod'
import { end, root, type Service, sh, startService } from './service.ts'

/**
 * Rehearses DEPLOY.md on this machine: secrets, tables, the built Worker outside local mode with its database some milliseconds away, an agent that
 * joins with the token, a run, its export, its verification. Prints how often each route waits for the database; exit code 1 where that is
 * more than three times, or where an idle service asks the database at all.
 */
const { values } = parseArgs({ options: { delay: { type: 'string', default: '30' }, idle: { type: 'string', default: '25' } } })
const bench = `"${process.execPath}" "${join(root, 'fleet', 'cli', 'bench.mjs')}"`
const say = (line: string) => console.log(line)

type Row = { route: string; status: number; requests: number; inARow: number; ms: number }

async function measure({ url, database }: Service, path: string, init: RequestInit = {}): Promise<Row> {
  database.take()
  const startedMs = performance.now()
  const response = await fetch(url + path, init)
  await response.arrayBuffer()
  const ms = Math.round(performance.now() - startedMs)
  return { route: `${init.method ?? 'GET'} ${path}`, status: response.status, ...database.take(), ms }
}

async function rehearse(service: Service, dir: string): Promise<{ id: string; key: string }> {
  const { url, env, secrets } = service
  say(`step 6: ${(await sh(`curl -fsS ${url}/api/health`, dir)).trim()}  ${(await sh(`curl -fsS ${url}/api/status`, dir)).trim()}`)
  const made = await sh(
    `curl -fsS -X POST ${url}/api/keys -H "X-Admin-Secret: $ADMIN_SECRET" -H 'content-type: application/json' -d '{"name":"me"}'`,
    dir,
    { ...env, ADMIN_SECRET: secrets.ADMIN_SECRET },
  )
  const { key } = z.object({ key: z.string() }).parse(JSON.parse(made))
  const mine = { ...env, BENCH_API_KEY: key }
  const run = await sh(`${bench} run --model demo-model --provider lab --benchmark mmlu_pro --data sample --wait --json`, dir, mine)
  const id = /"(?:run_)?id":"([0-9a-f-]{36})"/.exec(run)?.[1]
  if (!id) throw new Error(`the run has no id:\n${run}`)
  say(`step 8: run ${id} ended`)
  say((await sh(`${bench} export ${id} -o result.zip`, dir, mine)).trim())
  say((await sh(`${bench} verify result.zip`, dir, mine)).trim())
  return { id, key }
}

async function tableOf(service: Service, id: string, key: string): Promise<Row[]> {
  const authorization = `Bearer ${key}`
  const headers = { authorization, 'content-type': 'application/json' }
  const body = JSON.stringify({ model_id: 'demo-model', provider: 'lab', selected_benchmarks: ['mmlu_pro'], data: 'sample' })
  const run = `/api/runs/${id}`
  const item = `${run}/items/mmlu_pro/sample-1`
  const api = [
    '/api/status',
    '/api/models',
    '/api/benchmarks',
    '/api/runs',
    run,
    `${run}/items`,
    `${run}/benchmarks/mmlu_pro`,
    item,
    `${run}/rows`,
  ]
  const rows: Row[] = [await measure(service, '/api/runs', { method: 'POST', headers, body })]
  for (const path of [...api, `${run}/export?format=csv`, `${run}/export?format=zip`, `${run}/events?format=json`, '/api/agents'])
    rows.push(await measure(service, path, { headers: { authorization } }))
  for (const page of ['/', '/runs', `/runs/${id}`, '/verify', '/agents']) rows.push(await measure(service, page))
  return rows
}

async function main(): Promise<number> {
  const dir = mkdtempSync(join(tmpdir(), 'bench-deploy-'))
  try {
    await using service = await startService(dir, Number(values.delay), say)
    const agent = spawn('sh', ['-c', `exec ${bench} agent --name rehearsal`], { env: service.env, cwd: dir, stdio: 'ignore' })
    try {
      const { id, key } = await rehearse(service, dir)
      await tableOf(service, id, key) // what is done once in an isolate's life
      await pause(3_000)
      const rows = await tableOf(service, id, key)
      console.table(rows.map(({ inARow, ...row }) => ({ ...row, 'in a row': inARow })))
      await pause(5_000) // the runs that were begun for the table end
      service.database.take()
      await pause(Number(values.idle) * 1000)
      const { requests } = service.database.take()
      say(`idle for ${values.idle} s with a connected agent: ${requests} requests to the database`)
      const slow = rows.filter((row) => row.inARow > 3 || row.status >= 500)
      for (const row of slow) say(`${row.route}: ${row.inARow} in a row, HTTP ${row.status}`)
      return slow.length === 0 && requests === 0 ? 0 : 1
    } finally {
      await end(agent)
    }
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

process.exitCode = await main()
