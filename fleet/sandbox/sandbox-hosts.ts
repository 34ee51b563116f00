import { bubblewrapHost } from './bubblewrap/bubblewrap-host.ts'
import type { SandboxHost } from './sandbox-host.ts'

/** Every kind of sandbox that this version can open, the one to be taken first at the head; `env` is the environment of the agent. */
export const sandboxHosts = (env: Record<string, string | undefined>): readonly SandboxHost[] => [bubblewrapHost(env.PATH)]
