import { setTimeout as wait } from 'node:timers/promises'
import type Docker from 'dockerode'
import type { Container } from 'dockerode'
import * as z from 'zod'
import { waitForEnd } from '../docker/wait-for-end.ts'
import { countProcesses } from './count-processes.ts'

const Top = z.object({ Processes: z.array(z.array(z.string())) })
const State = z.object({ State: z.object({ Running: z.boolean() }) })

/** Where processes are to be ended, and of what the program is made that does it. */
export type EndingPlace = { docker: Docker; container: Container; image: string; labels: Readonly<Record<string, string>> }

/** Ends all but the first process of a machine; to itself it is one of them, and no process hears of it before it is over. */
const endAll = 'kill -9 -1 2>/dev/null; exit 40'
/**
 * Ends what carries the mark among its first variables, and what descends from it. It reads only what the kernel says (`/proc`), with what the shell
 * has built in. A process begun meanwhile is none: all of the machine stands still.
 */
const endMarked = `marked=' '
for place in /proc/[0-9]*; do
  pid=\${place#/proc/}
  [ "$pid" = 1 ] || [ "$pid" = $$ ] && continue
  while read -r line || [ -n "$line" ]; do
    case $line in *"$1"*) marked="$marked$pid "; break ;; esac
  done 2>/dev/null < "$place/environ"
done
again=yes
while [ -n "$again" ]; do
  again=
  for place in /proc/[0-9]*; do
    pid=\${place#/proc/}
    [ "$pid" = 1 ] || [ "$pid" = $$ ] && continue
    case $marked in *" $pid "*) continue ;; esac
    while read -r key value; do
      if [ "$key" = PPid: ]; then
        case $marked in *" $value "*) marked="$marked$pid "; again=yes ;; esac
        break
      fi
    done 2>/dev/null < "$place/status"
  done
done
for pid in $marked; do kill -9 "$pid"; done 2>/dev/null
exit 40`
const done = 40

/** How often it is tried before a machine is started anew. */
const tries = 3

/**
 * Runs a program of the machine's pristine image among the machine's processes, while all of these stand still. It has a disk of its own, so that
 * nothing that was changed on the machine's disk runs, and what multiplies cannot outrun it: what stands still is ended before it goes on.
 */
async function runAmong({ docker, container, image, labels }: EndingPlace, script: string, ...words: string[]): Promise<boolean> {
  const ender = await docker.createContainer({
    Image: image,
    Entrypoint: ['sh'],
    Cmd: ['-c', script, 'end', ...words],
    User: '0:0',
    WorkingDir: '/',
    Labels: labels,
    Healthcheck: { Test: ['NONE'] },
    HostConfig: {
      PidMode: `container:${container.id}`,
      NetworkMode: 'none',
      CapDrop: ['ALL'],
      CapAdd: ['KILL', 'SYS_PTRACE', 'DAC_READ_SEARCH'], // the last two to read other users' variables
      ReadonlyRootfs: true,
      Memory: 64 * 1024 ** 2,
      MemorySwap: 64 * 1024 ** 2,
      LogConfig: { Type: 'none', Config: {} },
    },
  })
  try {
    await container.pause()
    try {
      await ender.start()
      return (await waitForEnd(docker, ender.id, 'not-running')) === done
    } finally {
      await container.unpause()
    }
  } finally {
    await ender.remove({ force: true, v: true }).catch(() => undefined)
  }
}

/**
 * Ends every process of a machine but its first. Where an engine cannot do that among running processes or fails to, or where some come again and
 * again, the machine is started anew: its disk stays as it is. False where it is gone.
 */
export async function endAllProcesses(place: EndingPlace): Promise<boolean> {
  const { container } = place
  try {
    if (await endInPlace(place).catch(() => false)) return true
    await container.restart({ t: 0 })
    return await isRunning(container)
  } catch {
    return false
  }
}

/** Ends every process but the first without a start anew; false where one is left, or where the machine does not run any more. */
async function endInPlace(place: EndingPlace): Promise<boolean> {
  const { container } = place
  // Nearly always there is nobody else, and looking costs a fifth of what ending does.
  if ((await countProcesses(container)).count === 1) return true
  if ((await standingStill(container, () => processesOf(container))).length <= 1) return true
  for (let left = tries; left > 0; left--) {
    if (!(await runAmong(place, endAll).catch(() => false))) continue
    if (!(await isRunning(container))) return false
    if (await isAlone(container)) return true
  }
  return false
}

/** Ends a command with all that it began and that still carries its mark or descends from what does. Whether it could be tried. */
export const endMarkedProcesses = (place: EndingPlace, mark: string): Promise<boolean> =>
  runAmong(place, endMarked, mark).catch(() => false)

/** Looks while nothing in the machine can begin a process. */
async function standingStill<T>(container: Container, look: () => Promise<T>): Promise<T> {
  await container.pause()
  try {
    return await look()
  } finally {
    await container.unpause()
  }
}

/** Processes of a container, as `ps` of the engine's machine lists them: their numbers and command lines. Throws where that `ps` cannot. */
export const processesOf = async (container: Container): Promise<string[][]> =>
  Top.parse(await container.top({ ps_args: '-eo pid,args' })).Processes

/**
 * The command lines of a container's processes but its first, of one moment in which none can begin another; null where it does not run. Where the kernel counts
 * one process there are no others, and to have it stand still and to list them costs as much as a command in it.
 */
export async function otherProcesses(container: Container): Promise<string[] | null> {
  try {
    const { pid, count } = await countProcesses(container)
    if (count === 1) return []
    const found = await standingStill(container, () => processesOf(container))
    return found.filter(([one]) => Number(one) !== pid).map(([, ...args]) => args.join(' '))
  } catch {
    return null
  }
}

/** Whether the first process is the only one, a moment later: what was ended is still on its way out. */
async function isAlone(container: Container): Promise<boolean> {
  for (let looks = 10; looks > 0; looks--) {
    if ((await processesOf(container)).length <= 1) return true
    await wait(20)
  }
  return false
}

/** Whether a container's first process is there. */
export const isRunning = async (container: Container): Promise<boolean> => State.parse(await container.inspect()).State.Running
