import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import type Docker from 'dockerode'
import * as z from 'zod'
import type { SandboxProbe } from '../announce-resources.ts'
import { connectEngine, findVolumes, readEngineAddress, readFacts, refusalIn } from '../docker/engine.ts'
import { labelsOf, ownHolder } from '../docker/owner.ts'
import type { Absence } from '../sandbox/sandbox-host.ts'
import type { MachineProvider } from '../trial/resources.ts'
import { processesOf } from './end-processes.ts'
import type { MachineOptions } from './machine-options.ts'
import { createMachines } from './open-machines.ts'

/** What opens machines of tasks, until it is closed. */
export type OpenedMachines = MachineProvider & { close(): Promise<void> }

/** Machines of tasks as an agent may have them: how an engine is looked for, tried and opened. */
export type MachineHost = {
  absence(): Absence | null
  probe: SandboxProbe
  fix: string
  create(): Promise<OpenedMachines>
}

const usualSocket = '/var/run/docker.sock'
/** More than an agent's lanes deal out: they admit trials, and a single engine need not do it again. */
const unbounded = { cpus: 100_000, memory_mb: 100_000_000 }

const Limits = z.object({ MemoryLimit: z.boolean(), CpuCfsQuota: z.boolean(), PidsLimit: z.boolean(), OSType: z.string() })

/**
 * Machines of the engines that the environment names, else of the one that usually is there. `BENCH_MACHINES=off`: none, whatever there is. `hears`: who is told how
 * machines come to their images.
 */
export function machineHost(
  { DOCKER_HOST, BENCH_DOCKER_HOSTS, BENCH_MACHINES, BENCH_SANDBOX_IMAGE }: Record<string, string | undefined>,
  hears: Pick<MachineOptions, 'onHad' | 'onWarmed' | 'owner'> = {},
): MachineHost {
  const named = (BENCH_DOCKER_HOSTS ?? '')
    .split(',')
    .map((host) => host.trim())
    .filter(Boolean)
  const engine = named.length > 0 || Boolean(DOCKER_HOST?.trim()) || existsSync(usualSocket)
  const options: MachineOptions = named.length > 1 ? hears : { ...hears, room: unbounded }
  return {
    absence() {
      if (BENCH_MACHINES === 'off') return { why: 'machines of tasks are switched off', fix: 'leave BENCH_MACHINES=off out' }
      return engine ? null : { why: 'Docker does not run here', fix: 'install Docker and start it (apt-get install docker.io)' }
    },
    probe: {
      kind: 'machine',
      probed: 'engine, limits of memory, CPU and processes, list of processes',
      pool: null,
      probe: () => tryEngines(named, BENCH_SANDBOX_IMAGE?.trim() || null),
    },
    fix: 'see that docker info works for the agent’s user, and that the engine runs Linux containers with limits',
    create: () => createMachines(options),
  }
}

/**
 * Asks every engine what it is and which limits it holds, and has it list the processes of a container where it has an `image` for one: episodes are ended by that list.
 * Throws with what is missing.
 */
async function tryEngines(named: readonly string[], image: string | null): Promise<string> {
  const found: string[] = []
  for (const name of named.length > 0 ? named : [undefined]) {
    const docker = await connectEngine(name === undefined ? undefined : readEngineAddress(name))
    const info = await docker.info().catch((error: unknown) => {
      throw new Error(`Docker does not answer${name === undefined ? '' : ` at ${name}`} (${refusalIn(error).words.slice(0, 100)})`, {
        cause: error,
      })
    })
    const limits = Limits.parse(info)
    const missing = [
      ...(limits.OSType === 'linux' ? [] : [`it runs ${limits.OSType}`]),
      ...(limits.MemoryLimit ? [] : ['no limit of memory']),
      ...(limits.CpuCfsQuota ? [] : ['no limit of CPU']),
      ...(limits.PidsLimit ? [] : ['no limit of processes']),
      ...(image === null ? [] : await listTrouble(docker, image)),
    ]
    if (missing.length > 0) throw new Error(`does not hold: ${missing.join(', ')}`)
    const facts = await readFacts(docker, null)
    found.push(`Linux ${facts.kernel}, Docker ${facts.docker}, ${facts.runtime}`)
  }
  return found.join('; ')
}

/** Why the engine cannot list the processes of a container; empty where it can, or has no such image. */
async function listTrouble(docker: Docker, image: string): Promise<string[]> {
  if ((await findVolumes(docker, image)) === null) return []
  const container = await docker.createContainer({
    Image: image,
    Entrypoint: ['sleep'],
    Cmd: ['60'],
    Labels: labelsOf(randomUUID(), ownHolder()),
    HostConfig: { NetworkMode: 'none', CapDrop: ['ALL'], Memory: 64 * 1024 ** 2 },
  })
  try {
    await container.start()
    return (await processesOf(container)).length > 0 ? [] : ['an empty list of processes']
  } catch (error) {
    return [`no list of processes (${refusalIn(error).words.slice(0, 100)}): the engine's operator installs procps where it runs`]
  } finally {
    await container.remove({ force: true, v: true })
  }
}
