import { spawnSync } from 'node:child_process'
import { afterAll, expect, test } from 'vitest'
import { createBubblewrap } from '../bubblewrap/open-bubblewrap.ts'
import { findControlGroups } from '../cgroup/control-groups.ts'
import { contractSpec, type OpenForContract, sandboxContract } from '../sandbox.contract.ts'
import { createSandy } from './open-sandy.ts'
import { startSandyServer } from './testing/sandy-server.ts'

const groups = await findControlGroups()
const absent =
  spawnSync('bwrap', ['--version']).status !== 0 ? 'bwrap is not installed' : 'missing' in groups && `this machine ${groups.missing}`
if (absent) console.info(`skipped: ${absent}`)
const patience = 60_000
const bubblewrap = await createBubblewrap('bwrap', groups)
const server = await startSandyServer({ provider: bubblewrap, apiKey: 'sandy-key-of-the-operator' })
const sandy = await createSandy({ base_url: server.url, api_key: 'sandy-key-of-the-operator' })
const open: OpenForContract = (changes = {}, signal = new AbortController().signal) => sandy.open({ ...contractSpec, ...changes }, signal)

afterAll(async () => {
  await sandy.close()
  await server.close()
  bubblewrap.close()
})

// All rules, none left out. Disk (SBX9) and number of processes (SBX10) are here the test server's own limits, as they are a real service's; memory
// (SBX8) is limited to ten times what the contract asks for there, so that it is the watch inside that holds it.
for (const { rule, name, check } of sandboxContract)
  test(`[${rule}] sandy: ${name}`, { timeout: patience }, async (context) => {
    context.skip(absent !== false, String(absent))
    await check(open)
    expect(server.live()).toEqual([])
  })
