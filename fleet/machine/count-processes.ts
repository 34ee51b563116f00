import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Container } from 'dockerode'
import * as z from 'zod'

const State = z.object({
  State: z.object({ Running: z.boolean(), Pid: z.int() }),
  HostConfig: z.object({ Runtime: z.string().optional() }).optional(),
})
/** Runtimes whose containers are processes of the engine's own kernel, each container a control group of them. */
const ofThisKernel = ['runc', 'crun', 'io.containerd.runc.v2']

/** A container's first process, as the engine numbers it, and how many processes and threads its kernel counts in it: null where that cannot be seen from here. */
export type Seen = { pid: number; count: number | null }

/**
 * Asks the kernel how many processes and threads a container has: one number, of one moment, that nothing inside can change. Throws where the engine does not
 * answer.
 */
export async function countProcesses(container: Container): Promise<Seen> {
  const { State: state, HostConfig } = State.parse(await container.inspect())
  const seen = state.Running && ofThisKernel.includes(HostConfig?.Runtime ?? '')
  const file = seen ? countFileOf(await readFile(`/proc/${state.Pid}/cgroup`, 'utf8').catch(() => ''), container.id) : null
  const text = file === null ? '' : await readFile(file, 'utf8').catch(() => '')
  return { pid: state.Pid, count: /^\d+\n$/.test(text) ? Number(text) : null }
}

/**
 * Where the kernel keeps the count of the control group that a process is in; null where that is not this container's own: on an engine of another machine the
 * number is another process's. Source: cgroups(7).
 */
export function countFileOf(groups: string, container: string): string | null {
  for (const line of groups.split('\n')) {
    const [, number, controllers = '', path = ''] = /^(\d+):([^:]*):(\/.*)$/.exec(line) ?? []
    const isUnified = number === '0' && controllers === ''
    if (!isUnified && !controllers.split(',').includes('pids')) continue
    const isOwn = path.split('/').at(-1)!.includes(container) && !path.split('/').includes('..')
    if (isOwn) return join('/sys/fs/cgroup', isUnified ? '' : 'pids', path, 'pids.current')
  }
  return null
}
