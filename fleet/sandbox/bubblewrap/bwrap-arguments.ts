import { posix } from 'node:path'
import type { ExecRequest } from '#shared/solvers/sandbox.ts'
import { filterDescriptor, statusDescriptor } from './channels.ts'
import { workspacePath } from './workspace-files.ts'

/** Who programs are inside; on the host they are somebody else (`HostUser`). */
const insideId = '65534'
/** What every program is given; a request may set it otherwise. */
const baseEnv = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: workspacePath, TMPDIR: '/tmp', LANG: 'C.UTF-8' }
const envName = /^[A-Za-z_][A-Za-z0-9_]*$/

/**
 * What bwrap is told for one command, in the mounts of a scratch (`openScratch`); null where the request cannot be one: a NUL in it, or a name
 * that no variable has. The places that can be written to are all in the scratch, so that one limit holds for them together.
 */
export function bwrapArguments({ argv, cwd, env }: ExecRequest, system: readonly string[], scratch: string): string[] | null {
  const variables = Object.entries({ ...baseEnv, ...env })
  const texts = [...argv, cwd ?? '', ...variables.map(([, value]) => value)]
  if (texts.some((text) => text.includes('\0')) || variables.some(([name]) => !envName.test(name))) return null
  return [
    ...['--unshare-all', '--unshare-user', '--disable-userns', '--uid', insideId, '--gid', insideId, '--hostname', 'sandbox'],
    ...['--cap-drop', 'ALL', '--die-with-parent', '--new-session', '--clearenv'],
    ...variables.flatMap(([name, value]) => ['--setenv', name, value]),
    ...system,
    ...['--proc', '/proc', '--dev', '/dev'],
    ...['--bind', `${scratch}/shm`, '/dev/shm', '--bind', `${scratch}/tmp`, '/tmp', '--bind', `${scratch}/workspace`, workspacePath],
    // Each of these is a tmpfs of its own that only the machine's memory would limit, or shows the kernel's switches.
    ...['--remount-ro', '/proc', '--remount-ro', '/dev', '--remount-ro', '/'],
    ...['--chdir', posix.resolve(workspacePath, cwd ?? '.')],
    ...['--seccomp', String(filterDescriptor), '--json-status-fd', String(statusDescriptor)],
    ...['--', ...argv],
  ]
}
