import type { SandboxSpec } from '#shared/solvers/sandbox.ts'
import type { SandboxProbe } from '../../announce-resources.ts'
import { type EngineFacts, readFacts, refusalIn } from '../../docker/engine.ts'
import { hidesName, hidesProperty, plantCanary } from '../planted-canary.ts'
import { limitProperties, namesOfProperties, type Property, says, tryProperties } from '../probe-properties.ts'
import { mostProcesses } from './container-settings.ts'
import { createDocker, type DockerSandboxes } from './open-docker.ts'

const probeSpec: SandboxSpec = { image: null, cpus: 1, memory_mb: 128, disk_mb: 16, network: false }

/** What is tried, one after the other in one sandbox. It needs the core utilities, which images of Debian, Fedora and Alpine have. */
export const dockerProperties: readonly Property[] = [
  { name: 'start', script: 'id -u', holds: says('65534') },
  {
    name: 'no rights',
    script: 'grep -c "^Seccomp:.2$\\|^NoNewPrivs:.1$\\|^Cap\\(Prm\\|Eff\\|Bnd\\):.0*$" /proc/self/status',
    holds: says('5'),
  },
  { name: 'no userns', script: 'unshare -Ur true 2>/dev/null || echo refused', holds: says('refused') },
  { name: 'no network', script: 'tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d " "', holds: says('lo') },
  { name: 'no host files', script: 'ls -d /run/docker.sock /var/run/docker.sock 2>/dev/null; echo end', holds: says('end') },
  {
    name: 'read-only',
    script: 'for d in / /usr /dev /etc /run /var/tmp /proc/sys/kernel; do (: > $d/x) 2>/dev/null && echo $d; done; echo end',
    holds: says('end'),
  },
  ...limitProperties({ disk_mb: probeSpec.disk_mb, processes: mostProcesses }),
]

/**
 * Tries all of `dockerProperties`, and seeks a canary planted beside program and data. Says what holds, with the versions of kernel, Docker and runtime; throws with what does not hold, or with what is
 * missing and how to get it.
 */
export async function tryDocker(sandboxes: DockerSandboxes): Promise<string> {
  const facts = await readFacts(sandboxes.docker, sandboxes.runtime).catch((error: unknown) => {
    const { status, words } = refusalIn(error)
    if (status === null && /^Docker /.test(words)) throw error // it answered, and lacks something
    throw new Error(
      `Docker does not answer (${words.slice(0, 100)}): install docker.io, start it, and let this user use its socket (group docker)`,
      { cause: error },
    )
  })
  const outcome = await sandboxes.open(probeSpec, new AbortController().signal)
  if (!outcome.ok) throw new Error(outcome.failure.detail)
  await using box = outcome.value
  using canary = plantCanary()
  const broken = await tryProperties(box, [...dockerProperties, hidesProperty(canary, false)])
  if (broken.length > 0) throw new Error(`does not hold: ${broken.join(', ')}`)
  const caveats = [caveatOf(facts), sandboxes.holdsSockets() ? null : noSocketLimit]
  return [`all held; Linux ${facts.kernel}, Docker ${facts.docker}, ${facts.runtime}`, ...caveats.filter((one) => one !== null)].join('; ')
}

/** Version 2 counts them; in version 1 an agent that is root on the same machine limits them. */
const noSocketLimit = 'connections are in no limit of memory (control groups of version 1)'

/** The first runc of each line in which the breakouts of November 2025 are closed. Source: its advisories for CVE-2025-31133, -52565 and -52881. */
const closedIn = { '1.2': 8, '1.3': 3 } as const

/** What is known against a runtime of this version; null: nothing that we know of. */
export function caveatOf({ runtime }: Pick<EngineFacts, 'runtime'>): string | null {
  const [, line, patch] = /^runc (\d+\.\d+)\.(\d+)/.exec(runtime) ?? []
  if (line === undefined) return null
  const closed = closedIn[line as keyof typeof closedIn] as number | undefined // undefined for lines not in the table
  const [major = 0, minor = 0] = line.split('.').map(Number)
  const isSafe = closed === undefined ? major > 1 || minor > 3 : Number(patch) >= closed
  return isSafe ? null : `breakouts of this runc are public (CVE-2025-31133, -52565, -52881) unless its distributor closed them`
}

/** Proves on this machine that Docker's containers keep programs in: the engine, runtime and image that `createDocker` takes by default. */
export const dockerProbe: SandboxProbe = {
  kind: 'docker',
  probed: [...namesOfProperties(dockerProperties), hidesName].join(', '),
  pool: null,
  async probe() {
    const sandboxes = await createDocker({ warm: 0 })
    try {
      return await tryDocker(sandboxes)
    } finally {
      await sandboxes.close()
    }
  },
}
