import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import * as z from 'zod'
import { call, createRun, untilEnded } from './call-api.ts'
import { chromiumPath, openBrowser, openTab, visit } from './open-browser.ts'
import { newDataDir, root, type Stack, startStack } from './stack.ts'

/** An address at which this machine is somebody else's; a machine without a network has only another loopback one. */
const outward = Object.values(networkInterfaces())
  .flat()
  .find((one) => one?.family === 'IPv4' && !one.internal)?.address
const address = outward ?? '127.0.0.2'

const dir = newDataDir()
const guestDir = newDataDir()
let stack: Stack
let there: string
let port: number
let secrets: Record<string, string>

beforeAll(async () => {
  stack = await startStack(dir.path, { HOST: outward ? '0.0.0.0' : address })
  port = Number(new URL(stack.url).port)
  there = `http://${address}:${port}`
  secrets = z.record(z.string(), z.coerce.string()).parse(JSON.parse(readFileSync(join(dir.path, 'secrets.json'), 'utf8')))
})
afterAll(async () => {
  await stack?.stop()
  dir.remove()
  guestDir.remove()
})

/** The status for a request that comes to `address` and names `host`, which `fetch` would not let us choose. */
async function statusFor(host: string): Promise<number | undefined> {
  const asked = request({ host: address, port, path: '/api/status', headers: { host }, agent: false }).end()
  const [answer] = await once(asked, 'response')
  answer.resume()
  return answer.statusCode
}

test('[START41] an open service answers under the address it was reached at; another site’s name leads nowhere', async () => {
  expect(await statusFor(`${address}:${port}`)).toBe(200)
  expect(await statusFor(`localhost:${port}`)).toBe(200)
  for (const name of [`evil.test:${port}`, `10.255.255.1:${port}`, `${address}:${port + 1}`, address])
    expect([name, await statusFor(name)]).toEqual([name, 421])
})

test.skipIf(!outward)('[START42] over the network a visitor is a stranger until he shows a key or the admin secret', async () => {
  const body = { model_id: 'demo-model', selected_benchmarks: ['mmlu_pro'], profile: 'builtin', subset_count: 2, visibility: 'private' }
  const own = await createRun(stack.url, body)
  expect((await call(stack.url, 'GET', `/api/runs/${own.id}`)).status).toBe(200)
  for (const headers of [{}, { 'x-forwarded-for': '127.0.0.1' }, { 'cf-connecting-ip': '127.0.0.1' }] as Record<string, string>[]) {
    expect((await call(there, 'GET', '/api/runs', { headers })).status).toBe(200)
    expect((await call(there, 'GET', `/api/runs/${own.id}`, { headers })).status).toBe(404)
    expect((await call(there, 'POST', '/api/runs', { body, headers })).status).toBe(401)
    expect((await call(there, 'GET', '/api/keys', { headers })).status).toBe(401)
  }
  const headers = { 'x-admin-secret': secrets.admin_secret! }
  const made = await call(there, 'POST', '/api/keys', { body: { name: 'guest' }, headers })
  const { key } = z.object({ key: z.string() }).parse(await made.json())
  const run = await createRun(there, body, { authorization: `Bearer ${key}` })
  expect((await untilEnded(there, run.id, { authorization: `Bearer ${key}` })).status).toBe('succeeded')
})

test.skipIf(!outward || !chromiumPath)('[UI77] buttons work on pages that come over plain HTTP from another machine', async () => {
  const browser = await openBrowser()
  try {
    const { page, complaints } = await openTab(browser)
    await visit(page, `${there}/?model=demo-model&benchmarks=mmlu_pro&count=2`)
    expect(await page.evaluate('isSecureContext')).toBe(false)
    await page.getByRole('complementary', { name: 'Plan' }).getByRole('button', { name: 'Run', exact: true }).click()
    // A stranger may not start a run: it is the server that says so.
    await page.getByRole('alert').first().waitFor()
    await visit(page, `${there}/agents`)
    await page.getByRole('button', { name: 'Copy' }).first().click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    expect(complaints.filter((one) => !one.includes('401'))).toEqual([])
  } finally {
    await browser.close()
  }
})

test.skipIf(!outward)('[START43] the start says who can reach it and how an agent joins, and writes no secret', () => {
  const said = stack.said()
  expect(said).toContain('WARNING: HOST=0.0.0.0 opens this service')
  expect(said).toContain(`npm run cli -- agent --edge ${there}`)
  expect(said).toContain(`agent_token of ${join(dir.path, 'secrets.json')}`)
  for (const name of ['agent_token', 'admin_secret', 'master_key', 'signing_seed']) expect(said).not.toContain(secrets[name])
})

test('[START44] an agent that comes over the network joins with the token, and is refused with another', async () => {
  const agent = startGuest(secrets.agent_token!)
  const listed = async () => JSON.stringify(await (await call(stack.url, 'GET', '/api/agents')).json())
  try {
    await vi.waitFor(async () => expect(await listed()).toContain('"guest"'), { timeout: 120_000, interval: 200 })
  } finally {
    agent.kill('SIGTERM')
  }
  expect(await once(agent, 'exit')).toEqual([0, null])
  const refused = startGuest('agt_guessed_and_wrong')
  expect(await once(refused, 'exit')).toEqual([1, null])
})

function startGuest(token: string): ChildProcess {
  const own = { BENCH_AGENT_TOKEN: token, BENCH_DATA: guestDir.path, OPENAI_BASE_URL: '', CHUTES_API_KEY: '' }
  const bench = join(root, 'fleet', 'cli', 'bench.mjs')
  return spawn(process.execPath, [bench, 'agent', '--edge', there, '--name', 'guest'], { stdio: 'ignore', env: { ...process.env, ...own } })
}
