import { expect, test } from 'vitest'
import type { SandboxPool } from '#shared/contract/resources.ts'
import { openSandboxes } from './open-sandboxes.ts'
import type { Absence, SandboxHost } from './sandbox-host.ts'

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
