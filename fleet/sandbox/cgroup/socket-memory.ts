import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readPlaces } from './cgroup-layout.ts'

/**
 * What sockets hold is memory of a group in version 2. In version 1 it is in no limit until it is given one of its own, and also then each socket may
 * hold a little more: a group that has many of them is beyond its part.
 */
const limitFile = 'memory.kmem.tcp.limit_in_bytes'
const usageFile = 'memory.kmem.tcp.usage_in_bytes'
/** Parts of a group's memory: the limit, at which the kernel makes senders wait, and what nobody comes to who does not mean to. */
const limited = 1 / 4
const beyond = 1 / 2

/**
 * Limits what sockets of a group of version 1 hold, beside its memory; `directory` is that of its memory. Gives a look at whether they hold more than
 * they may all the same; null where the kernel has no such limit, or it cannot be set.
 */
export async function limitSocketMemory(directory: string, memory_bytes: number): Promise<(() => Promise<boolean>) | null> {
  const set = writeFile(join(directory, limitFile), String(Math.floor(memory_bytes * limited)), { flag: 'r+' })
  return set.then(
    () => async () => Number(await readFile(join(directory, usageFile), 'utf8').catch(() => '0')) > memory_bytes * beyond,
    () => null,
  )
}

/** The directory of a process's memory in version 1, as this process sees it; null where it sees none, or in version 2. `pid`: `self` for this one. */
export async function findMemoryDirectory(pid: number | 'self'): Promise<string | null> {
  const read = (path: string) => readFile(path, 'utf8').catch(() => '')
  const places = readPlaces(await read('/proc/self/mountinfo'), await read(`/proc/${pid}/cgroup`), () => [])
  const memory = places.find(({ controller, version }) => controller === 'memory' && version === 1)
  return memory ? join(memory.top, memory.own) : null
}
