import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { namesOfPulled, ownReferences } from '#shared/dockerfile/image-name.ts'
import { someOf } from '#shared/testing/draws.ts'
import { connectEngine } from '../docker/engine.ts'
import { ownHolder } from '../docker/owner.ts'
import { evictImages, imageLabel } from '../docker/reap.ts'
import { missingForEngine, type OwnEngine, startOwnEngine } from '../sandbox/docker/testing/own-engine.ts'
import { createDiskWatch } from './disk-watch.ts'
import { contractMachine } from './machine.contract.ts'
import { openMachineImages } from './machine-images.ts'
import { createMachines, type Machines } from './open-machines.ts'
import { startFakeRegistry } from './testing/fake-registry.ts'
import { ensureMachineImage, machineImage } from './testing/machine-image.ts'
import { smallImage } from './testing/small-image.ts'

const absent = (await ensureMachineImage()) ?? (await missingForEngine())
if (absent !== null) console.info(`skipped: ${absent}`)
const patience = { timeout: 180_000, skip: absent !== null }
const never = new AbortController().signal
const hostEngine = 'unix:///var/run/docker.sock'
const room = { cpus: 64, memory_mb: 16_384 }
let engine: OwnEngine
let own: string

beforeAll(async () => {
  if (absent !== null) return
  engine = await startOwnEngine()
  own = `unix://${engine.socketPath}`
  await engine.load(machineImage)
}, 180_000)
afterAll(() => engine?.[Symbol.asyncDispose](), 60_000)

const openIn = async (by: Machines, changes: Partial<typeof contractMachine> = {}) => {
  const outcome = await by.open({ ...contractMachine, ...changes }, never)
  if (!outcome.ok) throw new Error(outcome.failure.detail)
  return outcome.value
}
const limits = { timeout_ms: 60_000, head_bytes: 1000, tail_bytes: 1000 }
const listed = async (): Promise<string[]> => (await engine.docker('ps', '--all', '--quiet')).split('\n').filter(Boolean)

for (const how of someOf(['stop', 'kill'] as const, 1))
  test(
    `[MACH32] an engine that goes away (${how}) ends what runs as unavailable, refuses for now, and has nothing left of it when it is back`,
    patience,
    async () => {
      const machines = await createMachines({ engines: [own], room })
      try {
        const box = await openIn(machines)
        const { promise: began, resolve } = Promise.withResolvers<void>()
        const running = box.exec({
          argv: ['sh', '-c', "trap '' TERM; echo began; sleep 99; sleep 99"],
          ...limits,
          onOutput: () => resolve(),
        })
        await began
        const away = engine[how]()
        expect((await running).end).toBe('unavailable')
        await away
        expect(await box.upload('/x', [])).toBe('unavailable')
        expect(await box.endProcesses()).toBe(false)
        await box[Symbol.asyncDispose]()
        expect(machines.load().used).toMatchObject({ memory_mb: 0 })
        expect(await machines.open(contractMachine, never)).toMatchObject({
          ok: false,
          failure: { at: 'sandbox', reason: 'unavailable', retryable: true },
        })
        await engine.start()
        await using next = await openIn(machines)
        expect((await next.exec({ argv: ['true'], ...limits })).exit_code).toBe(0)
        expect(await listed()).toHaveLength(1)
      } finally {
        await machines.close()
      }
      expect(await listed()).toEqual([])
    },
  )

test(
  '[MACH33] of several engines a machine is placed at the one with most room, and one that does not answer is passed by',
  patience,
  async () => {
    const machines = await createMachines({ engines: [hostEngine, own, 'tcp://127.0.0.1:1'], room: { cpus: 8, memory_mb: 600 } })
    try {
      const boxes = [await openIn(machines), await openIn(machines)]
      expect(await listed()).toHaveLength(1)
      boxes.push(await openIn(machines), await openIn(machines))
      expect(await listed()).toHaveLength(2)
      const fifth = openIn(machines)
      await expect.poll(() => machines.load().waiting).toBe(2) // at both
      await boxes[1]!.stop()
      await fifth
      expect(machines.load()).toMatchObject({ used: { memory_mb: 4 * 256 }, waiting: 0 })
      expect(await listed()).toHaveLength(2)
    } finally {
      await machines.close()
    }
    expect(await listed()).toEqual([])
  },
)

/** An agent that opens two machines and begins a command in one that hears no signal. */
const agentProgram = `const { createMachines } = await import(process.argv[1])
const machines = await createMachines({ engines: [process.argv[2]], owner: process.argv[3] })
const [one] = await Promise.all([1, 2].map(() => machines.open(${JSON.stringify({ ...contractMachine, image: { ...contractMachine.image, name: 'with-volume:1' } })}, new AbortController().signal)))
if (!one.ok) throw new Error(one.failure.detail)
void one.value.exec({ argv: ['sh', '-c', "trap '' TERM HUP INT; sleep 99; :"], timeout_ms: 99999, head_bytes: 9, tail_bytes: 9 })
console.log('began')
setInterval(() => undefined, 9999)`

