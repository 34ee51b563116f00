import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll } from 'vitest'
import type { MachineImage } from '#shared/solvers/machine.ts'
import { connectEngine } from '../../docker/engine.ts'
import { ownHolder } from '../../docker/owner.ts'
import { works } from '../../images/debian-image.ts'
import { builtName } from '../build-image.ts'
import { createDiskWatch } from '../disk-watch.ts'
import { type FakeRegistry, startFakeRegistry } from './fake-registry.ts'
import { ensureMachineImage } from './machine-image.ts'
import { smallImage } from './small-image.ts'

/**
 * What tests of images share: the engine of this host, a registry on the loopback that has one image, and names that begin with `words` and are removed afterwards with what was
 * built as `built` says. `absent` says why there is nothing to test with.
 */
export async function openImageFixture(purpose: string) {
  const absent = (await works('docker', 'version')) ? await ensureMachineImage() : 'Docker does not answer'
  if (absent !== null) console.info(`skipped: ${absent}`)
  // Process numbers are reused, and the engine keeps parts of removed images.
  const words = `${purpose}-${randomBytes(5).toString('hex')}`
  const names = new Set<string>()
  let registry: FakeRegistry | undefined
  beforeAll(async () => {
    registry = await startFakeRegistry(await smallImage(words))
  })
  afterAll(async () => {
    await registry?.[Symbol.asyncDispose]()
    const own = spawnSync('docker', ['images', '--format', '{{.Repository}}:{{.Tag}}']).stdout.toString().split('\n')
    const made = own.filter((name) => name.includes(`/${words}`) || names.has(name))
    if (made.length > 0) spawnSync('docker', ['image', 'rm', '--force', ...made])
  })
  return {
    words,
    docker: await connectEngine(),
    patience: { timeout: 120_000, skip: absent !== null },
    /** Once tests run. */
    get registry(): FakeRegistry {
      return registry!
    },
    /** By what agents are told apart that wait for each other's builds. */
    lock: { owner: words, holder: ownHolder() },
    /** Means of builds and pulls that reach the registry on the loopback. */
    get reach() {
      const disk = createDiskWatch({ free: async () => null, reserve: async () => 0 })
      const registries = [...(registry ? [registry.host] : []), '127.0.0.1:1']
      return { registries, network: 'none', always_online: false, cpus: 1, memory_mb: 512, storage_mb: 1024, disk, local: true }
    },
    named: (name: string): MachineImage => ({ type: 'named', name, pull_timeout_ms: 60_000 }),
    /** An image built of one Dockerfile and whatever stands beside it. */
    built(dockerfile: string, ...more: (MachineImage & { type: 'built' })['context'][number][]): MachineImage & { type: 'built' } {
      const text = { path: 'Dockerfile', mode: 0o644, bytes: new TextEncoder().encode(dockerfile) }
      const image = { type: 'built' as const, context: [text, ...more], dockerfile: 'Dockerfile', build_timeout_ms: 90_000 }
      names.add(builtName(image))
      return image
    },
  }
}
