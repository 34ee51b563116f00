import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { artifactKinds } from '#shared/contract/artifact.ts'
import { writeFixtureWorker } from './fixture-worker.ts'
import { watchHealth } from './watch-health.ts'

let dir: string
let host: ChildProcess
let url: string

async function startHost(more: object = {}, env: NodeJS.ProcessEnv = {}): Promise<void> {
  const config = {
    server_dir: writeFixtureWorker(join(dir, 'dist')),
    data_dir: dir,
    port: 0,
    bindings: { NAME: 'you', LOCAL: '1', VERSION: '9' },
    ...more,
  }
  host = fork(join(import.meta.dirname, 'host.ts'), {
    env: { ...process.env, BENCH_HOST: JSON.stringify(config), ...env },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const [ready] = await once(host, 'message')
  url = (ready as { url: string }).url
}
const workerd = () => Number(readFileSync(`/proc/${host.pid}/task/${host.pid}/children`, 'utf8').trim().split(' ')[0])
const rows = async (): Promise<unknown> => (await fetch(`${url}/api/rows`)).json()

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'bench-host-'))
  await startHost()
})
afterAll(async () => {
  host.kill('SIGTERM')
  await once(host, 'exit')
  rmSync(dir, { recursive: true })
})

test('[START10] the built Worker gets its modules, flags and bindings, the given ones over its own', async () => {
  expect(await (await fetch(`${url}/anything`)).text()).toBe('hello you')
  expect(await (await fetch(`${url}/api/status`)).json()).toMatchObject({ local: true, version: '9' })
})

test('[START21] workerd gets the secret that the door adds, so that it can tell what did not come through it', async () => {
  const headers = { 'x-bench-door': 'guessed', 'mf-original-url': 'http://evil.test/', 'cf-connecting-ip': '8.8.8.8' }
  const seen = (await (await fetch(`${url}/api/seen`, { headers })).json()) as { url: string; secret: string; given: string; ip: string }
  expect(seen).toMatchObject({ url: `${url}/api/seen`, ip: '127.0.0.1' })
  expect(seen.secret).toMatch(/^[0-9a-f]{64}$/)
  expect(seen.given).toBe(seen.secret)
})

test('[API162] the largest artifact passes the door into the bucket, and whoever is refused after so much sees the answer', async () => {
  const bytes = artifactKinds.file
  const put = async (path: string) => {
    const response = await fetch(url + path, { method: 'PUT', body: new Uint8Array(bytes) })
    return [response.status, await response.json()]
  }
  expect(await put('/api/object')).toEqual([200, bytes])
  expect(await put('/api/refused')).toEqual([409, bytes])
})

test('[START520] the Worker asks the supervisor for the models that providers list now', async () => {
  const questions: object[] = []
  const answer = (message: { type: string; id?: number }): void => {
    if (message.type !== 'ask') return
    questions.push(message)
    host.send({ type: 'answer', id: message.id, value: [{ id: 'late', models: ['a'] }] })
  }
  host.on('message', answer)
  expect(await (await fetch(`${url}/api/listed`)).json()).toEqual([{ id: 'late', models: ['a'] }])
  expect(questions).toEqual([{ type: 'ask', id: 1, wait_ms: 7 }])
  host.off('message', answer)
})

test('[START11] assets are served with their type and the caching that the build asks for', async () => {
  const response = await fetch(`${url}/assets/app-1234.js`)
  expect(response.headers.get('content-type')).toMatch(/javascript/)
  expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(response.headers.get('etag')).toBeTruthy()
})

test.skipIf(process.platform !== 'linux')('[START12] a killed workerd serves again with every row it had acknowledged', async () => {
  await fetch(`${url}/api/rows`, { method: 'POST', body: 'kept' })
  const first = workerd()
  process.kill(first, 'SIGKILL')
  await once(host, 'message')
  expect(workerd()).not.toBe(first)
  expect(await rows()).toEqual(['kept'])
})

test.skipIf(process.platform !== 'linux')(
  '[START12] a killed host leaves no workerd behind and finds its rows and objects again',
  async () => {
    await fetch(`${url}/api/object`, { method: 'PUT', body: 'kept too' })
    const orphan = workerd()
    host.kill('SIGKILL')
    await once(host, 'exit')
    await vi.waitFor(() => expect(() => process.kill(orphan, 0)).toThrow(), 20_000)
    // A child of another host may inherit one of the two variables without the other.
    await startHost({}, { MINIFLARE_WORKERD_PATH: join(import.meta.dirname, 'workerd.sh'), BENCH_WORKERD: undefined })
    expect(await rows()).toEqual(['kept'])
    expect(await (await fetch(`${url}/api/object`)).text()).toBe('kept too')
  },
)

test.skipIf(process.platform !== 'linux')('[START45] a workerd that holds too much is begun anew, and has what it had', async () => {
  host.kill('SIGTERM')
  await once(host, 'exit')
  await startHost({ workerd_mb: 1 })
  await fetch(`${url}/api/rows`, { method: 'POST', body: 'kept through it' })
  const first = workerd()
  const [told] = await once(host, 'message')
  expect(told).toEqual({ type: 'restarted' })
  expect(workerd()).not.toBe(first)
  expect(await rows()).toEqual(expect.arrayContaining(['kept through it']))
  host.kill('SIGTERM')
  await once(host, 'exit')
  await startHost()
})

test('[START13] three probes without an answer in a row are a death, an answer in between is none', async () => {
  let answers = 0
  const server = createServer((_, response) => {
    answers += 1
    if (answers !== 3) return response.end()
    server.closeAllConnections()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const died = Promise.withResolvers<string>()
  watchHealth(`http://127.0.0.1:${port}/`, died.resolve, { everyMs: 5 })
  await vi.waitFor(() => expect(answers).toBeGreaterThan(6), 20_000)
  server.close()
  server.closeAllConnections()
  expect(await died.promise).toMatch(/ECONNREFUSED|ECONNRESET|hang up/)
})

test('[START430] a silent process that uses CPU is busy and is left at work for 18 probes; one that uses none is dead after three', async () => {
  let asked = 0
  const server = createServer(() => {
    asked += 1
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const probesUntilDead = async (cpuMs: () => number | null): Promise<number> => {
    asked = 0
    const died = Promise.withResolvers<string>()
    watchHealth(`http://127.0.0.1:${port}/`, died.resolve, { everyMs: 1, timeoutMs: 20, cpuMs })
    await died.promise
    return asked
  }
  let used = 0
  expect(await probesUntilDead(() => (used += 60))).toBe(18)
  expect(await probesUntilDead(() => 5000)).toBe(3)
  expect(await probesUntilDead(() => null)).toBe(3)
  server.close()
  server.closeAllConnections()
})
