import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Where the kernel shows control groups of version 2, and those of version 1 that are limited here. */
const places = ['/sys/fs/cgroup', '/sys/fs/cgroup/pids', '/sys/fs/cgroup/memory']

/** The group of builds by the first builder, which an engine makes where it is named. */
export const buildGroup = 'bench-builds'
/** Groups in which engines keep steps of BuildKit, which takes no group before Docker 23. */
export const buildKitGroups = ['docker/buildkit', 'system.slice/docker/buildkit', 'system.slice/docker.service/buildkit']

/** What all builds of this machine's engine may take together. */
export type GroupLimits = { processes: number; memory_bytes: number }

/** Files of both versions of control groups, and what is written to them. */
const limitsOf = ({ processes, memory_bytes }: GroupLimits): readonly (readonly [string, string])[] => [
  ['pids.max', String(processes)],
  ['memory.max', String(memory_bytes)],
  ['memory.limit_in_bytes', String(memory_bytes)],
]

/**
 * Limits control groups of this machine, so that what an engine runs in them is limited from its first process. Gives how many limits hold: none where the agent may
 * not write there. `root`: in place of `/`.
 */
export async function limitGroups(groups: readonly string[], limits: GroupLimits, root = ''): Promise<number> {
  let held = 0
  for (const place of places)
    for (const name of groups) {
      const group = `${root}${join(place, name)}`
      if (!(await isThere(join(group, '..', 'cgroup.procs')))) continue
      await mkdir(group).catch(() => undefined) // it is there, or may not be made
      for (const [file, text] of limitsOf(limits)) {
        const path = join(group, file)
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
