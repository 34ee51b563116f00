import type { ExecResult, Sandbox, SandboxSpec } from '#shared/solvers/sandbox.ts'
import type { SandboxProbe } from '../../announce-resources.ts'
import { notHeld } from '../cgroup/control-groups.ts'
import { type Bubblewrap, createBubblewrap, mostProcesses } from './open-bubblewrap.ts'

const probeSpec: SandboxSpec = { image: null, cpus: 1, memory_mb: 128, disk_mb: 8, network: false }

/** Something that a sandbox must hold, and a program by which it shows: `holds` says so of what became of it. */
type Property = {
  name: string
  script: string
  holds(became: ExecResult, said: string): boolean
  timeout_ms?: number
}

const says = (wanted: string) => (became: ExecResult, said: string) => became.end === 'exited' && said.trim() === wanted

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
  { name: 'memory', script: 'head -c 200000000 /dev/zero | tail -c 200000000 > /dev/null', holds: ({ end }) => end === 'out-of-memory' },
  {
    name: 'processes',
    script: `i=0; while [ $i -lt ${2 * mostProcesses} ]; do sleep 99 & i=$((i + 1)); done; echo all`,
    holds: ({ end }, said) => end === 'exited' && said === '',
  },
  { name: 'disk', script: 'head -c 20000000 /dev/zero > f', holds: ({ end }) => end === 'disk-full' },
  { name: 'room again', script: 'rm f && echo gone', holds: says('gone') },
  {
    name: 'files',
    script: 'i=0; while [ $i -lt 9999 ]; do : > g$i || exit 1; i=$((i + 1)); done',
    holds: ({ end }) => end === 'disk-full',
  },
  { name: 'time', script: 'sleep 99 & sleep 99', holds: ({ end }) => end === 'timeout', timeout_ms: 200 },
  { name: 'output', script: 'yes', holds: ({ end, stdout }) => end === 'output-limit' && stdout.length === 4096 },
]

/** Tries all of `bubblewrapProperties`. Says what holds and what this machine cannot limit; throws with what does not hold, or why none opens. */
export async function tryBubblewrap(bubblewrap: Bubblewrap): Promise<string> {
  const outcome = await bubblewrap.open(probeSpec, new AbortController().signal)
  if (!outcome.ok) throw new Error(outcome.failure.detail)
  await using box = outcome.value
  const open: string[] = []
  for (const property of bubblewrapProperties) {
    const became = await tryOne(box, property)
    if (property.name === 'start' && became !== null) throw new Error(`no program starts: ${became}`)
    if (became !== null) open.push(`${property.name} (${became})`)
  }
  if (open.length > 0) throw new Error(`does not hold: ${open.join(', ')}`)
  const free = 'held' in bubblewrap.groups ? notHeld(bubblewrap.groups.held) : []
  const user = process.getuid!() === 0 ? 'a user of the host for each' : 'as the agent’s own user'
  return `all held, ${user}${free.length > 0 ? `; not limited: ${free.join(', ')}` : ''}`
}

async function tryOne(box: Sandbox, { script, holds, timeout_ms = 20_000 }: Property): Promise<string | null> {
  const became = await box.exec({ argv: ['sh', '-c', script], timeout_ms, output_bytes: 4096 })
  const said = new TextDecoder().decode(became.stdout)
  if (holds(became, said)) return null
  const words = new TextDecoder().decode(became.stderr).trim() || said.trim()
  return `${became.end}${became.exit_code === null ? '' : ` ${became.exit_code}`}${words === '' ? '' : `: ${words.slice(0, 80)}`}`
}

/** Proves on this machine that bubblewrap keeps programs in. */
export const bubblewrapProbe = (bwrap: string): SandboxProbe => ({
  kind: 'bwrap',
  probed: bubblewrapProperties
    .map(({ name }) => name)
    .filter((name) => name !== 'room again')
    .join(', '),
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
