import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import type { Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { inheritedDescriptors } from './inherited-descriptors.ts'

/**
 * A shell that starts what runs in sandboxes and holds their files. Node starts a program by copying its own page tables, 15 ms for 300 MB in which
 * nothing else happens; a shell takes half of one. It has mounts of its own, gone with it, and it goes when the agent does.
 */
export type Launcher = {
  /** Where the agent finds its files, as they are at `launcherPath` for itself. */
  root: string
  /** Runs shell commands and waits for them: null when the last ended with 0, else what they said of it. Throws where the launcher is gone. */
  run(commands: string): Promise<string | null>
  /**
   * Starts a program, in place of a copy of the shell that ran `commands` before, with these files as its descriptors, opened by the shell when this
   * resolves. Null: one of them cannot be opened, or the launcher is gone.
   */
  start(commands: string, program: readonly string[], files: readonly File[]): Promise<Started | null>
  isGone(): boolean
  close(): void
}
type File = { descriptor: number; way: '<' | '>'; path: string }
/** `end` resolves with the exit status, null where the launcher is gone; to be called once nothing but its end is awaited: others wait for it. */
export type Started = { pid: number; end(): Promise<number | null> }

/** Where its files are for itself, a file system in memory of its own. */
export const launcherPath = '/tmp'
/** Descriptors of `start` that a program may have; a program's input is moved to its place, as a shell gives what it does not wait for none. */
const input = 9
/** A shell lets what it does not wait for ignore two signals, which a program of its own would not. */
const defaultSignals = ['env', '--default-signal=INT,QUIT', '--']

/** One byte is too little for a core file; with none a machine that has a program take core files would still give it them (core(5), coredump.c). */
const noCoreFiles = '{ prlimit --pid $$ --core=1:1 2>/dev/null || ulimit -c 0; }'

/** Text that a shell takes as one word, whatever is in it. It cannot hold a NUL. */
export const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** Starts one, whose programs have no core files and few descriptors. Root mounts as root; anybody else is root of namespaces of its own for that. Throws with what the system said where it cannot. */
export async function createLauncher(): Promise<Launcher> {
  const own = process.getuid!() === 0 ? ['--mount'] : ['--user', '--map-root-user', '--mount']
  const begin = `mount -t tmpfs -o mode=0755,nosuid,nodev tmpfs ${launcherPath} && cd ${launcherPath} && ${noCoreFiles} && ulimit -n 1024 && exec /bin/sh -sf`
  const child = startUncovered(['unshare', ...own, '--', '/bin/sh', '-c', begin])
  const waiting = new Map<number, (answer: string | null) => void>()
  let gone = false
  let asked = 0
  let said = ''
  child.stdin.on('error', () => undefined) // its end is heard as such
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-300)
  })
  createInterface(child.stdout).on('line', (line) => {
    const [, number, answer] = /^(\d+) (.*)$/.exec(line) ?? []
    waiting.get(Number(number))?.(answer ?? null)
    waiting.delete(Number(number))
    if (waiting.size === 0) rest()
  })
  const pipes = [child.stdin, child.stdout, child.stderr] as Socket[]
  /** An agent may end while nothing is asked of its launcher. */
  const rest = (): void => {
    for (const one of [child, ...pipes]) one.unref()
  }
  const ended = once(child, 'close').catch(() => undefined)
  void ended.then(() => {
    gone = true
    for (const tell of waiting.values()) tell(null)
    waiting.clear()
  })
  const ask = (text: (number: number) => string): Promise<string | null> => {
    if (gone) return Promise.resolve(null)
    const number = ++asked
    return new Promise((resolve) => {
      waiting.set(number, resolve)
      for (const one of [child, ...pipes]) one.ref()
      child.stdin.write(`${text(number)}\n`)
    })
  }
  const run = async (commands: string): Promise<string | null> => {
    // Without quotes at the end: what it said becomes one line.
    const answer = await ask((number) => `said=$( { ${commands}; } 2>&1 ); echo "${number} $?" $said`)
    if (answer === null) throw new Error(said.trim() || 'what starts the programs of sandboxes ended')
    const [, status, text] = /^(\d+) ?(.*)$/.exec(answer)!
    return status === '0' ? null : text || `ended with ${status}`
  }
  await run(`${defaultSignals.join(' ')} true`).then((why) => {
    if (why === null) return
    child.kill('SIGKILL')
    throw new Error(`env cannot give a program its signals (coreutils 8.31 can): ${why}`)
  })
  return {
    root: `/proc/${child.pid}/root${launcherPath}`,
    run,
    isGone: () => gone,
    close: () => void child.kill('SIGKILL'),
    async start(commands, program, files) {
      const opened = files.map(({ descriptor, way, path }) => `${descriptor || input}${way}${quote(path)}`).join(' ')
      const moved = files.some(({ descriptor }) => descriptor === 0) ? `exec 0<&${input} ${input}<&-;` : ''
      const argv = [...defaultSignals, ...program].map(quote).join(' ')
      const answer = await ask((n) => `{ ( ${moved} ${commands} exec ${argv} ) & } ${opened} && echo "${n} $!" || echo "${n} "`)
      if (!answer) return null
      const pid = Number(answer)
      return { pid, end: async () => toNumber(await ask((n) => `wait ${pid}; echo "${n} $?"`)) }
    },
  }
}

const toNumber = (answer: string | null): number | null => (answer === null ? null : Number(answer))

/** With nothing of the agent's environment, in a session of its own, and with what the agent was itself started with covered by `/dev/null`. */
function startUncovered([file, ...args]: readonly [string, ...string[]]) {
  const inherited = inheritedDescriptors().filter((descriptor) => descriptor > 2)
  const nothing = inherited.length > 0 ? openSync('/dev/null', 'r+') : null
  const covered = Array.from({ length: Math.max(0, ...inherited.map((descriptor) => descriptor - 2)) }, (_, index) =>
    inherited.includes(index + 3) ? nothing : ('ignore' as const),
  )
  try {
    const child = spawn(file, args, {
      cwd: '/',
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
      stdio: ['pipe', 'pipe', 'pipe', ...covered],
      detached: true,
    })
    return child as ChildProcess & {
      stdin: NonNullable<ChildProcess['stdin']>
      stdout: NonNullable<ChildProcess['stdout']>
      stderr: NonNullable<ChildProcess['stderr']>
    }
  } finally {
    if (nothing !== null) closeSync(nothing)
  }
}
