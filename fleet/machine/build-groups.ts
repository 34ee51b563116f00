import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Where the kernel shows control groups, and below which groups engines keep those of BuildKit. */
const places = ['/sys/fs/cgroup', '/sys/fs/cgroup/pids', '/sys/fs/cgroup/memory']
const parents = ['docker', 'system.slice/docker', 'system.slice/docker.service']

/** What all steps of BuildKit at this machine's engine may take together. */
export type GroupLimits = { processes: number; memory_bytes: number }

/** Files of both versions of control groups, and what is written to them. */
const limitsOf = ({ processes, memory_bytes }: GroupLimits): readonly (readonly [string, string])[] => [
  ['pids.max', String(processes)],
  ['memory.max', String(memory_bytes)],
  ['memory.limit_in_bytes', String(memory_bytes)],
]

/**
 * Limits the control group below which this machine's engine runs steps of BuildKit, which takes no limits itself before Docker 23. Gives how many limits hold: none
 * where the agent may not write there, or the engine is elsewhere. `root`: in place of `/`.
 */
export async function limitBuildKit(limits: GroupLimits, root = ''): Promise<number> {
  let held = 0
  for (const place of places)
    for (const parent of parents) {
      const group = `${root}${join(place, parent)}`
      if (!(await isThere(join(group, 'cgroup.procs')))) continue
      await mkdir(join(group, 'buildkit'), { recursive: true }).catch(() => undefined)
      for (const [file, text] of limitsOf(limits)) {
        const path = join(group, 'buildkit', file)
        if (!(await isThere(path))) continue
        await writeFile(path, text).then(
          () => held++,
          () => undefined,
        )
      }
    }
  return held
}

const isThere = (path: string): Promise<boolean> =>
  readFile(path).then(
    () => true,
    () => false,
  )
