/** What a group of processes may take. `cpus` is a share of time: 0.5 is half of one processor. */
export type GroupLimits = { memory_bytes: number; processes: number; cpus: number }

/** Controllers of processes, by the names that both versions of Linux's control groups give them. */
export const controllers = ['memory', 'pids', 'cpu'] as const
export type Controller = (typeof controllers)[number]

/** Where one controller is: its version, the top of its tree, and the group that this process is in, as a path below the top. */
export type Place = { controller: Controller; version: 1 | 2; top: string; own: string }

/**
 * Finds the controllers from `/proc/self/mountinfo` and `/proc/self/cgroup`: each is in one tree, of version 1 or of version 2, and
 * `version2` names what a tree of version 2 at this path has.
 */
export function readPlaces(mountinfo: string, cgroup: string, version2: (top: string) => readonly string[]): Place[] {
  const mounts = mountinfo.split('\n').flatMap((line) => {
    const [before, after] = line.split(' - ')
    const top = before?.split(' ')[4]
    const [type, , options] = after?.split(' ') ?? []
    return top !== undefined && (type === 'cgroup' || type === 'cgroup2') ? [{ type, top, options: options?.split(',') ?? [] }] : []
  })
  const groups = cgroup.split('\n').flatMap((line) => {
    const [id, names, ...path] = line.split(':')
    return names === undefined ? [] : [{ version: id === '0' ? 2 : 1, names: names.split(','), own: path.join(':') }]
  })
  return controllers.flatMap((controller): Place[] => {
    const first = mounts.find(({ type, options }) => type === 'cgroup' && options.includes(controller))
    const inFirst = groups.find(({ version, names }) => version === 1 && names.includes(controller))
    if (first && inFirst) return [{ controller, version: 1, top: first.top, own: inFirst.own }]
    const second = mounts.find(({ type, top }) => type === 'cgroup2' && version2(top).includes(controller))
    const inSecond = groups.find(({ version }) => version === 2)
    return second && inSecond ? [{ controller, version: 2, top: second.top, own: inSecond.own }] : []
  })
}

/** Groups that a new one may be made in, the nearest first: a limit of the agent's own then holds for its sandboxes too. */
export function groupsUpwards({ top, own }: Pick<Place, 'top' | 'own'>): string[] {
  const names = own.split('/').filter((name) => name !== '' && name !== '..')
  return names.map((_, index) => `${top}/${names.slice(0, names.length - index).join('/')}`).concat(top)
}

/** How often a group is given its share of the processors. */
export const sharePeriod_ms = 100

/** A line to write into a file of a group. One that is not `needed` is for kernels that have the file. */
export type Setting = { file: string; value: string; needed: boolean }

/** How a controller is told its limits: memory without swap beside it, processes and threads together, time in tenths of a second. */
export function settingsOf(controller: Controller, version: 1 | 2, { memory_bytes, processes, cpus }: GroupLimits): Setting[] {
  const period = 1000 * sharePeriod_ms
  const quota = Math.max(1000, Math.round(cpus * period))
  const needed = (file: string, value: string | number): Setting => ({ file, value: String(value), needed: true })
  switch (controller) {
    case 'memory':
      return version === 2
        ? [needed('memory.max', memory_bytes), { ...needed('memory.swap.max', 0), needed: false }]
        : [needed('memory.limit_in_bytes', memory_bytes), { ...needed('memory.memsw.limit_in_bytes', memory_bytes), needed: false }]
    case 'pids':
      return [needed('pids.max', processes)]
    case 'cpu':
      return version === 2
        ? [needed('cpu.max', `${quota} ${period}`)]
        : [needed('cpu.cfs_period_us', period), needed('cpu.cfs_quota_us', quota)]
  }
}

/** The file of a group that counts what was killed for want of memory, on a line `oom_kill N`. */
export const killCountFile = (version: 1 | 2): string => (version === 2 ? 'memory.events' : 'memory.oom_control')

/** How often processes of a group were given their share anew (`cpu.stat`); 0 where nothing ever ran or nothing limits it. */
export const readPeriods = (text: string): number => Number(/^nr_periods (\d+)$/m.exec(text)?.[1] ?? 0)

/** How often something was killed for want of memory. */
export const readKillCount = (text: string): number => Number(/^oom_kill (\d+)$/m.exec(text)?.[1] ?? 0)
