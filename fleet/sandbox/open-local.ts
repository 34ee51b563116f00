import type { SandboxProvider } from '../trial/resources.ts'
import { createBubblewrap } from './bubblewrap/open-bubblewrap.ts'
import { createDocker } from './docker/open-docker.ts'

/** Sandboxes that one machine has by itself. */
export const localKinds = ['bwrap', 'docker'] as const
export type LocalKind = (typeof localKinds)[number]

/** Sandboxes of this machine for checks outside of a run. What the machine lacks for them is why each is refused; `close` releases what they shared. */
export async function openLocalSandboxes(kind: LocalKind): Promise<SandboxProvider & { close(): Promise<void> }> {
  switch (kind) {
    case 'bwrap': {
      const { open, close } = await createBubblewrap()
      return { open, close: async () => close() }
    }
    case 'docker':
      return createDocker()
  }
}
