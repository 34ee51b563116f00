import { existsSync } from 'node:fs'
import type { SandboxHost } from '../sandbox-host.ts'
import { createDocker } from './open-docker.ts'
import { dockerProbe } from './probe-docker.ts'

const usualSocket = '/var/run/docker.sock'

/**
 * Docker as the agent finds it: an engine that may answer, and an image to make sandboxes from, which is
 * named and never pulled unasked. `owner`: whose the containers are, the same after a restart.
 */
export function dockerHost({ DOCKER_HOST, BENCH_SANDBOX_IMAGE }: Record<string, string | undefined>, owner?: string): SandboxHost {
  const engine = Boolean(DOCKER_HOST?.trim()) || existsSync(usualSocket)
  return {
    kind: 'docker',
    absence() {
      if (!engine) return { why: 'Docker does not run here', fix: 'install Docker and start it (apt-get install docker.io)' }
      if (!BENCH_SANDBOX_IMAGE?.trim())
        return { why: 'Docker has no image for sandboxes', fix: 'set BENCH_SANDBOX_IMAGE to one that is on this machine' }
      return null
    },
    probe: dockerProbe,
    fix: 'see that docker info works for the agent’s user, and that the image of BENCH_SANDBOX_IMAGE has a shell and the core utilities',
    create: () => createDocker(owner === undefined ? {} : { owner }),
  }
}
