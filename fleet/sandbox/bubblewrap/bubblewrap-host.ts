import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import type { SandboxHost } from '../sandbox-host.ts'
import { createBubblewrap } from './open-bubblewrap.ts'
import { bubblewrapProbe } from './probe-bubblewrap.ts'

/** Bubblewrap as the agent finds it: the first program of its name on this path of directories. */
export function bubblewrapHost(path: string | undefined): SandboxHost {
  const program = findProgram('bwrap', path ?? '')
  return {
    kind: 'bwrap',
    absence: () => (program === null ? { why: 'bwrap is not installed', fix: 'apt-get install bubblewrap (Debian, Ubuntu)' } : null),
    probe: bubblewrapProbe(program ?? 'bwrap'),
    fix: 'run the agent as root, or as a service to which systemd hands memory and processes (Delegate=yes), on a kernel with user namespaces',
    create: () => createBubblewrap(program ?? 'bwrap'),
  }
}

/** The absolute path of a program, as a shell would find it; null where there is none. */
function findProgram(name: string, path: string): string | null {
  const places = path.split(delimiter).filter(isAbsolute)
  return places.map((place) => join(place, name)).find(isProgram) ?? null
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
