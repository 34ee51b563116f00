import { expect, test } from 'vitest'
import type { SandboxPool } from '#shared/contract/resources.ts'
import { openSandboxes } from './open-sandboxes.ts'
import type { Absence, SandboxHost } from './sandbox-host.ts'
import { sandboxHosts } from './sandbox-hosts.ts'

type Script = { absent?: Absence; proof?: Error; opens?: Error; pool?: Omit<SandboxPool, 'kinds'> }

/** A kind of sandbox that does as it is told; `told` hears what is done with it. */
function host(kind: SandboxHost['kind'], told: string[], { absent, proof, opens, pool }: Script = {}): SandboxHost {
  return {
    kind,
    absence: () => absent ?? null,
    fix: '',
    probe: {
      ...{ kind, probed: 'start', pool: pool ?? null },
      async probe() {
        told.push(`${kind} tried`)
        if (proof) throw proof
        return 'held'
      },
    },
    async create() {
      if (opens) throw opens
      told.push(`${kind} opened`)
      return { open: () => Promise.reject(new Error('unused')), close: () => void told.push(`${kind} closed`) }
    },
  }
}

test('[SBX30] what held is opened once and closed at the end; what is not there is neither tried nor mentioned', async () => {
  const told: string[] = []
  const pool = { cpus: 100, memory_mb: 9000, disk_mb: 8000 }
  const hosts = [
    host('bwrap', told),
    host('docker', told, { absent: { why: 'there is no Docker', fix: 'install it' } }),
    host('sandy', told, { pool }),
  ]
  const { resources, sandboxes, rooms, close } = await openSandboxes(hosts, '.')
  expect(sandboxes).toMatchObject([
    { kind: 'bwrap', lane: 'sandbox' },
    { kind: 'sandy', lane: 'elsewhere' },
  ])
  expect(resources.proofs.map(({ kind }) => kind)).toEqual(['bwrap', 'sandy'])
  const [here] = resources.sandboxes
  expect(rooms).toEqual({ sandbox: { cpus: here!.cpus, memory_mb: here!.memory_mb + here!.disk_mb, disk_mb: 0 }, elsewhere: pool })
  await close()
  expect(told.toSorted()).toEqual(['bwrap closed', 'bwrap opened', 'bwrap tried', 'sandy closed', 'sandy opened', 'sandy tried'])
})

test('[SBX30] what does not hold, or cannot be opened after all, is told and not announced', async () => {
  const told: string[] = []
  const hosts = [host('bwrap', told, { proof: new Error('it has a network') }), host('docker', told, { opens: new Error('it is gone') })]
  const { resources, sandboxes, rooms } = await openSandboxes(hosts, '.')
  expect([resources.sandboxes, sandboxes, rooms]).toEqual([[], [], {}])
  expect(resources.proofs).toMatchObject([
    { kind: 'bwrap', ok: false, detail: 'it has a network' },
    { kind: 'docker', ok: false, detail: 'it is gone' },
  ])
})

test('[SBX30] the room of a service elsewhere is what it told when it was tried', async () => {
  let pool = { cpus: 1, memory_mb: 16, disk_mb: 1 }
  const sandy = host('sandy', [])
  const late: SandboxHost = {
    ...sandy,
    probe: {
      ...{ kind: 'sandy', probed: 'start' },
      get pool() {
        return pool
      },
      async probe() {
        pool = { cpus: 8, memory_mb: 4096, disk_mb: 9000 }
        return 'held'
      },
    },
  }
  const { resources, rooms } = await openSandboxes([late], '.')
  expect([resources.sandboxes, rooms]).toEqual([[{ kinds: ['sandy'], ...pool }], { elsewhere: pool }])
})

test('[SBX30] Docker is there with an engine and an image, Sandy with its address; what does not fit of it is told when it is tried', async () => {
  const absences = (env: Record<string, string>) =>
    sandboxHosts({ PATH: '/no/such/folder', ...env }).map((one) => one.absence()?.why ?? one.kind)
  expect(absences({ DOCKER_HOST: 'tcp://127.0.0.1:9' })).toEqual([
    'bwrap is not installed',
    'Docker has no image for sandboxes',
    'SANDY_BASE_URL is not set',
  ])
  const named = { DOCKER_HOST: 'tcp://127.0.0.1:9', BENCH_SANDBOX_IMAGE: 'debian', SANDY_BASE_URL: 'https://sandy' }
  expect(absences(named)).toEqual(['bwrap is not installed', 'docker', 'sandy'])
  const { resources } = await openSandboxes(sandboxHosts({ SANDY_BASE_URL: 'https://sandy' }), '.')
  expect(resources.proofs).toMatchObject([{ kind: 'sandy', ok: false, detail: expect.stringContaining('SANDY_API_KEY is missing') }])
})
