import type Docker from 'dockerode'
import * as z from 'zod'
import { proofsOf } from '#fleet/announce-resources.ts'
import { connectEngine, readEngineAddress, refusalIn } from '#fleet/docker/engine.ts'
import type { MachineHost } from '#fleet/machine/machine-host.ts'
import type { Check } from './checks.ts'

/** The same machines, tried once for every line of doctor. */
export function machineTriedOnce(host: MachineHost): MachineHost {
  let tried: Promise<string> | undefined
  const once = async (): Promise<string> => {
    const [proof] = await proofsOf([host.probe])
    if (!proof!.ok) throw new Error(proof!.detail)
    return proof!.detail
  }
  return { ...host, probe: { ...host.probe, probe: () => (tried ??= once()) } }
}

/** Environments of terminal tasks: whether they are ready, or why not, and what each engine is. */
export function machineCheck(host: MachineHost, env: Record<string, string | undefined> = {}): Check {
  const absent = host.absence()
  return {
    name: 'environments',
    needed_for: 'terminal tasks (Terminal-Bench, Harbor, SWE-bench Pro)',
    fix: absent ? absent.fix : host.fix,
    look: async () => {
      if (absent) throw new Error(absent.why)
      await host.probe.probe()
      const engines = await Promise.all(
        namesOf(env).map(async (name) => engineText(name, await connectEngine(name === null ? undefined : readEngineAddress(name)))),
      )
      return `ready: ${engines.join('; ')}`
    },
  }
}

/** The engines that the environment names; null stands for the usual one. */
function namesOf({ BENCH_DOCKER_HOSTS }: Record<string, string | undefined>): (string | null)[] {
  const named = (BENCH_DOCKER_HOSTS ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)
  return named.length > 0 ? named : [null]
}

const Version = z.object({
  Version: z.string(),
  ApiVersion: z.string().default('0'),
  Components: z.array(z.object({ Name: z.string() })).default([]),
})
const Info = z.object({
  Driver: z.string().default('unknown'),
  DriverStatus: z.array(z.array(z.string())).nullish(),
  Plugins: z.object({ Network: z.array(z.string()).nullish() }).nullish(),
  CgroupVersion: z.string().nullish(),
})
const Network = z.array(z.object({ Name: z.string(), Driver: z.string() }))

/** The first release line that its makers still mend; older ones have public holes and lack BuildKit as the usual builder. */
const oldestKept = 25

async function engineText(name: string | null, docker: Docker): Promise<string> {
  try {
    const version = Version.parse(await docker.version())
    const info = Info.parse(await docker.info())
    const networks = Network.parse(await docker.listNetworks({ filters: {} })).map(({ Name }) => Name)
    return describeEngine({ ...info, name, version: version.Version, networks, buildKit: hasBuildKit(version) })
  } catch (error) {
    throw new Error(`Docker${name === null ? '' : ` at ${name}`} does not answer as it should: ${refusalIn(error).words.slice(0, 100)}`, {
      cause: error,
    })
  }
}

/** The first version of the API in which an engine builds with BuildKit (Docker 18.09). */
const withBuildKit = 1.39
/** Docker's own engine names itself so; others speak its API without its builder. */
const hasBuildKit = ({ ApiVersion, Components }: z.infer<typeof Version>): boolean =>
  Components.some(({ Name }) => Name === 'Engine') && Number(ApiVersion) >= withBuildKit

type Engine = z.infer<typeof Info> & { name: string | null; version: string; networks: readonly string[]; buildKit: boolean }

/** An engine in words: version, where it keeps images, whether it limits disks, its networks, its builder; and what is wrong with an old one. */
export function describeEngine({ name, version, Driver, DriverStatus, CgroupVersion, networks, buildKit }: Engine): string {
  const major = Number(version.split('.')[0])
  const backing = DriverStatus?.find(([key]) => key === 'Backing Filesystem')?.[1]
  const quota =
    Driver === 'overlay2' && backing === 'xfs'
      ? 'disk limits with pquota'
      : ['btrfs', 'zfs', 'devicemapper'].includes(Driver)
        ? 'disk limits'
        : 'no disk limits (watched instead)'
  const outward = networks.filter((one) => one !== 'none' && one !== 'host')
  return [
    `Docker ${version}${name === null ? '' : ` at ${name}`}`,
    `${Driver}${backing ? ` on ${backing}` : ''}, ${quota}`,
    `control groups version ${CgroupVersion ?? '1'}`,
    outward.length > 0 ? `networks: ${outward.join(', ')}` : 'no network: tasks that need one fail',
    buildKit ? 'BuildKit' : 'no BuildKit: Dockerfiles with heredocs or --mount do not build',
    ...(major < oldestKept ? [`old: versions before ${oldestKept} get no fixes any more`] : []),
  ].join(', ')
}
