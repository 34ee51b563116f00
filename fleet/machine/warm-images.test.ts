import { spawnSync } from 'node:child_process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MachineImage } from '#shared/solvers/machine.ts'
import { connectEngine } from '../docker/engine.ts'
import { ownHolder } from '../docker/owner.ts'
import { openMachineImages } from './machine-images.ts'
import { type FakeRegistry, startFakeRegistry } from './testing/fake-registry.ts'
import { ensureMachineImage, machineImage } from './testing/machine-image.ts'
import { smallImage } from './testing/small-image.ts'
import { createImageWarmer } from './warm-images.ts'

const absent = await ensureMachineImage()
if (absent !== null) console.info(`skipped: ${absent}`)
const patience = { timeout: 120_000, skip: absent !== null }
const never = new AbortController().signal
const words = `warm-test-${process.pid}`
const docker = await connectEngine()
let registry: FakeRegistry
beforeAll(async () => {
  registry = await startFakeRegistry(await smallImage(words))
})
afterAll(async () => {
  await registry[Symbol.asyncDispose]()
  const own = spawnSync('docker', ['images', '--format', '{{.Repository}}:{{.Tag}}']).stdout.toString().split('\n')
  const made = own.filter((name) => name.includes(`/${words}`))
  if (made.length > 0) spawnSync('docker', ['image', 'rm', '--force', ...made])
})
const named = (name: string): MachineImage => ({ type: 'named', name, pull_timeout_ms: 60_000 })
const means = { mirror: null, logins: [], say: () => undefined, network: null, cpus: 1, memory_mb: 512, owner: words, holder: ownHolder() }

test(
  '[MACH64] images are pulled ahead one at a time, not where the disk is nearly full, and not after a registry let nobody pull more',
  patience,
  async () => {
    const repositories = ['first', 'second', 'full', 'refused', 'rests', 'later'].map((one) => `${words}/ahead-${one}`)
    for (const one of repositories) registry.mood(one, one.endsWith('refused') ? 'too-many-requests' : 'serves')
    const [first = '', second = '', full = '', refused = '', rests = '', later = ''] = repositories
    const asks = (repository: string) => registry.asked.some(({ line }) => line.includes(`/${repository}/`))
    const images = openMachineImages(docker, means, async () => undefined)
    const seen: string[] = []
    let [now_ms, disk] = [0, true]
    const warm = createImageWarmer(
      {
        images: {
          ...images,
          have: async (image, signal) => {
            const name = image.type === 'named' ? image.name.split('ahead-')[1]! : 'built'
            seen.push(name)
            const outcome = await images.have(image, signal)
            seen.push(`${name} ends`)
            return outcome
          },
        },
        hasDisk: async () => disk,
      },
      () => now_ms,
    )
    const ahead = (...some: string[]) => Promise.all(some.map((one) => warm(named(`${registry.host}/${one}:1`), never)))
    await ahead(first, second)
    expect(seen).toEqual(['first:1', 'first:1 ends', 'second:1', 'second:1 ends'])
    const before = registry.asked.length
    expect(await images.have(named(`${registry.host}/${first}:1`), never)).toMatchObject({ ok: true })
    expect(registry.asked).toHaveLength(before) // it is there
    disk = false
    await ahead(full)
    disk = true
    await ahead(refused, rests)
    expect([asks(full), asks(refused), asks(rests)]).toEqual([false, true, false])
    now_ms = 600_001
    await ahead(later)
    expect(asks(later)).toBe(true)
    await warm({ type: 'built', context: [], dockerfile: `FROM ${machineImage}`, build_timeout_ms: 1 }, never)
    expect(seen).not.toContain('built')
  },
)
