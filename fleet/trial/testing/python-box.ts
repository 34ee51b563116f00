import { spawnSync } from 'node:child_process'
import type { Sandbox, SandboxSpec } from '#shared/solvers/sandbox.ts'
import { createBubblewrap } from '../../sandbox/bubblewrap/open-bubblewrap.ts'
import { findControlGroups } from '../../sandbox/cgroup/control-groups.ts'

const has = (...argv: [string, ...string[]]): boolean => spawnSync(argv[0], argv.slice(1)).status === 0

/** Whether Python of this machine can import a module. */
export const hasModule = (name: string): boolean => has('/usr/bin/python3', '-I', '-c', `import ${name}`)

/** Sandboxes with this machine's Python, for tests; `absent` says what they lack here, and is false where nothing is missing. */
export async function pythonBoxes() {
  const groups = await findControlGroups()
  const absent: string | false = !has('bwrap', '--version')
    ? 'bwrap is not installed'
    : !has('/usr/bin/python3', '--version')
      ? 'python3 is not installed'
      : 'missing' in groups && `this machine ${groups.missing}`
  if (absent) console.info(`skipped: ${absent}`)
  const bubblewrap = await createBubblewrap('bwrap', groups)
  return {
    absent,
    close: () => bubblewrap.close(),
    async within<T>(spec: SandboxSpec, use: (box: Sandbox) => Promise<T>): Promise<T> {
      const opened = await bubblewrap.open(spec, new AbortController().signal)
      if (!opened.ok) throw new Error(opened.failure.detail)
      await using box = opened.value
      return await use(box)
    },
  }
}
