import { expect, test, vi } from 'vitest'
import { questionNeeds, type SandboxNeeds } from '#shared/contract/resources.ts'
import { RunRefused } from '#shared/run/run-refused.ts'
import { sandbox } from '#shared/run/testing/test-fleet.ts'
import { testSpec } from '#shared/run/testing/test-spec.ts'
import { openLocalSandboxes } from './local-sandboxes.ts'
import type { SandboxHost } from './sandbox/sandbox-host.ts'
import { sandboxHosts } from './sandbox/sandbox-hosts.ts'

/** A sandbox of a service elsewhere, whose room is as it says. */
const atService = (more: Partial<SandboxNeeds> = {}): SandboxNeeds => sandbox({ kinds: ['sandy'], ...more })

/** A plan whose benchmarks need this. */
const planned = (needs: SandboxNeeds | null) => {
  const spec = testSpec()
  return { ...spec, benchmarks: spec.benchmarks.map((one) => ({ ...one, needs: { ...questionNeeds, sandbox: needs } })) }
}

/** A kind that holds or does not, and how often it was closed. */
function host(proof: Error | null) {
  const seen = { tried: 0, closed: 0 }
  const one: SandboxHost = {
    ...{ kind: 'sandy', fix: '', absence: () => null },
    probe: {
      ...{ kind: 'sandy', probed: 'start', pool: { cpus: 4, memory_mb: 8000, disk_mb: 20_000 } },
      async probe() {
        seen.tried++
        if (proof) throw proof
        return 'held'
      },
    },
    create: async () => ({ open: () => Promise.reject(new Error('unused')), close: () => void seen.closed++ }),
  }
  return { one, seen }
}

test('[CLI121] a run that needs a sandbox has those that hold until its end; one that only asks tries none', async () => {
  const { one, seen } = host(null)
  {
    await using opened = await openLocalSandboxes(planned(null), [one], '.')
    expect([opened.sandboxes, opened.rooms, seen.tried]).toEqual([[], {}, 0])
  }
  {
    await using opened = await openLocalSandboxes(planned(atService()), [one], '.')
    expect(opened.sandboxes.map(({ kind }) => kind)).toEqual(['sandy'])
    expect(opened.rooms).toEqual({ elsewhere: { cpus: 4, memory_mb: 8000, disk_mb: 20_000 } })
    expect(seen).toEqual({ tried: 1, closed: 0 })
  }
  expect(seen.closed).toBe(1)
  {
    const other = host(new Error('is not asked for'))
    await using opened = await openLocalSandboxes(planned(atService()), [{ ...other.one, kind: 'docker' }, one], '.')
    expect([opened.sandboxes.map(({ kind }) => kind), other.seen.tried]).toEqual([['sandy'], 0])
  }
})

test('[CLI121] a run whose sandbox is not to be had here is refused, with what there is instead or what would bring one', async () => {
  const refusal = (needs: SandboxNeeds, hosts: readonly SandboxHost[]) =>
    openLocalSandboxes(planned(needs), hosts, '.').then(
      () => 'opened',
      (error: Error) => error.message,
    )
  const { one, seen } = host(null)
  const [name] = planned(null).benchmarks.map((each) => each.name)
  expect(await refusal(atService({ cpus: 9 }), [one])).toBe(
    `${name} needs a sandbox (sandy) of 9 cpus, 4 GB memory, 9.8 GB disk, and this machine does not have it: it has a sandbox (sandy) of 4 cpus, 7.8 GB memory, 19.5 GB disk. bench doctor tells more.`,
  )
  expect(seen.closed).toBe(1)
  expect(await refusal(atService(), [host(new Error('no daemon answers')).one])).toContain('sandy is not proved (no daemon answers)')
  expect(await refusal(atService({ kinds: ['bwrap'] }), sandboxHosts({ PATH: '/no/such/folder' }))).toContain(
    'bwrap is not installed (apt-get install bubblewrap (Debian, Ubuntu))',
  )
})

test('[LANE25] a room that is no number is refused in a sentence before anything is tried', async () => {
  const { one, seen } = host(null)
  vi.stubEnv('BENCH_SANDBOX_CPUS', 'many')
  try {
    const refused = openLocalSandboxes(planned(atService()), [one], '.')
    await expect(refused).rejects.toThrow(RunRefused)
    await expect(refused).rejects.toThrow('BENCH_SANDBOX_CPUS is "many": a number from 0.1 to 1024 is wanted.')
    expect(seen.tried).toBe(0)
  } finally {
    vi.unstubAllEnvs()
  }
})
