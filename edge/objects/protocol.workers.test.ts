import { reset, env as testEnv } from 'cloudflare:test'
import { afterEach, expect, test } from 'vitest'
import { closeCodes } from '#shared/contract/frame.ts'
import { protocols, spoken } from '#shared/contract/protocol.ts'
import type { Env } from './env.ts'
import { specOf, stubOf } from './testing/agent-socket.ts'

const env = testEnv as unknown as Env // bindings of testing/wrangler.toml
const fleet = () => env.FLEET.getByName('default')
afterEach(() => reset())

/** A socket to an object: says texts, and collects what it is told until it is closed. */
async function dial(object: { fetch(url: string, init: RequestInit): Promise<Response> }) {
  const socket = (await object.fetch('http://edge/socket', { headers: { upgrade: 'websocket' } })).webSocket!
  const closed = Promise.withResolvers<{ code: number; reason: string }>()
  const told: { type: string }[] = []
  let wake = Promise.withResolvers<void>()
  socket.addEventListener('message', ({ data }) => {
    told.push(JSON.parse(data as string))
    wake.resolve()
    wake = Promise.withResolvers()
  })
  socket.addEventListener('close', ({ code, reason }) => closed.resolve({ code, reason }))
  socket.accept()
  const count = async (wanted: number) => {
    while (told.length < wanted) await wake.promise
    return told
  }
  return { say: (said: unknown) => socket.send(typeof said === 'string' ? said : JSON.stringify(said)), count, closed: closed.promise }
}
const known = {
  type: 'hello',
  agent_id: 'box',
  session: 'session-1',
  host: 'h',
  version: '1',
  capabilities: ['llm'],
  slots: 4,
  holding: [],
}
const secret = 'a secret of this very box'

test('[FLEET90] fleet and run speak the newest version that an agent speaks too, and say which', async () => {
  const agent = await dial(fleet())
  agent.say({ ...known, ...spoken, secret })
  expect((await agent.count(1))[0]).toMatchObject({ type: 'welcome', protocol: protocols.max })
  const newer = await dial(fleet())
  newer.say({ ...known, ...spoken, protocol_max: protocols.max + 1, agent_id: 'newer', secret })
  expect((await newer.count(1))[0]).toMatchObject({ type: 'welcome', protocol: protocols.max })
})

test.each([
  ['an older agent', { ...known, protocol_min: protocols.min - 2, protocol_max: protocols.min - 1 }, /Upgrade the agent\.$/],
  [
    'a far newer agent whose hello has another shape',
    { type: 'hello', protocol_min: 40, protocol_max: 41, me: {} },
    /Upgrade the service\.$/,
  ],
])('[FLEET90] %s is closed with 4010 and told whom to upgrade', async (_, hello, sentence) => {
  const run_id = '00000000-0000-4000-8000-0000000000f4'
  await stubOf(run_id).create(specOf(run_id))
  for (const object of [fleet(), stubOf(run_id)]) {
    const agent = await dial(object)
    agent.say(hello)
    expect(await agent.closed).toEqual({ code: closeCodes.protocol, reason: expect.stringMatching(sentence) })
  }
})
