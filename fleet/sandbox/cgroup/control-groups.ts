import { readFileSync } from 'node:fs'
import { mkdir, readdir, readFile, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import {
  type Controller,
  controllers,
  type GroupLimits,
  groupsUpwards,
  killCountFile,
  type Place,
  readKillCount,
  readPeriods,
  readPlaces,
  settingsOf,
} from './cgroup-layout.ts'
import { limitSocketMemory } from './socket-memory.ts'

/** A group of processes that may take so much and no more. */
export type ControlGroup = {
  /** Files into which a process writes `0` to join. */
  joins: readonly string[]
  /** How often something in it was killed for want of memory, or was seen to hold more in sockets than it may. */
  memoryKills(): Promise<number>
  /** How many times it was given its share of the processors while it had something to do; null where it has no such limit. */
  cpuPeriods(): Promise<number | null>
  /** Kills all that is in it, and removes it. Throws where something in it cannot be killed. */
  remove(): Promise<void>
}

/**
 * What this process can limit: which controllers, and a way to make a group, with `whose` it is at the end of its name; or why none can be made that
 * limits memory and processes.
 */
export type ControlGroups =
  | { held: readonly Controller[]; create(limits: GroupLimits, whose?: string): Promise<ControlGroup> }
  | { missing: string }

type Parent = { controller: Controller; version: 1 | 2; directory: string }

const prefix = 'chutes-bench'
/** Without these a program can take the machine down: there is no sandbox. */
const indispensable: readonly Controller[] = ['memory', 'pids']
const someLimits: GroupLimits = { memory_bytes: 64 * 1024 ** 2, processes: 16, cpus: 1 }
/** How often what does not die at once is looked at again, 5 ms apart: a process that the kernel is busy with. */
const tries = 6000
let made = 0

/** Finds by trying where groups can be made, and removes those that agents which are no more left there. */
export async function findControlGroups(): Promise<ControlGroups> {
  const places = await findPlaces()
  const parents: Parent[] = []
  for (const place of places) {
    const parent = await findParent(place)
    if (parent) parents.push(parent)
  }
  for (const { directory } of parents) await sweep(directory)
  const held = parents.map(({ controller }) => controller)
  const missing = indispensable.filter((controller) => !held.includes(controller))
  if (missing.length > 0) {
    const absent = missing.filter((controller) => !places.some((place) => place.controller === controller))
    return {
      missing: `cannot limit ${missing.join(' and ')}: ${absent.length > 0 ? 'no such control group is mounted' : 'no control group is writable'}`,
    }
  }
  return { held, create: (limits, whose) => createGroup(parents, limits, whose) }
}

async function findPlaces(): Promise<Place[]> {
  const read = (path: string) => readFile(path, 'utf8').catch(() => '')
  return readPlaces(await read('/proc/self/mountinfo'), await read('/proc/self/cgroup'), (top) => {
    try {
      return readFileSync(join(top, 'cgroup.controllers'), 'utf8').trim().split(' ')
    } catch {
      return []
    }
  })
}

/** The nearest group upwards in which a group with this limit can be made. In version 2 one that holds processes itself cannot hand limits on. */
async function findParent({ controller, version, top, own }: Place): Promise<Parent | null> {
  for (const directory of groupsUpwards({ top, own })) {
    const parent = { controller, version, directory }
    if (version === 2) await writeFile(join(directory, 'cgroup.subtree_control'), `+${controller}`).catch(() => undefined)
    try {
      await (await createGroup([parent], someLimits)).remove()
      return parent
    } catch {
      // Not writable, or without this controller: the next one up may be.
    }
  }
  return null
}

async function createGroup(parents: readonly Parent[], limits: GroupLimits, whose?: string): Promise<ControlGroup> {
  const name = `${prefix}-${process.pid}-${++made}${whose === undefined ? '' : `-${whose}`}`
  const directories = [...new Set(parents.map(({ directory }) => join(directory, name)))]
  const remove = async (): Promise<void> => void (await Promise.all(directories.map(removeGroup)))
  try {
    for (const directory of directories) await mkdir(directory)
    for (const { controller, version, directory } of parents)
      for (const { file, value, needed } of settingsOf(controller, version, limits))
        await writeFile(join(directory, name, file), value).catch((error: unknown) => {
          if (needed) throw error
        })
  } catch (error) {
    await remove()
    throw error
  }
  const memory = parents.find(({ controller }) => controller === 'memory')
  const sockets = memory?.version === 1 ? await limitSocketMemory(join(memory.directory, name), limits.memory_bytes) : null
  let seen = 0
  const memoryKills = async (): Promise<number> => {
    if (await sockets?.()) seen++
    return seen + (memory ? readKillCount(await readFile(join(memory.directory, name, killCountFile(memory.version)), 'utf8')) : 0)
  }
  const cpu = parents.find(({ controller }) => controller === 'cpu')
  return {
    joins: directories.map((directory) => join(directory, 'cgroup.procs')),
    memoryKills,
    cpuPeriods: async () => (cpu ? readPeriods(await readFile(join(cpu.directory, name, 'cpu.stat'), 'utf8')) : null),
    remove,
  }
}

async function removeGroup(directory: string): Promise<void> {
  for (let left = tries; ; left--) {
    const gone = await rmdir(directory).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return true
        if (error.code !== 'EBUSY' || left === 0) throw error
        return false
      },
    )
    if (gone) return
    await killAll(directory)
    await wait(5)
  }
}

async function killAll(directory: string): Promise<void> {
  const listed = await readFile(join(directory, 'cgroup.procs'), 'utf8').catch(() => '')
  for (const pid of listed
    .split('\n')
    .map(Number)
    .filter((one) => one > 0)) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It ended by itself.
    }
  }
}

/**
 * Removes the groups of dead agents that are empty or hold an orphaned process. Other groups stay:
 * their agent may live in another PID namespace, where its id differs from the id here.
 */
async function sweep(directory: string): Promise<void> {
  const names = await readdir(directory).catch(() => [])
  for (const name of names) {
    const pid = Number(new RegExp(`^${prefix}-(\\d+)-\\d+(-|$)`).exec(name)?.[1] ?? Number.NaN)
    if (Number.isNaN(pid) || isAlive(pid)) continue
    const group = join(directory, name)
    await (isOrphaned(group) ? removeGroup(group) : rmdir(group)).catch(() => undefined)
  }
}

/**
 * Tells whether a process of this group has lost its parent. Bubblewrap becomes an orphan if its
 * agent is killed before bubblewrap has asked the kernel for a parent-death signal. A program in a
 * sandbox is never one: its parent is the sandbox's first process.
 */
function isOrphaned(group: string): boolean {
  try {
    const pids = readFileSync(join(group, 'cgroup.procs'), 'utf8').split('\n').filter(Boolean)
    return pids.some((pid) => /^PPid:\t1$/m.test(readFileSync(`/proc/${pid}/status`, 'utf8')))
  } catch {
    return false // one of them has just ended
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** The names of controllers that are not held. */
export const notHeld = (held: readonly Controller[]): readonly Controller[] => controllers.filter((one) => !held.includes(one))
