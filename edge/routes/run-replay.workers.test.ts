import { reset, env as testEnv } from 'cloudflare:test'
import { afterEach, expect, test } from 'vitest'
import { createRunsPort } from '../adapters/run-objects.ts'
import type { Env } from '../objects/env.ts'
import { createPasses, passSecret } from '../objects/passes.ts'
import { specOf, stubOf } from '../objects/testing/agent-socket.ts'
import { bearer, openApp } from '../testing/call-app.ts'

// No object, alarm or socket of one test lives on beside the next.
afterEach(() => reset())

const env = testEnv as unknown as Env // bindings of objects/testing/wrangler.toml
const run_id = '00000000-0000-4000-8000-0000000000b7'

test('[API186] an agent reads the answers with the pass of the run before it holds any trial of it', async () => {
  const { app, deps, record } = openApp()
  Object.assign(deps, { runs: createRunsPort(env) })
  await stubOf(run_id).create(specOf(run_id))
  record.replays.set(run_id, [{ texts: ['A'] }])
  const pass = createPasses(passSecret(env)).passOf({ run_id, session: 'session-1', agent_id: 'agent' })
  const read = async (change: Record<string, string> = {}, run = run_id) => {
    const said = { 'x-bench-agent': 'agent', 'x-bench-session': 'session-1', 'x-bench-pass': pass, ...change }
    const response = await app.request(`https://bench.example/api/runs/${run}/replay/agent`, {
      headers: { ...bearer('agent-token-1'), ...said },
    })
    return [response.status, response.ok ? await response.json() : null]
  }
  expect(await read()).toEqual([200, [{ texts: ['A'] }]])
  expect(await read({}, run_id.toUpperCase())).toEqual([200, [{ texts: ['A'] }]])
  const changes: Record<string, string>[] = [
    { 'x-bench-agent': 'other' },
    { 'x-bench-session': 'session-2' },
    { 'x-bench-pass': `${pass}0` },
  ]
  for (const change of changes) expect(await read(change)).toEqual([403, null])
  expect(await read({}, '00000000-0000-4000-8000-0000000000ff')).toEqual([404, null])
  expect(await read({}, 'nonsense')).toEqual([404, null])
})
