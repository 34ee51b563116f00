import { env as testEnv } from 'cloudflare:test'
import type { RunDown, RunUp } from '#shared/contract/frame.ts'
import { RunId } from '#shared/contract/ids.ts'
import { spoken } from '#shared/contract/protocol.ts'
import { testSpec } from '#shared/run/testing/test-spec.ts'
import type { Env } from '../env.ts'
import { createPasses, passSecret } from '../passes.ts'

const env = testEnv as unknown as Env // bindings of testing/wrangler.toml
const passes = createPasses(passSecret(env))
export const stubOf = (run_id: string) => env.RUN.get(env.RUN.idFromName(run_id))
export const specOf = (run_id: string, items = 6) => ({
  ...testSpec({ benchmarks: [{ name: 'alpha', items, epochs: 1 }] }),
  run_id: RunId.parse(run_id),
})

/** A socket to the object that says frames and hands out those it is told, in order. */
export async function dial(run_id: string) {
  const response = await stubOf(run_id).fetch('http://edge/socket', { headers: { upgrade: 'websocket' } })
  const socket = response.webSocket!
  const told: RunDown[] = []
  const waiting: ((frame: RunDown) => void)[] = []
  const closed = Promise.withResolvers<number>()
  socket.addEventListener('message', ({ data }) => {
    const frame = JSON.parse(data as string) as RunDown
    const next = waiting.shift()
    if (next) next(frame)
    else told.push(frame)
  })
  socket.addEventListener('close', ({ code }) => closed.resolve(code))
  socket.accept()
  const next = (): Promise<RunDown> => (told.length > 0 ? Promise.resolve(told.shift()!) : new Promise((resolve) => waiting.push(resolve)))
  const until = async <T extends RunDown['type']>(type: T): Promise<Extract<RunDown, { type: T }>> => {
    for (;;) {
      const frame = await next()
      if (frame.type === type) return frame as Extract<RunDown, { type: T }>
    }
  }
  return {
    // The fleet sent every agent here unless a test says otherwise.
    say: (frame: RunUp) =>
      socket.send(JSON.stringify(frame.type === 'hello' ? { pass: passes.passOf({ ...frame, run_id }), ...frame } : frame)),
    raw: (text: string) => socket.send(text),
    until,
    closed: closed.promise,
  }
}
export const hello = (session: string, holding: [number, number][] = []): RunUp => ({
  type: 'hello',
  ...spoken,
  agent_id: 'agent' as never,
  session,
  holding,
})

/** A socket whose agent was welcomed. */
export async function greeted(run_id: string) {
  const agent = await dial(run_id)
  agent.say(hello('session-1'))
  await agent.until('welcome')
  return agent
}
