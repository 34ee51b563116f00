import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import WebSocket from 'ws'
import { maxFrameChars } from '#shared/contract/frame.ts'
import { protocols } from '#shared/contract/protocol.ts'
import { type Api, openApi, persist } from './api.ts'
import { judge } from './judge.ts'
import { readLedger } from './ledger-file.ts'
import { type Questions, writeQuestions } from './questions.ts'
import { isOver } from './strike.ts'
import { type Provider, type System, startProvider, startSystem } from './system.ts'

const linux = process.platform === 'linux'
const trials = 1_500
const width = 50
let dir: string
let questions: Questions
let provider: Provider
let system: System
let api: Api
let run: string

beforeAll(async () => {
  if (!linux) return
  dir = mkdtempSync(join(tmpdir(), 'bench-hostile-'))
  questions = writeQuestions(dir, trials, 5)
  provider = await startProvider(dir, questions.replies, 100)
  system = await startSystem({ dir, port: 0, provider: provider.url, overrides: questions.overrides })
  api = openApi(system.url)
  run = await api.createRun('hostile', width)
}, 200_000)
afterAll(async () => {
  if (!linux) return
  await system.stop()
  await provider.stop()
  rmSync(dir, { recursive: true, force: true })
}, 100_000)

/** Dials an agent's socket, says `frames`, and tells how it was ended: an HTTP status, or a close code and its sentence. */
async function dial(path: string, token: string, frames: string[]): Promise<{ status: number } | { code: number; reason: string }> {
  const socket = new WebSocket(`${system.url.replace(/^http/, 'ws')}${path}`, { headers: { authorization: `Bearer ${token}` } })
  const ended = Promise.withResolvers<{ status: number } | { code: number; reason: string }>()
  socket.on('unexpected-response', (request, response) => {
    response.resume()
    request.destroy()
    ended.resolve({ status: response.statusCode ?? 0 })
  })
  socket.on('open', () => {
    for (const frame of frames) socket.send(frame)
  })
  socket.on('close', (code, reason) => ended.resolve({ code, reason: reason.toString() }))
  socket.on('error', () => undefined) // close or unexpected-response says the same
  return ended.promise
}

const hello = (protocol: number) =>
  JSON.stringify({
    ...{ type: 'hello', protocol_min: protocol, protocol_max: protocol, agent_id: 'stranger', session: randomUUID(), holding: [] },
    ...{ host: 'elsewhere', version: '0', capabilities: [], slots: 1, secret: 'nobody knows it but us' },
  })
const sockets = (): string[] => ['/api/fleet/socket', `/api/runs/${run}/socket`]

test.skipIf(!linux)(
  '[SIM6] hostile frames end their own socket, and the run under way is none the worse',
  { timeout: 200_000 },
  async () => {
    const valid = hello(protocols.min)
    for (const path of sockets()) {
      const say = (...frames: string[]) => dial(path, system.agentToken, frames)
      const oversized = await say(JSON.stringify({ type: 'hello', padding: 'x'.repeat(maxFrameChars) }))
      expect(oversized).toHaveProperty('code')
      expect([1006, 1009, 4013]).toContain((oversized as { code: number }).code)
      expect(await say(hello(protocols.min - 1))).toEqual({
        code: 4010,
        reason: expect.stringMatching(/^This service speaks .*, the agent \d+\. Upgrade the agent\.$/),
      })
      for (const garbage of ['{', 'null', '[]', '{"type":"claim","count":-1}', '{"type":"exec"}', '\u0000'])
        expect(await say(garbage)).toEqual({ code: 4013, reason: expect.stringMatching(/\./) })
      // The fleet takes everybody with the token; a run takes whom the fleet sent.
      expect(await say(valid, 'not json')).toMatchObject({ code: path === '/api/fleet/socket' ? 4013 : 4011 })
    }
    const claimFirst = await dial(sockets()[1]!, system.agentToken, ['{"type":"claim","count":5,"ask":1}'])
    expect(claimFirst).toEqual({ code: 4013, reason: 'Say hello first.' })
    await persist('the end of the run', async () => {
      const state = await api.tryRun(run)
      return state && isOver(state) ? state : undefined
    })
    const told = { run: await api.getRun(run), trials: await api.getTrials(run, trials, () => true), events: await api.getEvents(run) }
    // The strangers were turned away: nothing was leased to them, so nothing may be lost.
    const verdict = judge({ ...told, expected: questions.expected, ledger: readLedger(provider.ledger), width, agentKills: [] })
    expect(verdict.breaches).toEqual([])
  },
)

test.skipIf(!linux)('[SIM7] a wrong token is 401, an unknown run is 404 or 4012', async () => {
  for (const path of sockets()) {
    expect(await dial(path, 'wrong-token-wrong-token', [])).toEqual({ status: 401 })
    expect(await dial(path, '', [])).toEqual({ status: 401 })
  }
  expect(await dial(`/api/runs/${randomUUID()}/socket`, system.agentToken, [])).toMatchObject({ code: 4012 })
  expect(await dial('/api/runs/no-such-run/socket', system.agentToken, [])).toEqual({ status: 404 })
})
