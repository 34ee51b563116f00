import { spawnSync } from 'node:child_process'
import { afterAll, afterEach, expect, test } from 'vitest'
import { createBubblewrap } from '../bubblewrap/open-bubblewrap.ts'
import { findControlGroups } from '../cgroup/control-groups.ts'
import { createSandyProbe } from './probe-sandy.ts'
import type { SandyServerOptions } from './testing/sandy-server.ts'
import { answer, apiKey, only, startSandy } from './testing/start-sandy.ts'

const groups = await findControlGroups()
const absent =
  spawnSync('bwrap', ['--version']).status !== 0 ? 'bwrap is not installed' : 'missing' in groups && `this machine ${groups.missing}`
if (absent) console.info(`skipped: ${absent}`)
const bubblewrap = await createBubblewrap('bwrap', groups)
afterAll(() => bubblewrap.close())
const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

async function start(fault?: SandyServerOptions['fault'], more: Partial<SandyServerOptions> = {}) {
  const started = await startSandy({ provider: bubblewrap, apiKey, fault, ...more })
  ends.push(started.close)
  return started
}

test('[SBX69] a service is proved by a sandbox that is ended, and says what it has; what does not hold is named', async (context) => {
  context.skip(absent !== false, String(absent))
  const { options, server } = await start(undefined, { resources: { cpuCount: 6, memoryAvailableBytes: 2 ** 33, limits: { max: 3 } } })
  const probe = createSandyProbe(options)
  expect(await probe.probe()).toMatch(/^all held; the service has 6 CPUs, 8,192 MB of memory and 20,480 MB of disk free; .*"max":3/)
  expect([probe.pool, server.made(), server.live()]).toEqual([{ cpus: 6, memory_mb: 8192, disk_mb: 20_480 }, 1, []])
  expect(probe.probed.length).toBeLessThanOrEqual(200)
  const full = await start(only('create', [0, 1, 2], answer(503)), { resources: { canCreateSandbox: false, rejectReason: 'no room left' } })
  await expect(createSandyProbe(full.options).probe()).rejects.toThrow(/HTTP 503 .*no room left/)
  const broken = await start(only('exec', [2], answer(500)))
  await expect(createSandyProbe(broken.options).probe()).rejects.toThrow('does not hold: time (unavailable)')
  expect(broken.server.live()).toEqual([])
})
