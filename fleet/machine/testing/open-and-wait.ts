import { text } from 'node:stream/consumers'
import { createMachines } from '../open-machines.ts'
import type { FixtureFiles } from './fixture-tasks.ts'
import { openFixture } from './run-fixture.ts'

/** Opens the machine of the task on standard input for an agent of this name, says so, and waits to be killed. */
const files = JSON.parse(await text(process.stdin)) as FixtureFiles // of the test that started this
await openFixture(await createMachines({ owner: process.argv[2]!, room: { cpus: 64, memory_mb: 65_536 } }), files)
console.info('open')
setInterval(() => undefined, 1_000_000)
