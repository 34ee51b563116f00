import type { SandboxProbe } from '../../announce-resources.ts'
import type { SandboxHost } from '../sandbox-host.ts'
import { createSandy } from './open-sandy.ts'
import { createSandyProbe } from './probe-sandy.ts'
import { type SandyOptions, sandyOptions } from './sandy-options.ts'

/** Sandy where the environment names it; `tell` gets a line for each sandbox that could not be ended there. What does not fit shows when it is tried. */
export function sandyHost(env: Record<string, string | undefined>, tell: (line: string) => void): SandboxHost {
  const options = readOptions(env, tell)
  const missing: SandboxProbe = {
    kind: 'sandy',
    probed: 'address and key',
    pool: null,
    probe: async () => {
      throw new Error('error' in options ? options.error : 'SANDY_BASE_URL is not set')
    },
  }
  return {
    kind: 'sandy',
    absence: () =>
      'absent' in options ? { why: 'SANDY_BASE_URL is not set', fix: 'set SANDY_BASE_URL and SANDY_API_KEY of a Sandy service' } : null,
    probe: 'base_url' in options ? createSandyProbe(options) : missing,
    fix: 'see that SANDY_BASE_URL and SANDY_API_KEY are those of the service, and that it takes sandboxes now',
    create: async () => {
      if (!('base_url' in options)) throw new Error('SANDY_BASE_URL is not set')
      return createSandy(options)
    },
  }
}

function readOptions(
  env: Record<string, string | undefined>,
  tell: (line: string) => void,
): SandyOptions | { absent: true } | { error: string } {
  try {
    const found = sandyOptions(env)
    return found ? { ...found, tell } : { absent: true }
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) }
  }
}
