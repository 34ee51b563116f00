import { expect, test } from 'vitest'
import { provedPools, Resources } from '#shared/contract/resources.ts'
import { resourcesText } from '#shared/run/needs-text.ts'
import { announceResources } from './announce-resources.ts'
import { readSandboxRoom } from './sandbox/sandbox-room.ts'

const at = new Date('2026-11-22T12:00:00.000Z')
const probe = (
  kind: 'bwrap' | 'docker' | 'sandy',
  found: string | Error,
  pool: { cpus: number; memory_mb: number; disk_mb: number } | null = null,
) => ({
  kind,
  probed: 'start, no network',
  pool,
  probe: async () => {
    if (found instanceof Error) throw found
    return found
  },
})

test('[LANE15] an agent announces its machine and no sandbox that no probe has proved', async () => {
  const plain = Resources.parse(await announceResources('/nowhere/at/all', []))
  expect(plain.machine.cpus).toBeGreaterThan(0)
  expect(plain.machine.memory_mb).toBeGreaterThan(100)
  expect([plain.sandboxes, plain.proofs, provedPools(plain)]).toEqual([[], [], []])
  expect(resourcesText(plain)).toMatch(/^\d+ cpus?, [\d.]+ GB memory, [\d.]+ [MG]B free disk; no sandbox: it is given questions only$/)
})

test('[LANE15] kinds on one machine share its means, a service elsewhere has its own, and what failed is told with its reason', async () => {
  const sandy = { cpus: 200, memory_mb: 400_000, disk_mb: 1_000_000 }
  const probes = [probe('bwrap', new Error('it would run as root')), probe('docker', 'runc 1.3.3'), probe('sandy', 'reached', sandy)]
  const found = Resources.parse(await announceResources('.', probes, () => at))
  const memory = Math.floor(found.machine.memory_mb * 0.75)
  const disk_mb = Math.floor(memory / 4)
  expect(found.sandboxes).toEqual([
    { kinds: ['docker'], cpus: found.machine.cpus, memory_mb: memory - disk_mb, disk_mb },
    { kinds: ['sandy'], ...sandy },
  ])
  expect(found.proofs).toMatchObject([
    { kind: 'bwrap', ok: false, detail: 'it would run as root', at: at.toISOString() },
    { kind: 'docker', ok: true, detail: 'runc 1.3.3' },
    { kind: 'sandy', ok: true },
  ])
  expect(provedPools(found)).toEqual(found.sandboxes)
  expect(resourcesText(found)).toContain('; sandboxes: docker, sandy; not proved: bwrap (it would run as root)')
})

test('[LANE25] an operator may say what sandboxes of the machine take together; what is no number is refused in a sentence', async () => {
  const room = readSandboxRoom({ BENCH_SANDBOX_CPUS: '64', BENCH_SANDBOX_MEMORY_MB: '9000.5' })
  const { sandboxes } = await announceResources('.', [probe('bwrap', 'held')], () => at, room)
  expect(sandboxes).toEqual([{ kinds: ['bwrap'], cpus: 64, memory_mb: 6750, disk_mb: 2250 }])
  expect(readSandboxRoom({ BENCH_SANDBOX_CPUS: ' ' })).toEqual({})
  for (const BENCH_SANDBOX_CPUS of ['many', '0', '-1', '2000', 'NaN'])
    expect(() => readSandboxRoom({ BENCH_SANDBOX_CPUS })).toThrow('BENCH_SANDBOX_CPUS is')
})

test('[LANE20] where files are in memory, memory and disk together are never announced as more than there is for both', async () => {
  const { machine, sandboxes } = Resources.parse(await announceResources('.', [probe('bwrap', 'all held')], () => at))
  const [pool] = sandboxes
  expect(pool).toMatchObject({ kinds: ['bwrap'], cpus: machine.cpus })
  expect(pool!.memory_mb + pool!.disk_mb).toBe(Math.floor(machine.memory_mb * 0.75))
  expect(pool!.memory_mb).toBe(3 * pool!.disk_mb + ((pool!.memory_mb + pool!.disk_mb) % 4))
  const both = await announceResources('.', [probe('bwrap', 'all held'), probe('docker', 'runc')], () => at)
  expect(both.sandboxes).toEqual([{ ...pool, kinds: ['bwrap', 'docker'] }])
})