test(
  '[MACH31] what an agent leaves that was killed is removed when the next begins, volumes too; machines of agents that live stay',
  patience,
  async () => {
    await engine.docker('create', '--name', 'made', '--network', 'none', machineImage)
    await engine.docker('commit', '--change', 'VOLUME /data', 'made', 'with-volume:1')
    await engine.docker('rm', 'made')
    const alive = await createMachines({ engines: [own], room })
    try {
      const kept = await openIn(alive)
      const home = new URL('./open-machines.ts', import.meta.url).href
      const agent = spawn(process.execPath, ['--input-type=module', '-e', agentProgram, home, own, 'killed-agent'], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      await once(agent.stdout, 'data')
      agent.kill('SIGKILL')
      await once(agent, 'close')
      expect(await listed()).toHaveLength(3)
      expect((await engine.docker('volume', 'ls', '--quiet')).trim().split('\n')).toHaveLength(2)
      await (await createMachines({ engines: [own], owner: 'another' })).close()
      expect(await listed()).toHaveLength(1)
      expect((await kept.exec({ argv: ['true'], ...limits })).exit_code).toBe(0)
    } finally {
      await alive.close()
    }
    expect(await listed()).toEqual([])
    expect((await engine.docker('volume', 'ls', '--quiet')).trim()).toBe('')
    await engine.docker('image', 'rm', 'with-volume:1')
    expect((await engine.docker('network', 'ls', '--quiet', '--filter', 'type=custom')).trim()).toBe('')
  },
)

test(
  '[MACH24] on a disk that is nearly full images go that were pulled or built for machines, the longest unused first, and no others',
  patience,
  async () => {
    const docker = await connectEngine(engine.socketPath)
    const folder = mkdtempSync(join(tmpdir(), 'bench-machine-images-'))
    await using registry = await startFakeRegistry(await smallImage('pulled', 2020))
    try {
      const load = async (name: string, year: number, labels = {}) => {
        writeFileSync(join(folder, 'image.tar'), await smallImage(name, year, labels, [`${name}:1`]))
        await engine.docker('load', '--quiet', '--input', join(folder, 'image.tar'))
      }
      await load('theirs', 2019)
      await load('built', 2022, { [imageLabel]: '1' })
      await load('used', 2021, { [imageLabel]: '1' })
      await engine.docker('create', '--name', 'uses', '--network', 'none', 'used:1')
      registry.mood('some/task', 'serves')
      const images = openMachineImages(
        docker,
        {
          ...{ mirror: null, logins: [], say: () => undefined, owner: 'test', holder: ownHolder(), registries: [registry.host] },
          ...{ network: 'none', always_online: false, cpus: 1, memory_mb: 512, storage_mb: 1024, local: true },
          disk: createDiskWatch({ free: async () => null, reserve: async () => 0 }),
        },
        async () => undefined,
      )
      const name = `${registry.host}/some/task:1`
      expect(await images.have({ type: 'named', name, pull_timeout_ms: 60_000 }, never)).toMatchObject({ ok: true })
      const names = async () => (await engine.docker('image', 'ls', '--format', '{{.Repository}}')).split('\n').filter(Boolean).sort()
      expect(await names()).toHaveLength(6) // the pulled one has two names
      const references = { references: ownReferences, namesOf: namesOfPulled, lastUsed: images.lastUsed }
      // The pulled one is older and was used last.
      const until = (gone: string) => async () => ((await names()).includes(gone) ? 0 : 500)
      expect(await evictImages(docker, engine.folder, 400, until('built'), references)).toBe(1)
      expect(await names()).toContain(`${registry.host}/some/task`)
      expect(await evictImages(docker, engine.folder, 400, async () => 0, references)).toBe(1)
      expect(await names()).toEqual(['bench/base', 'theirs', 'used'])
      await engine.docker('rm', 'uses')
      // As an agent does before it builds, by the disk itself: a machine never has so much.
      const machines = await createMachines({ engines: [own], leastFree_mb: 2 ** 50 })
      const built = {
        type: 'built',
        context: [{ path: 'Dockerfile', mode: 0o644, bytes: Buffer.from('FROM scratch\nLABEL a=b\n') }],
        dockerfile: 'Dockerfile',
        build_timeout_ms: 60_000,
      } as const
      expect(await machines.prepare(built, never)).toEqual({ ok: true, value: undefined })
      expect((await names()).filter((one) => one === 'used' || one === 'theirs')).toEqual(['theirs'])
      await machines.close()
    } finally {
      rmSync(folder, { recursive: true })
    }
  },
)

test('[MACH25] the image of a test machine has what terminal tasks need', patience, () => {
  const tools = ['tmux -V', 'git --version', 'python3 -m pytest --version', 'patch --version', 'script --version']
  const run = spawnSync('docker', ['run', '--rm', '--network', 'none', machineImage, 'sh', '-c', `${tools.join(' && ')} >/dev/null && pwd`])
  expect(run.stdout.toString()).toMatch(/\/app\n$/)
})
