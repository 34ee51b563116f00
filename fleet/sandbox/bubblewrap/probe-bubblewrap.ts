import { statSync } from 'node:fs'
import type { SandboxSpec } from '#shared/solvers/sandbox.ts'
import type { SandboxProbe } from '../../announce-resources.ts'
import { sharePeriod_ms } from '../cgroup/cgroup-layout.ts'
import { notHeld } from '../cgroup/control-groups.ts'
import { hidesName, hidesProperty, plantCanary } from '../planted-canary.ts'
import { limitProperties, namesOfProperties, type Property, runScript, says, tryProperties } from '../probe-properties.ts'
import { type Box, type Bubblewrap, createBubblewrap, mostProcesses } from './open-bubblewrap.ts'

const probeSpec: SandboxSpec = { image: null, cpus: 1, memory_mb: 128, disk_mb: 2, network: false }

/** What is tried, one after the other in one sandbox. */
export const bubblewrapProperties: readonly Property[] = [
  { name: 'start', script: 'id -u', holds: says('65534') },
  { name: 'seccomp', script: 'grep -c "^Seccomp:.2$\\|^NoNewPrivs:.1$" /proc/self/status', holds: says('2') },
  { name: 'no userns', script: 'unshare -Ur true 2>/dev/null || echo refused', holds: says('refused') },
  { name: 'no network', script: 'tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d " "', holds: says('lo') },
  { name: 'no host files', script: 'ls -d /root /home /var /etc/shadow /etc/passwd 2>/dev/null; env | wc -l', holds: says('5') },
  {
    name: 'read-only',
    script: 'for d in / /usr /dev /etc /proc/sys/kernel; do (: > $d/x) 2>/dev/null && echo $d; done; echo end',
    holds: says('end'),
  },
  ...limitProperties({ disk_mb: probeSpec.disk_mb, processes: mostProcesses }),
]

/** How a sandbox has half a processor, and a program that has used more than twice its part of a period when it ends, on any machine. */
const share = 0.5
const spinning = 'i=0; while [ $i -lt 600000 ]; do i=$((i + 1)); done; times'

/** Two properties that only the agent can see, from outside; they are tried beside the others. Null: it holds. */
async function triedOutside(bubblewrap: Bubblewrap): Promise<(string | null)[]> {
  const outcome = await bubblewrap.open({ ...probeSpec, cpus: share }, new AbortController().signal)
  if (!outcome.ok) throw new Error(outcome.failure.detail)
  await using box = outcome.value
  return [await triedUser(box), await triedShare(box)]
}

/** Programs of an agent that is root are another user of the host; anybody else's are the agent's own. */
async function triedUser(box: Box): Promise<string | null> {
  await runScript(box, ': > owned')
  const agent = process.getuid!()
  const owner = await box.outside.ownerOf('owned').catch(() => null)
  return owner !== null && (owner === agent) === (agent !== 0) ? null : `host user (${owner ?? 'nothing was written'})`
}

/** What a program has used of the processors, against how often its sandbox was given its part: no clock is asked, which others slow down. */
async function triedShare(box: Box): Promise<string | null> {
  const became = await runScript(box, spinning)
  const periods = await box.outside.cpuPeriods()
  if (periods === null) return null
  const [, minutes, seconds] = /^(\d+)m([\d.]+)s/.exec(new TextDecoder().decode(became.stdout)) ?? []
  const used_ms = Math.round((Number(minutes) * 60 + Number(seconds)) * 1000)
  const most_ms = (periods + 2) * share * sharePeriod_ms
  return used_ms > 2 * share * sharePeriod_ms && used_ms <= most_ms
    ? null
    : `processor share (${used_ms} ms of its own in ${periods} periods)`
}

/** Devices of the machine that programs inside have too, as bubblewrap gives them. */
const sharedDevices = ['/dev/null', '/dev/zero', '/dev/full', '/dev/random', '/dev/urandom']

/** Which of them not every user may read and write, and what to do; null: they are as Linux makes them. */
function deviceTrouble(stat: (path: string) => { mode: number }): string | null {
  const closed = sharedDevices.filter((path) => (stat(path).mode & 0o666) !== 0o666)
  return closed.length === 0 ? null : `not every user of this machine may use ${closed.join(', ')}: chmod 666 ${closed.join(' ')}`
}

/** Tries all of `bubblewrapProperties`, and seeks a canary planted beside program and data. Says what holds and what this machine cannot limit; throws with what does not hold, or why none opens. */
export async function tryBubblewrap(bubblewrap: Bubblewrap, devices: (path: string) => { mode: number } = statSync): Promise<string> {
  const closedDevice = deviceTrouble(devices)
  if (closedDevice !== null) throw new Error(closedDevice)
  const outcome = await bubblewrap.open(probeSpec, new AbortController().signal)
  if (!outcome.ok) throw new Error(outcome.failure.detail)
  await using box = outcome.value
  const outside: Promise<(string | null)[]> = triedOutside(bubblewrap).catch((error: Error) => [error.message])
  using canary = plantCanary()
  const inside = await tryProperties(box, [...bubblewrapProperties, hidesProperty(canary, true)])
  const broken = [...inside, ...(await outside).filter((one) => one !== null)]
  if (broken.length > 0) throw new Error(`does not hold: ${broken.join(', ')}`)
  const free = 'held' in bubblewrap.groups ? notHeld(bubblewrap.groups.held) : []
  const user = process.getuid!() === 0 ? 'a user of the host for each' : 'as the agent’s own user'
  return `all held, ${user}${free.length > 0 ? `; not limited: ${free.join(', ')}` : ''}`
}

/** Proves on this machine that bubblewrap keeps programs in. */
export const bubblewrapProbe = (bwrap: string): SandboxProbe => ({
  kind: 'bwrap',
  probed: [...namesOfProperties(bubblewrapProperties), hidesName, 'host user', 'processor share'].join(', '),
  pool: null,
  async probe() {
    const bubblewrap = await createBubblewrap(bwrap)
    try {
      return await tryBubblewrap(bubblewrap)
    } finally {
      bubblewrap.close()
    }
  },
})
