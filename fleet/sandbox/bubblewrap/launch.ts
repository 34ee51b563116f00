import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs'
import type { Owner } from './workspace-files.ts'

/** Joins groups, forbids core files, bounds descriptors, and becomes the command: nothing of it runs outside its limits. */
const launcher = `groups=$1; shift
while [ "$groups" -gt 0 ]; do echo 0 > "$1" || exit 125; shift; groups=$((groups - 1)); done
ulimit -c 0; ulimit -n 1024
exec "$@"`

/** Linux's `O_CLOEXEC`, as `/proc/self/fdinfo` shows it: closed in what a process starts. */
const closesOnExec = 0o2000000

/** The command that runs another one as this user of the host, without its groups; none for null. */
export const become = (user: Owner | null): string[] =>
  user ? ['setpriv', `--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups', '--'] : []

/**
 * Starts a command in groups (`ControlGroup.joins`), with nothing of the agent's environment, in a session of its own. Descriptors that the agent
 * was itself given are covered by `/dev/null`. On a worker thread it would die with that thread instead of the process: only the main thread may
 * call this.
 */
export type Launch = (argv: readonly string[], joins: readonly string[], stdio: Exclude<StdioOptions, string>) => ChildProcess

/** What the agent itself was started with is looked up once: a descriptor that it opens later is never handed on. */
export function createLaunch(): Launch {
  const given = inheritedDescriptors()
  return (argv, joins, stdio) => {
    const inherited = given.filter((descriptor) => descriptor >= stdio.length)
    const nothing = inherited.length > 0 ? openSync('/dev/null', 'r+') : null
    const covered = Array.from({ length: Math.max(0, ...inherited.map((descriptor) => descriptor + 1 - stdio.length)) }, (_, index) =>
      inherited.includes(index + stdio.length) ? nothing : ('ignore' as const),
    )
    try {
      return spawn('/bin/sh', ['-c', launcher, 'launch', String(joins.length), ...joins, ...argv], {
        cwd: '/',
        env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
        stdio: [...stdio, ...covered],
        detached: true,
      })
    } finally {
      if (nothing !== null) closeSync(nothing)
    }
  }
}

/** Descriptors that a started process would get without being meant to: Node's own close, those that Node was started with may not. */
function inheritedDescriptors(): number[] {
  return readdirSync('/proc/self/fdinfo')
    .map(Number)
    .filter((descriptor) => {
      try {
        const flags = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8'))?.[1]
        return flags !== undefined && (Number.parseInt(flags, 8) & closesOnExec) === 0
      } catch {
        return false // the one that listed them
      }
    })
}
