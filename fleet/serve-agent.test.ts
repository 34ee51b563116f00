import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import * as z from 'zod'
import { closeCodes } from '#shared/contract/frame.ts'
import { healthPath, openHealthFile, readHealth } from './agent-health.ts'
import { defaultAgentId, serveAgent } from './serve-agent.ts'

let dir: string
let http: Server
let edge: WebSocketServer
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'bench-agent-'))
  http = createServer()
  await listen(0)
})
afterEach(async () => {
  edge.close()
  http.closeAllConnections()
  await new Promise((closed) => http.close(closed))
  rmSync(dir, { recursive: true })
})

async function listen(port: number): Promise<void> {
  http.listen(port, '127.0.0.1')
  await once(http, 'listening')
  edge = new WebSocketServer({ server: http })
}

/** An agent of this data directory; `log` waits for lines it has said or will say. */
function run(more: Record<string, string> = {}) {
  const lines: string[] = []
  const waiting: { pattern: RegExp; found(line: string): void }[] = []
  const stop = new AbortController()
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  const given = { BENCH_EDGE_URL: url, BENCH_AGENT_TOKEN: 'agt_12345678', BENCH_AGENT_ID: 'box', BENCH_DATA: dir }
  const write = (text: string) => {
    const line = (JSON.parse(text) as { message: string }).message
    lines.push(line)
    for (const one of waiting) if (one.pattern.test(line)) one.found(line)
  }
  return {
    url,
    lines,
    stop,
    code: serveAgent({ ...given, ...more }, { form: 'json', write, stop: stop.signal }),
    said: (pattern: RegExp) =>
      new Promise<string>((found) => {
        const before = lines.find((line) => pattern.test(line))
        if (before !== undefined) found(before)
        else waiting.push({ pattern, found })
      }),
  }
}
const welcome = (socket: WebSocket) => socket.send(JSON.stringify({ type: 'welcome', protocol: 7, heartbeat_ms: 10_000, pool: 'p' }))
const last = (lines: readonly string[]) => lines.at(-1)

test('[AGENT30] a wrong token ends the agent with exit code 1 and says who has the right one', async () => {
  edge.close()
  http.on('upgrade', (_request, socket) => socket.end('HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n'))
  const agent = run()
  expect(await agent.code).toBe(1)
  expect(last(agent.lines)).toMatch(/does not accept this agent token.*operator.*AGENT_TOKEN/)
})

