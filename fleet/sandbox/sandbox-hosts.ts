import { bubblewrapHost } from './bubblewrap/bubblewrap-host.ts'
import { dockerHost } from './docker/docker-host.ts'
import type { SandboxHost } from './sandbox-host.ts'
import { sandyHost } from './sandy/sandy-host.ts'

/**
 * Every kind of sandbox that this version can open, the one to be taken first at the head; `env` is the environment of the agent. `tell` gets lines
 * that its operator should see. `owner`: see `dockerHost`.
 */
export const sandboxHosts = (
  env: Record<string, string | undefined>,
  tell: (line: string) => void = () => undefined,
  owner?: string,
): readonly SandboxHost[] => [bubblewrapHost(env.PATH), dockerHost(env, owner), sandyHost(env, tell)]
