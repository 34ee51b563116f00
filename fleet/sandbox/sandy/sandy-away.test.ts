import { spawnSync } from 'node:child_process'
import { afterAll, expect, test } from 'vitest'
import { createBubblewrap } from '../bubblewrap/open-bubblewrap.ts'
import { findControlGroups } from '../cgroup/control-groups.ts'
import { contractSpec } from '../sandbox.contract.ts'
import { startSandyServer } from './testing/sandy-server.ts'
import { apiKey, startSandy } from './testing/start-sandy.ts'

const groups = await findControlGroups()
const absent =
  spawnSync('bwrap', ['--version']).status !== 0 ? 'bwrap is not installed' : 'missing' in groups && `this machine ${groups.missing}`
const bubblewrap = await createBubblewrap('bwrap', groups)
afterAll(() => bubblewrap.close())
const never = new AbortController().signal
const limits = { timeout_ms: 30_000, output_bytes: 99 }

test('[SBX75] a Sandy service that goes away ends what runs as unavailable, refuses for now, and opens again once it is back', {
  timeout: 60_000,
}, async (context) => {
  context.skip(absent !== false, String(absent))
  const { sandy, server, told, close } = await startSandy({ provider: bubblewrap, apiKey })
  const outcome = await sandy.open(contractSpec, never)
  if (!outcome.ok) throw new Error(outcome.failure.detail)
  const box = outcome.value
  const [id] = server.live()
  const running = box.exec({ argv: ['sleep', '99'], ...limits })
  await expect.poll(() => server.asked.filter(({ route }) => route === 'exec').length).toBe(2) // the first made it ready
  await server.close()
  expect((await running).end).toBe('unavailable')
  expect([await box.read('f', 9), await box.write('f', new Uint8Array(1))]).toEqual([null, 'unavailable'])
  expect(await sandy.open(contractSpec, never)).toMatchObject({
    ok: false,
    failure: { at: 'sandbox', reason: 'unavailable', retryable: true },
  })
  await box[Symbol.asyncDispose]()
  expect(told).toEqual([expect.stringContaining(`sandbox ${id}: `)])

  const back = await startSandyServer({ provider: bubblewrap, apiKey, port: Number(new URL(server.url).port) })
  const next = await sandy.open(contractSpec, never)
  if (!next.ok) throw new Error(next.failure.detail)
  expect((await next.value.exec({ argv: ['true'], ...limits })).end).toBe('exited')
  await next.value[Symbol.asyncDispose]()
  expect([back.made(), back.live(), server.live()]).toEqual([1, [], []])
  await close()
  await back.close()
})