test('[AGENT30] an address without a fleet ends the agent with exit code 1 and names the address', async () => {
  edge.close()
  http.on('upgrade', (_request, socket) => socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n'))
  const agent = run()
  expect(await agent.code).toBe(1)
  expect(last(agent.lines)).toContain(`no fleet to join at ${agent.url}`)
})

test.each([
  ['replaced by another of its name', closeCodes.replaced, 'took over', /Another process runs as agent box.*--name/],
  ['of another version', closeCodes.protocol, 'This service speaks protocol 9, the agent 7. Upgrade the agent.', /Upgrade the agent/],
  ['refused without a word', closeCodes.badFrame, '', /ended the connection for good \(4013\)/],
])('[AGENT30] an agent that is %s ends with exit code 1 and says why', async (_, code, reason, sentence) => {
  edge.on('connection', (socket) => socket.close(code, reason))
  const agent = run()
  expect(await agent.code).toBe(1)
  expect(last(agent.lines)).toMatch(sentence)
})

test('[AGENT31] a service that is not there is said to be so with the next try, and joined once it is', async () => {
  const { port } = http.address() as AddressInfo
  const agent = run()
  edge.close()
  await new Promise((closed) => http.close(closed))
  http.closeAllConnections()
  const tried = await agent.said(/ECONNREFUSED/)
  expect(tried).toMatch(/^cannot reach http:\/\/127\.0\.0\.1:\d+ \(ECONNREFUSED\), next try in [\d.]+ s$/)
  expect(readHealth(healthPath(dir, 'box'), new Date())).toEqual({ ok: false, detail: `it cannot reach ${agent.url}` })
  await listen(port)
  edge.on('connection', welcome)
  await agent.said(/^connected to/)
  agent.stop.abort()
  expect(await agent.code).toBe(0)
})

test('[AGENT31] a connection that breaks is said to be lost', async () => {
  edge.once('connection', (socket) => {
    welcome(socket)
    edge.on('connection', welcome)
    socket.once('message', () => socket.terminate())
  })
  const agent = run()
  expect(await agent.said(/^lost/)).toMatch(/^lost http:\/\/127\.0\.0\.1:\d+ \(closed 1006\), next try in [\d.]+ s$/)
  agent.stop.abort()
  expect(await agent.code).toBe(0)
})

test('[AGENT32] an agent that is told to stop says so to the fleet and ends with exit code 0', async () => {
  const heard: string[] = []
  edge.on('connection', (socket) => {
    socket.on('message', (data) => heard.push(String(data)))
    welcome(socket)
  })
  const agent = run()
  await agent.said(/^connected to/)
  const health = readHealth(healthPath(dir, 'box'), new Date())
  expect({ ...health, detail: health.detail.replace(/, paused .*/, '') }).toEqual({
    ok: true,
    detail: `connected to ${agent.url}, 0 trials in work`,
  })
  const closed = once([...edge.clients][0]!, 'close')
  agent.stop.abort()
  expect(await agent.code).toBe(0)
  await closed
  expect(heard.map((text) => JSON.parse(text))).toContainEqual({
    ...{ type: 'heartbeat', free_slots: 256, running: 0, draining: true },
    blocks: { count: expect.any(Number), longest_ms: expect.any(Number) },
    usage: expect.objectContaining({ memory_ratio: expect.any(Number) }),
  })
  expect(existsSync(healthPath(dir, 'box'))).toBe(false)
  expect(last(agent.lines)).toBe('agent stops: drained')
})

test('[AGENT33] an agent that has not told for long how it is does not work; neither does one that is not there', () => {
  const path = healthPath(dir, 'box')
  expect(readHealth(path, new Date())).toEqual({ ok: false, detail: 'no agent of this name runs here' })
  const at = Date.parse('2026-01-01T00:00:00Z')
  openHealthFile(path, 'http://edge', () => new Date(at)).write({ connected: true, running: 3, draining: true })
  expect(readHealth(path, new Date(at + 45_000))).toEqual({ ok: true, detail: 'connected to http://edge, 3 trials in work, draining' })
  expect(readHealth(path, new Date(at + 46_000))).toEqual({ ok: false, detail: 'it was last heard of 46 s ago' })
})

test('[FLEET98] the health of an agent that stood still says so, whether it is of this version or the last', () => {
  const path = healthPath(dir, 'box')
  const file = openHealthFile(path, 'http://edge', () => new Date())
  const well = { connected: true, running: 3, draining: false }
  const detailOf = (health: Parameters<typeof file.write>[0]) => {
    file.write(health)
    return readHealth(path, new Date()).detail
  }
  expect(detailOf({ ...well, blocks: { count: 2, longest_ms: 130 } })).toBe(
    'connected to http://edge, 3 trials in work, paused 2 times in 10 min (longest 130 ms)',
  )
  expect(detailOf({ ...well, blocks: { count: 0, longest_ms: 0 } })).toBe('connected to http://edge, 3 trials in work')
  expect(detailOf(well)).toBe('connected to http://edge, 3 trials in work')
})

test('[AGENT34] an environment that does not fit is exit code 2 with the name of what is wrong', async () => {
  const lines: string[] = []
  const given = { BENCH_EDGE_URL: 'nowhere', BENCH_AGENT_TOKEN: 'agt_12345678', BENCH_PROVIDERS: '{' }
  const surroundings = { form: 'plain' as const, write: (line: string) => void lines.push(line), stop: new AbortController().signal }
  expect(await serveAgent(given, surroundings)).toBe(2)
  expect(lines).toEqual([
    expect.stringMatching(/^[\d:.TZ-]+ The agent cannot start: BENCH_EDGE_URL is not an address; BENCH_PROVIDERS is not JSON$/),
  ])
})

test('[AGENT34] an agent without a name has its machine’s, as far as a name may go', () => {
  expect(defaultAgentId('Ann’s box_7.local')).toBe('Ann-s-box_7.local')
  expect(defaultAgentId(`a${'b'.repeat(100)}`)).toBe(`a${'b'.repeat(79)}`)
})

test('[OBS5] metrics and health are served on this machine where that is asked for, until the agent ends', async () => {
  edge.on('connection', welcome)
  const agent = run({ BENCH_METRICS: '0' })
  const url = /http:\/\/127\.0\.0\.1:\d+/.exec(await agent.said(/^metrics at/))![0]
  await agent.said(/^connected to/)
  const answer = await fetch(`${url}/metrics`)
  expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  const text = await answer.text()
  expect(text).toMatch(/^bench_agent_connected 1$/m)
  expect(text).toMatch(/^bench_agent_memory_bytes\{kind="rss"\} \d{7,}$/m)
  expect(text).toMatch(/^bench_agent_info\{version="[^"]+"\} 1$/m)
  expect(text).not.toContain('agt_12345678')
  const health = await fetch(`${url}/health`)
  const { ok, detail } = z.object({ ok: z.boolean(), detail: z.string() }).parse(await health.json())
  expect([health.status, ok, detail.replace(/, paused .*/, '')]).toEqual([200, true, `connected to ${agent.url}, 0 trials in work`])
  agent.stop.abort()
  expect(await agent.code).toBe(0)
  await expect(fetch(`${url}/metrics`)).rejects.toThrow()
})

test('[OBS5] an agent whose address for metrics is taken says so and works', async () => {
  edge.on('connection', welcome)
  const agent = run({ BENCH_METRICS: `127.0.0.1:${(http.address() as AddressInfo).port}` })
  expect(await agent.said(/^metrics cannot be served/)).toMatch(/at 127\.0\.0\.1:\d+$/)
  await agent.said(/^connected to/)
  agent.stop.abort()
  expect(await agent.code).toBe(0)
})

test('[OBS6] what an agent logs is for programs or people as its surroundings are, and as BENCH_LOG says before that', async () => {
  const said = async (form: 'json' | 'plain', more: Record<string, string>) => {
    const lines: string[] = []
    await serveAgent(
      { BENCH_EDGE_URL: 'nowhere', ...more },
      { form, write: (line) => lines.push(line), stop: new AbortController().signal },
    )
    return lines
  }
  const json = [expect.stringMatching(/^\{"time":"[^"]+","level":"error","message":"The agent cannot start: .*"\}$/)]
  const plain = [expect.stringMatching(/^[\d:.TZ-]+ The agent cannot start: /)]
  expect(await said('json', {})).toEqual(json)
  expect(await said('plain', { BENCH_LOG: '' })).toEqual(plain)
  expect(await said('plain', { BENCH_LOG: 'json' })).toEqual(json)
  expect(await said('json', { BENCH_LOG: 'plain' })).toEqual(plain)
})
